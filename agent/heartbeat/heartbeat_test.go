package heartbeat_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/heartbeat"
	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
	"nacre/agent/llm/offline"
)

// utc is where everybody lives.
func utc(nacre.OwnerID) *time.Location { return time.UTC }

var home = nacre.SessionInfo{ID: "s", Owner: "o", Chat: nacre.Chat{Channel: nacre.Telegram, ID: "1"}, Private: true}

// world is a Heartbeat over real Sessions, with a scripted model and all that it
// looks at.
type world struct {
	t        *testing.T
	model    *llmtest.Model
	sessions *agent.Sessions
	beats    *heartbeat.Heartbeat
	text     string
	plans    []string
	soon     []string
	homeless bool
	used     nacre.Usage
	said     int
	since    time.Time    // of which Spent was asked last
	failing  string       // what fails
	ran      atomic.Int64 // errands
}

// nowhere is no journal: who stores anything panics. It renders, and no more.
type nowhere struct {
	agent.Journal
	agent.Host
}

func (nowhere) Render(r nacre.Reply) []nacre.Part { return []nacre.Part{{Text: r.Text}} }

// reads is a tool that may be there or not.
type reads string

func (r reads) Spec() llm.ToolSpec {
	return llm.ToolSpec{Name: string(r), Description: "A tool.", Schema: json.RawMessage(`{"type":"object"}`)}
}

func (r reads) Call(context.Context, nacre.Caller, json.RawMessage) (agent.Result, error) {
	return agent.Result{Text: "found", Source: llm.FromOthers}, nil
}

var errBroken = errors.New("broken")

// hours are the same for everybody.
func hours(from, to int) func(nacre.OwnerID) heartbeat.Hours {
	return func(nacre.OwnerID) heartbeat.Hours { return heartbeat.Hours{From: from * 60, To: to * 60} }
}

// in runs f with a world in a synctest bubble, on a Saturday at midnight in UTC.
func in(t *testing.T, change func(*heartbeat.Options), f func(w *world)) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{t: t, model: &llmtest.Model{Strict: true}, text: "- water the plants"}
		w.sessions = agent.New(agent.Options{Journal: nowhere{}, Host: nowhere{}, Zone: utc, Log: slog.New(slog.DiscardHandler),
			Tools:  []agent.Tool{agent.Now{Zone: utc}, agent.AskUser{}, reads("memory_find"), reads("memory_learn"), reads("remind"), reads("web_search")},
			Models: []agent.Choice{{Name: "usual/model", Model: w.model, Window: 32_000}}})
		o := heartbeat.Options{Run: w.run, Text: func(nacre.OwnerID) (string, error) { return w.text, w.fail("text") },
			Plans: func(context.Context, nacre.OwnerID, time.Time) ([]string, error) { return w.plans, w.fail("plans") },
			Soon:  func(context.Context, nacre.OwnerID, time.Time) ([]string, error) { return w.soon, w.fail("soon") },
			Home: func(context.Context, nacre.OwnerID) (nacre.SessionInfo, error) {
				if w.homeless {
					return nacre.SessionInfo{}, nacre.Errorf(nacre.NotFound, "nobody")
				}
				return home, w.fail("home")
			},
			Spent: func(_ context.Context, _ nacre.JobID, since time.Time) (nacre.Usage, int, error) {
				w.since = since
				return w.used, w.said, w.fail("spent")
			},
			Zone: utc, Hours: hours(0, 0), MaxCalls: 24, MaxSaid: 8, Log: slog.New(slog.DiscardHandler)}
		if change != nil {
			change(&o)
		}
		w.beats = heartbeat.New(o)
		f(w)
	})
}

func (w *world) fail(what string) error {
	if w.failing == what {
		return errBroken
	}
	return nil
}

func (w *world) run(ctx context.Context, e agent.Errand) (agent.ErrandResult, error) {
	w.ran.Add(1)
	return w.sessions.Run(ctx, e)
}

