package notebook_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm/llmtest"
)

// mute is a host that shows everything to nobody.
type mute struct{ agent.Host }

func (mute) Render(r nacre.Reply) []nacre.Part { return []nacre.Part{{Text: r.Text}} }
func (mute) Post([]nacre.Delivery)             {}
func (mute) Progress(nacre.Chat, nacre.TurnID) (func(string), func()) {
	return func(string) {}, func() {}
}

// talking lets real sessions answer over the ledger of a world, with this model.
func (w *world) talking(model *llmtest.Model) *agent.Sessions {
	return agent.New(agent.Options{Journal: w.ledger, Host: mute{}, Notes: w.book, Tools: w.book.Tools(), Commands: w.book.Commands(),
		Models: []agent.Choice{{Name: "m", Model: model, Window: 32_000}}, Zone: utc, Deadline: time.Minute, Idle: time.Hour, Log: slog.New(slog.DiscardHandler)})
}

// comesDue puts something in the chat that Nacre says by itself.
func (c *chat) comesDue(kind nacre.JobKind, text string) nacre.Inbound {
	return c.store(nacre.Message{ID: nacre.MessageID(nacre.NewID(time.Now())), External: nacre.ExternalID("job/" + text),
		Due:      &nacre.Due{Job: nacre.JobID(kind), Kind: kind, Slot: time.Now()},
		Segments: []nacre.Segment{{Provenance: nacre.BySystem, Text: text}}})
}

// press is a button under what is asked in a session.
func (c *chat) press(at nacre.SessionInfo, label string) nacre.Inbound {
	c.w.t.Helper()
	content, err := c.w.ledger.Asked(c.w.t.Context(), at)
	var asked struct{ Text string }
	if err != nil || json.Unmarshal(content, &asked) != nil {
		c.w.t.Fatalf("nothing is asked: %v", err)
	}
	id := nacre.NewID(time.Now())
	return c.store(nacre.Message{ID: nacre.MessageID(id), External: nacre.ExternalID("press/" + id), Segments: []nacre.Segment{
		{Provenance: nacre.Quoted, Text: asked.Text}, {Provenance: nacre.Prefill, Text: label}}})
}

// A "yes" behind something that was due answers that, and erases nothing: in the
// same process, in the next, and where that was said by the next. The button does
// what it says.
func TestYesBehindWhatWasDue(t *testing.T) {
	for _, tc := range []struct {
		name          string
		due           bool
		before, after bool // a restart before and after it
	}{
		{name: "nothing was due"}, {name: "nothing was due, restarted", before: true},
		{name: "due", due: true}, {name: "due, then restarted", due: true, after: true}, {name: "restarted, then due", due: true, before: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, c := twoThings(t)
				defer func() { w.ledger.Close() }()
				model := &llmtest.Model{}
				sessions := w.talking(model)
				rest := func() { synctest.Wait(); time.Sleep(time.Minute); synctest.Wait() }
				send := func(in nacre.Inbound) { sessions.Wake(in.Session, in.Message); rest() }
				again := func(restart bool) {
					if restart {
						sessions.Drain(context.Background())
						w.restart()
						sessions = w.talking(model)
					}
				}
				send(c.put(c.typed("/forget about dog")))
				again(tc.before)
				if tc.due {
					send(c.comesDue(nacre.Reminder, "Did you water the plants?"))
					send(c.comesDue(nacre.Heartbeat, "Shall I look after them tomorrow?"))
				}
				again(tc.after)
				yes := c.put(c.typed("yes"))
				send(yes)
				if requests := model.Requests(); !tc.due {
					w.wantLive(bike)
					if len(requests) != 0 {
						t.Error("a model was asked")
					}
				} else {
					w.wantLive(bike, dog)
					if len(requests) != 1 || requests[0].Messages[len(requests[0].Messages)-1].Text != "yes" {
						t.Errorf("the model was asked %d times, and not about the yes", len(requests))
					}
					send(c.press(yes.Session, "Forget all of it"))
					w.wantLive(bike)
				}
				sessions.Drain(context.Background())
			})
		})
	}
}
