package agenda_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/agenda"
	"nacre/jobs"
	"nacre/memory/ledger"
)

var (
	_ agent.Asker  = (*agenda.Agenda)(nil)
	_ agenda.Board = (*jobs.Board)(nil)
)

// world is an Agenda over a real board and a real ledger. It begins on Saturday, 1
// January 2000, at 10:00 in Vienna, where Ann lives; Bob lives in Tokyo.
type world struct {
	t      *testing.T
	ledger *ledger.Ledger
	board  *jobs.Board
	agenda *agenda.Agenda
	ann    nacre.OwnerID
	bob    nacre.OwnerID
	asked  string // what the newest turn asked the person
	rounds []nacre.JobID
	failed error  // what a round comes to
	came   string // the reason with which a round goes into the history; empty for nothing done
	aside  []string

	promoted []string // what the round of promotions will do
}

// in runs f with a world in a synctest bubble.
func in(t *testing.T, f func(w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(9 * time.Hour)
		w := &world{t: t}
		w.open(t.TempDir())
		defer w.ledger.Close()
		f(w)
	})
}

func addr(id string) nacre.Address { return nacre.Address{Channel: nacre.Telegram, ID: id} }

func (w *world) open(dir string) {
	w.t.Helper()
	l, err := ledger.Open(context.Background(), ledger.Options{Dir: dir, Keys: filepath.Join(dir, "keys.nacre")})
	if err != nil {
		w.t.Fatal(err)
	}
	list, err := l.SyncOwners(w.t.Context(), [][]nacre.Address{{addr("1001")}, {addr("1002")}})
	if err != nil {
		w.t.Fatal(err)
	}
	w.ledger, w.ann, w.bob = l, list[0].ID, list[1].ID
	w.board = jobs.NewBoard(jobs.BoardOptions{Store: l, Zone: w.zone, Changed: func() {}, Wake: func(nacre.SessionInfo, nacre.Message) {}})
	w.restart()
}

// restart begins another process, which knows of no open question.
func (w *world) restart() {
	w.agenda = agenda.New(agenda.Options{Board: w.board, Zone: w.zone, Log: slog.New(slog.DiscardHandler),
		Rounds: func(_ context.Context, owner nacre.OwnerID, name nacre.JobID) error {
			if owner == w.ann {
				w.rounds = append(w.rounds, name)
			}
			if now := time.Now(); w.came != "" {
				run := nacre.Run{Job: name, Owner: owner, Slot: now, State: nacre.Done, Reason: w.came, Attempts: 1, Began: now, Ended: now}
				if err := w.ledger.End(w.t.Context(), nacre.JobEnding{Run: run}); err != nil {
					w.t.Error(err)
				}
			}
			if name == nacre.RoundPromote && w.failed == nil {
				defer func() { w.promoted = nil }()
			}
			return w.failed
		},
		Promoted: func(context.Context, nacre.OwnerID) ([]string, error) { return w.promoted, nil },
		Aside:    func(context.Context, nacre.OwnerID) ([]string, error) { return w.aside, nil },
	})
	w.asked = ""
}

func (w *world) zone(owner nacre.OwnerID) *time.Location {
	name := "Europe/Vienna"
	if owner == w.bob {
		name = "Asia/Tokyo"
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		w.t.Fatal(err)
	}
	return zone
}

// chat is one conversation of an owner.
type chat struct {
	w       *world
	owner   nacre.OwnerID
	user    string
	id      nacre.ChatID
	private bool
}

func (w *world) private() *chat { return &chat{w, w.ann, "1001", "1001", true} }
func (w *world) group() *chat   { return &chat{w, w.ann, "1001", "-55", false} }
func (w *world) bobs() *chat    { return &chat{w, w.bob, "1002", "1002", true} }

// put stores a message of segments a second later, and returns the Caller of a
// turn over it.
func (c *chat) put(segments ...nacre.Segment) nacre.Caller {
	c.w.t.Helper()
	id := nacre.NewID(time.Now())
	return c.store(nacre.Message{External: nacre.ExternalID("m-" + id), Segments: segments})
}

func (c *chat) store(m nacre.Message) nacre.Caller {
	c.w.t.Helper()
	time.Sleep(time.Second)
	now := time.Now()
	m.ID, m.Chat, m.Author, m.Private, m.ToUs = nacre.MessageID(nacre.NewID(now)), nacre.Chat{Channel: nacre.Telegram, ID: c.id}, addr(c.user), c.private, true
	m.Sent, m.Received = now, now
	list := []nacre.Inbound{{Owner: c.owner, Message: m}}
	if err := c.w.ledger.Put(c.w.t.Context(), list); err != nil {
		c.w.t.Fatal(err)
	}
	return nacre.Caller{Owner: c.owner, Session: list[0].Session.ID, Chat: m.Chat, Private: c.private, Author: m.Author,
		Turn: nacre.TurnID(m.ID), Said: []nacre.Message{list[0].Message}, Asked: c.w.asked}
}