func (w *world) beat() (string, string) {
	w.t.Helper()
	text, where, reason, _, err := w.beats.Beat(w.t.Context(), nacre.Job{ID: "h", Owner: "o", Kind: nacre.Heartbeat}, nacre.Run{Job: "h", Owner: "o", Slot: time.Now()})
	if err != nil || text != "" && where != home {
		w.t.Errorf("a beat is told in %v, and fails with %v", where, err)
	}
	return text, reason
}

// expect takes a look, and tells whether a model was asked.
func (w *world) expect(text, reason string, asked bool) {
	w.t.Helper()
	before := len(w.model.Requests())
	gotText, gotReason := w.beat()
	if got := len(w.model.Requests()) > before; gotText != text || gotReason != reason || got != asked {
		w.t.Errorf("the look comes to %q, %q, a model was asked: %v; want %q, %q, %v", gotText, gotReason, got, text, reason, asked)
	}
}

func decide(args string) llmtest.Step {
	return llmtest.Step{Calls: []llm.ToolCall{{ID: "d", Name: "heartbeat_decision", Args: json.RawMessage(args)}}}
}

func TestBeatTells(t *testing.T) {
	in(t, nil, func(w *world) {
		w.plans, w.soon = []string{"dentist\n on Monday", " "}, []string{"Sat 1 Jan 09:00: call Ada"}
		w.model.Push(llmtest.Step{Calls: []llm.ToolCall{{ID: "f", Name: "memory_find", Args: json.RawMessage(`{}`)}}}, decide(`{"tell":true,"text":"Water them."}`))
		w.expect("Water them.", heartbeat.Told, true)
		req := w.model.Requests()[0]
		var names []string
		for _, tool := range req.Tools {
			names = append(names, tool.Name)
		}
		if want := []string{"now", "memory_find", "heartbeat_decision"}; !slices.Equal(names, want) {
			t.Errorf("the model is offered %q, want %q", names, want)
		}
		if want := "What they want looked after:\n- water the plants\n\nPlans that are due:\n- dentist on Monday\n\nReminders that come soon:\n- Sat 1 Jan 09:00: call Ada"; !strings.HasSuffix(req.Messages[0].Text, want) {
			t.Errorf("the model reads %q", req.Messages[0].Text)
		}
		if n := len(w.model.Requests()); n != 2 {
			t.Errorf("%d calls of the model, want 2", n)
		}
	})
}

// What was found may be strangers' words, and then so may what is told.
func TestBeatIsStrange(t *testing.T) {
	for _, looks := range []bool{true, false} {
		in(t, nil, func(w *world) {
			if looks {
				w.model.Push(llmtest.Step{Calls: []llm.ToolCall{{ID: "f", Name: "memory_find", Args: json.RawMessage(`{}`)}}})
			}
			w.model.Push(decide(`{"tell":true,"text":"x"}`))
			if _, _, _, strange, err := w.beats.Beat(w.t.Context(), nacre.Job{ID: "h", Owner: "o"}, nacre.Run{}); strange != looks || err != nil {
				t.Errorf("strange is %v, %v; want %v", strange, err, looks)
			}
		})
	}
}

