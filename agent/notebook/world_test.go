package notebook_test

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/distill"
	"nacre/agent/notebook"
	"nacre/memory"
	"nacre/memory/ledger"
)

// utc is where everybody lives.
func utc(nacre.OwnerID) *time.Location { return time.UTC }

var _ agent.Memory = (*notebook.Notebook)(nil)

// learner is a scripted Distiller. Without a script it goes by rules.
type learner struct {
	rules  *distill.Distiller
	script func(in distill.Input) []memory.Proposal
	err    error
	inputs []distill.Input
}

func (l *learner) Learn(ctx context.Context, in distill.Input) ([]memory.Proposal, error) {
	l.inputs = append(l.inputs, in)
	switch {
	case l.err != nil:
		return nil, l.err
	case l.script != nil:
		return l.script(in), nil
	}
	return l.rules.Learn(ctx, in)
}

// world is a Notebook over a real ledger and real Books.
type world struct {
	asked    string // what the newest turn asked the person
	t        *testing.T
	dir      string
	ledger   *ledger.Ledger
	library  *memory.Library
	book     *notebook.Notebook
	learner  *learner
	voice    string
	zones    map[nacre.OwnerID]*time.Location // where owners live, if not in UTC
	person   string
	selected notebook.Selected // for the last answer
	ann      nacre.OwnerID
	bob      nacre.OwnerID
	sent     time.Time // of the next message
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, dir: t.TempDir(), sent: time.Now()}
	w.learner = &learner{rules: distill.New(distill.Options{Simple: true, Log: slog.New(slog.DiscardHandler)})}
	w.open()
	list, err := w.ledger.SyncOwners(t.Context(), [][]nacre.Address{{addr("1001")}, {addr("1002")}})
	if err != nil {
		t.Fatal(err)
	}
	w.ann, w.bob = list[0].ID, list[1].ID
	t.Cleanup(func() { w.ledger.Close() })
	return w
}

func addr(id string) nacre.Address { return nacre.Address{Channel: nacre.Telegram, ID: id} }

// open begins a process.
func (w *world) open() {
	w.t.Helper()
	l, err := ledger.Open(context.Background(), ledger.Options{Dir: w.dir, Keys: filepath.Join(w.dir, "keys.nacre")})
	if err != nil {
		w.t.Fatal(err)
	}
	w.ledger, w.library = l, memory.NewLibrary(l, utc)
	w.book = notebook.New(notebook.Options{Library: w.library, Log: l, Distiller: w.learner, Zone: w.zone,
		Voice: func(nacre.OwnerID) string { return w.voice }, Person: func(nacre.OwnerID) string { return w.person }, Logger: slog.New(slog.DiscardHandler),
		Selected: func(context.Context, nacre.Caller) (notebook.Selected, error) { return w.selected, nil }})
}

func (w *world) zone(owner nacre.OwnerID) *time.Location {
	return cmp.Or(w.zones[owner], time.UTC)
}