// typed is what the person of a chat types.
func (c *chat) typed(text string) nacre.Segment {
	if c.private {
		return nacre.Segment{Provenance: nacre.ByOwner, Text: text}
	}
	return nacre.Segment{Provenance: nacre.InGroup, Text: text}
}

// says begins a turn with one typed message.
func (c *chat) says(text string) nacre.Caller {
	c.w.t.Helper()
	return c.put(c.typed(text))
}

// tainted begins one in which the model has read words of strangers.
func (c *chat) tainted(text string) nacre.Caller {
	c.w.t.Helper()
	caller := c.says(text)
	caller.Tainted = true
	return caller
}

// use calls a tool.
func (w *world) use(caller nacre.Caller, name, args string) (agent.Result, error) {
	w.t.Helper()
	for _, tool := range w.agenda.Tools() {
		if tool.Spec().Name == name {
			r, err := tool.Call(w.t.Context(), caller, json.RawMessage(args))
			return w.shows(r), err
		}
	}
	w.t.Fatalf("there is no tool %q", name)
	return agent.Result{}, nil
}

// must calls a tool that answers.
func (w *world) must(caller nacre.Caller, name, args string) agent.Result {
	w.t.Helper()
	r, err := w.use(caller, name, args)
	if err != nil {
		w.t.Fatalf("%s %s: %v", name, args, err)
	}
	return r
}

// sends sends a command. What it comes to is a text or the sentence of an error.
func (c *chat) sends(line string) (string, *agent.Ask) {
	c.w.t.Helper()
	return c.obeys(c.says(line), line)
}

func (c *chat) obeys(caller nacre.Caller, line string) (string, *agent.Ask) {
	c.w.t.Helper()
	command, args, ok := nacre.ParseCommand(line)
	if !ok {
		c.w.t.Fatalf("%q is no command", line)
	}
	return c.w.reads(c.w.agenda.Commands()[command.Name](c.w.t.Context(), caller, args))
}

// reads is what the person reads of a result.
func (w *world) reads(r agent.Result, err error) (string, *agent.Ask) {
	w.t.Helper()
	w.shows(r)
	switch {
	case err != nil && nacre.KindOf(err) == nacre.Internal:
		w.t.Fatal(err)
	case err != nil:
		return err.Error(), nil
	}
	return r.Text, r.Ask
}

// shows shows the person what a turn came to.
func (w *world) shows(r agent.Result) agent.Result {
	if w.asked = ""; r.Ask != nil {
		w.asked = r.Ask.Question
	}
	return r
}

// answers offers the message of a turn to the agenda.
func (c *chat) answers(caller nacre.Caller) (text string, ask *agent.Ask, took bool) {
	c.w.t.Helper()
	r, took, err := c.w.agenda.Answer(c.w.t.Context(), caller, caller.Said[0])
	if !took && err == nil {
		return "", nil, false
	}
	text, ask = c.w.reads(r, err)
	return text, ask, took
}

// types offers typed words.
func (c *chat) types(text string) (string, *agent.Ask, bool) {
	c.w.t.Helper()
	return c.answers(c.says(text))
}

// press is what the gateway makes of a button.
func (c *chat) press(question, label string) nacre.Caller {
	c.w.t.Helper()
	return c.store(nacre.Message{External: nacre.ExternalID("press/" + nacre.NewID(time.Now())), Segments: []nacre.Segment{
		{Provenance: nacre.Quoted, Text: question}, {Provenance: nacre.Prefill, Text: label}}})
}

// presses presses a button that is there.
func (c *chat) presses(ask *agent.Ask, label string) (string, *agent.Ask) {
	c.w.t.Helper()
	if ask == nil || !slices.Contains(ask.Options, label) {
		c.w.t.Fatalf("no button %q under %+v", label, ask)
	}
	text, next, took := c.answers(c.press(ask.Question, label))
	if !took {
		c.w.t.Fatalf("the button %q does nothing", label)
	}
	return text, next
}

// jobs lists the jobs of an owner: number, state and text.
func (w *world) jobs(owner nacre.OwnerID) []string {
	w.t.Helper()
	list := []string{}
	for _, j := range w.all(owner) {
		list = append(list, string(j.State)+" "+j.Text)
	}
	return list
}

func (w *world) all(owner nacre.OwnerID) []nacre.Job {
	w.t.Helper()
	list, err := w.board.Jobs(w.t.Context(), owner)
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

// wantJobs compares the jobs of Ann.
func (w *world) wantJobs(want ...string) {
	w.t.Helper()
	if got := w.jobs(w.ann); !slices.Equal(got, want) {
		w.t.Errorf("the jobs are %q, want %q", got, want)
	}
}

// wantText checks that a text holds some pieces.
func wantText(t *testing.T, text string, pieces ...string) {
	t.Helper()
	for _, p := range pieces {
		if !strings.Contains(text, p) {
			t.Errorf("%q lacks %q", text, p)
		}
	}
}