func TestBeatIsQuiet(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*heartbeat.Options)
		set    func(*world)
		reason string
	}{
		{"at night", func(o *heartbeat.Options) { o.Hours = hours(8, 22) }, nil, heartbeat.Night},
		{"in another zone's night", func(o *heartbeat.Options) {
			o.Zone, o.Hours = func(nacre.OwnerID) *time.Location { return time.FixedZone("x", -3*3600) }, hours(0, 20) // it is 21:00 there
		}, nil, heartbeat.Night},
		{"nothing to look at", nil, func(w *world) { w.text, w.plans = "# Tasks\n- [x] done", []string{" "} }, heartbeat.Nothing},
		{"no chat", nil, func(w *world) { w.homeless = true }, heartbeat.Homeless},
		{"calls used up", nil, func(w *world) { w.used.Calls = 24 }, heartbeat.EnoughAsks},
		{"fewer calls", func(o *heartbeat.Options) { o.MaxCalls = 3 }, func(w *world) { w.used.Calls = 3 }, heartbeat.EnoughAsks},
		{"no calls", func(o *heartbeat.Options) { o.MaxCalls = 0 }, nil, heartbeat.EnoughAsks},
		{"no messages", func(o *heartbeat.Options) { o.MaxSaid = 0 }, nil, heartbeat.EnoughSaid},
		{"messages used up", nil, func(w *world) { w.said = 8 }, heartbeat.EnoughSaid},
	} {
		t.Run(c.name, func(t *testing.T) {
			in(t, c.change, func(w *world) {
				if c.set != nil {
					c.set(w)
				}
				w.expect("", c.reason, false)
			})
		})
	}
	in(t, nil, func(w *world) { // one before the limits
		w.used.Calls, w.said = 23, 7
		w.model.Push(decide(`{"tell":true,"text":"x"}`))
		w.expect("x", heartbeat.Told, true)
	})
}

// A look never goes beyond the calls that are left of the day, which begins at the
// owner's midnight.
func TestCallsOfADay(t *testing.T) {
	vienna, err := time.LoadLocation("Europe/Vienna")
	if err != nil {
		t.Fatal(err)
	}
	in(t, func(o *heartbeat.Options) { o.Zone = func(nacre.OwnerID) *time.Location { return vienna } }, func(w *world) {
		for range 20 {
			w.model.Push(llmtest.Step{Calls: []llm.ToolCall{{ID: "n", Name: "now", Args: json.RawMessage(`{}`)}}})
		}
		w.used.Calls = 22
		w.expect("", heartbeat.Undecided, true)
		if n := len(w.model.Requests()); n != 2 {
			t.Errorf("%d calls where 2 were left", n)
		}
		if want := time.Date(1999, 12, 31, 23, 0, 0, 0, time.UTC); !w.since.Equal(want) {
			t.Errorf("the day begins at %v, want %v", w.since, want)
		}
		w.used.Calls = 0
		w.expect("", heartbeat.Undecided, true)
		if n := len(w.model.Requests()); n != 8 {
			t.Errorf("%d calls of one look, want 6", n-2)
		}
	})
}

// Plans and reminders alone are looked at once a day, and again when they change or
// when the look failed; wishes every time.
func TestSamePlansOnceADay(t *testing.T) {
	in(t, nil, func(w *world) {
		quiet := decide(`{"tell":false}`)
		w.text, w.plans, w.soon = "", []string{"dentist"}, nil
		w.model.Push(llmtest.Step{Err: &llm.Error{Cause: llm.Billing}}, quiet, quiet, quiet, quiet, quiet)
		if _, _, _, _, err := w.beats.Beat(w.t.Context(), nacre.Job{ID: "h", Owner: "o"}, nacre.Run{}); nacre.KindOf(err) != nacre.Transient {
			t.Errorf("a look without a model ends with %v", err)
		}
		w.expect("", heartbeat.Quiet, true)
		w.expect("", heartbeat.Same, false)
		w.soon = []string{"dentist"}
		w.expect("", heartbeat.Quiet, true)
		w.plans, w.soon = w.soon, nil
		w.expect("", heartbeat.Quiet, true)
		time.Sleep(23 * time.Hour)
		w.expect("", heartbeat.Same, false)
		time.Sleep(time.Hour)
		w.expect("", heartbeat.Quiet, true)
		w.text = "- water the plants"
		w.expect("", heartbeat.Quiet, true)
		w.model.Push(quiet)
		w.expect("", heartbeat.Quiet, true)
	})
}