// restart ends the process and begins another.
func (w *world) restart() {
	w.t.Helper()
	if err := w.ledger.Close(); err != nil {
		w.t.Fatal(err)
	}
	w.open()
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

// put stores a message of segments, and returns it as it was stored.
func (c *chat) put(segments ...nacre.Segment) nacre.Inbound {
	c.w.t.Helper()
	c.w.sent = c.w.sent.Add(time.Second)
	id := nacre.NewID(c.w.sent)
	return c.store(nacre.Message{ID: nacre.MessageID(id), External: nacre.ExternalID("m-" + id), Segments: segments})
}

func (c *chat) store(m nacre.Message) nacre.Inbound {
	c.w.t.Helper()
	m.Chat, m.Author, m.Private, m.ToUs = nacre.Chat{Channel: nacre.Telegram, ID: c.id}, addr(c.user), c.private, true
	m.Sent, m.Received = c.w.sent, c.w.sent
	in := []nacre.Inbound{{Owner: c.owner, Message: m}}
	if err := c.w.ledger.Put(c.w.t.Context(), in); err != nil {
		c.w.t.Fatal(err)
	}
	return in[0]
}

// typed is what the person of a chat types.
func (c *chat) typed(text string) nacre.Segment {
	if c.private {
		return nacre.Segment{Provenance: nacre.ByOwner, Text: text}
	}
	return nacre.Segment{Provenance: nacre.InGroup, Text: text}
}

// caller is the Caller of a turn over messages.
func (c *chat) caller(messages ...nacre.Inbound) nacre.Caller {
	caller := nacre.Caller{Owner: c.owner, Chat: nacre.Chat{Channel: nacre.Telegram, ID: c.id}, Private: c.private, Author: addr(c.user), Asked: c.w.asked}
	for _, m := range messages {
		caller.Said = append(caller.Said, m.Message)
		caller.Session, caller.Turn = m.Session.ID, nacre.TurnID(messages[0].Message.ID)
	}
	return caller
}

// says begins a turn with one typed message.
func (c *chat) says(text string) nacre.Caller {
	c.w.t.Helper()
	return c.caller(c.put(c.typed(text)))
}

// use calls a tool.
func (w *world) use(caller nacre.Caller, name, args string) (agent.Result, error) {
	w.t.Helper()
	for _, tool := range w.book.Tools() {
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

// sends sends a command.
func (c *chat) sends(line string) (agent.Result, error) {
	c.w.t.Helper()
	command, args, ok := nacre.ParseCommand(line)
	if !ok {
		c.w.t.Fatalf("%q is no command", line)
	}
	r, err := c.w.book.Commands()[command.Name](c.w.t.Context(), c.says(line), args)
	return c.w.shows(r), err
}

// commands sends a command that is answered.
func (c *chat) commands(line string) agent.Result {
	c.w.t.Helper()
	r, err := c.sends(line)
	if err != nil {
		c.w.t.Fatalf("%s: %v", line, err)
	}
	return r
}

// answers offers a message to memory.
func (c *chat) answers(in nacre.Inbound) (agent.Result, bool) {
	c.w.t.Helper()
	r, took, err := c.w.book.Answer(c.w.t.Context(), c.caller(in), in.Message)
	if err != nil {
		c.w.t.Fatal(err)
	}
	if took {
		c.w.shows(r)
	}
	return r, took
}

// shows shows the person what a turn came to.
func (w *world) shows(r agent.Result) agent.Result {
	if w.asked = ""; r.Ask != nil {
		w.asked = r.Ask.Question
	}
	return r
}

// types offers typed words to memory.
func (c *chat) types(text string) (agent.Result, bool) {
	c.w.t.Helper()
	return c.answers(c.put(c.typed(text)))
}

// presses presses a button under a question, as the gateway makes a message of it.
func (c *chat) presses(ask *agent.Ask, label string) (agent.Result, bool) {
	c.w.t.Helper()
	if ask == nil || !slices.Contains(ask.Options, label) {
		c.w.t.Fatalf("no button %q under %+v", label, ask)
	}
	id := nacre.NewID(time.Now())
	return c.answers(c.store(nacre.Message{ID: nacre.MessageID(id), External: nacre.ExternalID("press/" + id), Segments: []nacre.Segment{
		{Provenance: nacre.Quoted, Text: ask.Question}, {Provenance: nacre.Prefill, Text: label}}}))
}

func (w *world) state(owner nacre.OwnerID) *memory.State {
	w.t.Helper()
	st, err := w.library.Book(owner).State(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return st
}

// live lists the texts of an owner's live notes in every scope, sorted.
func (w *world) live(owner nacre.OwnerID) []string {
	return w.texts(owner, memory.Tentative, memory.Observed, memory.Stated)
}

func (w *world) texts(owner nacre.OwnerID, statuses ...memory.Status) []string {
	w.t.Helper()
	list := []string{}
	for _, n := range w.state(owner).Select(memory.Query{Everywhere: true, Hidden: true, Statuses: statuses}) {
		list = append(list, n.Text)
	}
	slices.Sort(list)
	return list
}

// wantLive compares the live notes of Ann.
func (w *world) wantLive(want ...string) {
	w.t.Helper()
	slices.Sort(want)
	if got := w.live(w.ann); !slices.Equal(got, want) {
		w.t.Errorf("live notes are %q, want %q", got, want)
	}
}

// refusals lists why proposals of an owner were refused, oldest first.
func (w *world) refusals(owner nacre.OwnerID) []memory.Reason {
	w.t.Helper()
	ops, err := w.ledger.Ops(w.t.Context(), owner, -1, true)
	if err != nil {
		w.t.Fatal(err)
	}
	var list []memory.Reason
	for _, o := range ops {
		if o.Kind == memory.Refuse {
			list = append(list, o.Reason)
		}
	}
	return list
}

// wantRefused checks the newest recorded refusal of Ann.
func (w *world) wantRefused(want memory.Reason) {
	w.t.Helper()
	list := w.refusals(w.ann)
	if len(list) == 0 || list[len(list)-1] != want {
		w.t.Errorf("the recorded refusals are %q, want %q as the last", list, want)
	}
}

// note stores a note by the owner's hand, and returns it.
func (w *world) note(owner nacre.OwnerID, scope memory.Scope, slot, text string) *memory.Note {
	w.t.Helper()
	area, slug, _ := strings.Cut(slot, "/")
	out, err := w.library.Book(owner).Propose(w.t.Context(), memory.Proposal{Writer: memory.ByPage, Scope: scope, Do: memory.Learn,
		Draft: memory.Draft{Area: memory.Area(area), Slug: slug, Text: text}})
	if err != nil || out[0].Refused != "" || out[0].Note == nil {
		w.t.Fatalf("note %q: %+v, %v", text, out, err)
	}
	return out[0].Note
}

// set switches a setting of Ann's.
func (w *world) set(name string, on bool) {
	w.t.Helper()
	if _, err := w.library.Book(w.ann).Propose(w.t.Context(), memory.Proposal{Writer: memory.ByPage, Do: memory.Set, Setting: name, On: on}); err != nil {
		w.t.Fatal(err)
	}
}

var groupScope = memory.GroupScope(nacre.Chat{Channel: nacre.Telegram, ID: "-55"})

// wantText checks that a text holds some pieces.
func wantText(t *testing.T, text string, pieces ...string) {
	t.Helper()
	for _, p := range pieces {
		if !strings.Contains(text, p) {
			t.Errorf("%q lacks %q", text, p)
		}
	}
}

// wantNot checks that a text holds none of some pieces.
func wantNot(t *testing.T, text string, pieces ...string) {
	t.Helper()
	for _, p := range pieces {
		if strings.Contains(text, p) {
			t.Errorf("%q holds %q", text, p)
		}
	}
}