func TestBeatFails(t *testing.T) {
	for _, what := range []string{"text", "plans", "soon", "spent", "home"} {
		in(t, nil, func(w *world) {
			w.failing = what
			text, _, _, _, err := w.beats.Beat(w.t.Context(), nacre.Job{ID: "h", Owner: "o"}, nacre.Run{})
			if !errors.Is(err, errBroken) || text != "" || w.ran.Load() != 0 {
				t.Errorf("without %s it comes to %q, %v after %d errands", what, text, err, w.ran.Load())
			}
		})
	}
}

// deltas is a model that streams these pieces.
type deltas []string

func (d deltas) Complete(_ context.Context, _ llm.Request, emit func(string)) (llm.Response, error) {
	for _, piece := range d {
		emit(piece)
	}
	return llm.Response{Text: strings.Join(d, ""), Stop: llm.StopEnd}, nil
}

// What comes in pieces is read as a whole: a token is one, and an alert is told.
func TestPieces(t *testing.T) {
	for _, c := range []struct {
		model        deltas
		text, reason string
	}{
		{deltas{"HEART", "BEAT", "_OK"}, "", heartbeat.Quiet},
		{deltas{"Your train ", "HEART", "BEAT_OK", " is cancelled."}, "Your train is cancelled.", heartbeat.Told},
	} {
		in(t, func(o *heartbeat.Options) {
			sessions := agent.New(agent.Options{Journal: nowhere{}, Host: nowhere{}, Zone: utc, Log: slog.New(slog.DiscardHandler),
				Models: []agent.Choice{{Name: "m", Model: c.model, Window: 32_000}}})
			o.Run = sessions.Run
		}, func(w *world) { w.expect(c.text, c.reason, false) })
	}
}

// Words are a decision of a model that calls no tools, and of no other: also one
// whose calls were in vain may only have thought aloud.
func TestWordsWithoutADecision(t *testing.T) {
	const alert = "Your train is cancelled."
	for _, c := range []struct {
		name         string
		first        []llm.ToolCall
		text, reason string
	}{
		{"no tool", nil, alert, heartbeat.Told},
		{"a tool", []llm.ToolCall{{ID: "f", Name: "memory_find", Args: json.RawMessage(`{}`)}}, "", heartbeat.Undecided},
		{"a decision in vain", []llm.ToolCall{{ID: "d", Name: "heartbeat_decision", Args: json.RawMessage(`{"tell":"no"}`)}}, "", heartbeat.Undecided},
		{"no such tool", []llm.ToolCall{{ID: "s", Name: "send", Args: json.RawMessage(`{}`)}}, "", heartbeat.Undecided},
	} {
		in(t, nil, func(w *world) {
			if c.first != nil {
				w.model.Push(llmtest.Step{Calls: c.first})
			}
			w.model.Push(llmtest.Step{Text: alert})
			if text, reason := w.beat(); text != c.text || reason != c.reason {
				t.Errorf("%s: %q, %q; want %q, %q", c.name, text, reason, c.text, c.reason)
			}
		})
	}
	in(t, nil, func(w *world) { // the text stands beside the decision
		step := decide(`{"tell":true,"text":""}`)
		step.Text = alert
		w.model.Push(step)
		w.expect(alert, heartbeat.Told, true)
	})
}

// The built-in model has no judgement, and whatever the wishes say it tells nothing.
func TestOfflineModelIsQuiet(t *testing.T) {
	in(t, func(o *heartbeat.Options) {
		sessions := agent.New(agent.Options{Journal: nowhere{}, Host: nowhere{}, Zone: utc, Log: slog.New(slog.DiscardHandler), Tools: []agent.Tool{agent.Now{Zone: utc}},
			Models: []agent.Choice{{Name: "offline", Model: offline.Model{}, Window: 32_000, Simple: true}}})
		o.Run = sessions.Run
	}, func(w *world) {
		for _, wish := range []string{"- water the plants", "What time is it?", "remember that I like tea"} {
			w.text = wish
			w.expect("", heartbeat.Quiet, false)
		}
	})
}

// Nobody is told, and no model asked again, when a look comes to nothing.
func TestNoRetryOfAnEmptyLook(t *testing.T) {
	for _, c := range []struct {
		step   llmtest.Step
		reason string
	}{
		{llmtest.Step{Text: "HEARTBEAT_OK"}, heartbeat.Quiet},
		{llmtest.Step{}, heartbeat.Undecided},
		{llmtest.Step{Text: " \n"}, heartbeat.Undecided},
		{llmtest.Step{Stop: llm.StopLength}, heartbeat.Undecided},
		{llmtest.Step{Text: "Your train is", Stop: llm.StopLength}, heartbeat.Undecided},
	} {
		in(t, nil, func(w *world) {
			w.model.Push(c.step, decide(`{"tell":true,"text":"again"}`))
			w.expect("", c.reason, true)
			if n := len(w.model.Requests()); n != 1 {
				t.Errorf("%q: %d calls", c.step.Text, n)
			}
		})
	}
}

// Arguments that do not fit are no decision, and the first that fit count.
func TestFirstDecisionCounts(t *testing.T) {
	in(t, nil, func(w *world) {
		w.model.Push(decide(`{"tell":"yes","text":"one"}`), decide(`{"text":"two"}`), decide(`{"tell":true,"text":"three","more":1}`),
			decide(`{"tell":true,"text":"`+strings.Repeat("x", 4001)+`"}`),
			llmtest.Step{Calls: []llm.ToolCall{
				{ID: "a", Name: "heartbeat_decision", Args: json.RawMessage(`{"tell":true,"text":"four"}`)},
				{ID: "b", Name: "heartbeat_decision", Args: json.RawMessage(`{"tell":true,"text":"five"}`)}}})
		w.expect("four", heartbeat.Told, true)
	})
}

// Ticks that come while a look is under way are merged into it, whatever model is
// slow; another owner's are not.
func TestOneLookAtATime(t *testing.T) {
	in(t, nil, func(w *world) {
		gate := llmtest.NewGate()
		slow := decide(`{"tell":true,"text":"x"}`)
		slow.Gate = gate
		w.model.Push(slow)
		var all sync.WaitGroup
		all.Go(func() { w.expect("x", heartbeat.Told, true) })
		<-gate.Reached()
		for range 10 {
			w.expect("", heartbeat.Busy, false)
			time.Sleep(30 * time.Minute)
		}
		w.model.Push(decide(`{"tell":false}`))
		if _, _, reason, _, err := w.beats.Beat(w.t.Context(), nacre.Job{ID: "i", Owner: "another"}, nacre.Run{}); reason != heartbeat.Quiet || err != nil {
			t.Errorf("another owner's look ends with %q, %v", reason, err)
		}
		gate.Open()
		all.Wait()
		w.model.Push(decide(`{"tell":false}`))
		w.expect("", heartbeat.Quiet, true)
		if keys := w.model.Requests(); w.ran.Load() != 3 || keys[0].CacheKey != keys[2].CacheKey {
			t.Errorf("%d looks were taken, in %q and %q", w.ran.Load(), keys[0].CacheKey, keys[2].CacheKey)
		}
	})
}

func TestMuchToLookAt(t *testing.T) {
	in(t, nil, func(w *world) {
		for range 40 {
			w.plans = append(w.plans, strings.Repeat("ü", 400))
		}
		w.model.Push(decide(`{"tell":false}`))
		w.expect("", heartbeat.Quiet, true)
		text := w.model.Requests()[0].Messages[0].Text
		if n := strings.Count(text, "\n- "+strings.Repeat("ü", 300)+" …"); n != 30 || !strings.HasSuffix(text, "\n- … and 10 more") {
			t.Errorf("the model reads %d plans, and at the end %q", n, text[len(text)-50:])
		}
	})
}
