package reflect_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/agent/distill"
	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
	"nacre/agent/reflect"
	"nacre/memory"
	"nacre/memory/ledger"
)

// utc is where everybody lives.
func utc(nacre.OwnerID) *time.Location { return time.UTC }

// world is a Reflector over a real ledger and real Books, with a scripted model.
type world struct {
	t         testing.TB
	dir       string
	ledger    *ledger.Ledger
	library   *memory.Library
	model     *llmtest.Model
	reflector *reflect.Reflector
	learn     func(ctx context.Context, in distill.Input) ([]memory.Proposal, error) // in the place of the model, if set
	inputs    []distill.Input
	steering  string
	unsteered error                         // of reading it
	wrap      func(reflect.Log) reflect.Log // nil for the ledger itself
	ann, bob  nacre.OwnerID
	asked     int // requests that were looked at
}

// hours runs a test in which hours pass at once, after the first start.
func hours(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	fromScratch(t, func(t *testing.T, w *world) {
		w.begin()
		test(t, w)
	})
}

func fromScratch(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := &world{t: t, dir: dir, model: llmtest.NewModel()}
		w.open()
		list, err := w.ledger.SyncOwners(t.Context(), [][]nacre.Address{{addr("1001")}, {addr("1002")}})
		if err != nil {
			t.Fatal(err)
		}
		w.ann, w.bob = list[0].ID, list[1].ID
		defer func() { w.ledger.Close() }()
		test(t, w)
	})
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
	var log reflect.Log = l
	if w.wrap != nil {
		log = w.wrap(log)
	}
	w.reflector = reflect.New(reflect.Options{
		Library: w.library, Log: log, Distiller: w, Zone: utc, Logger: slog.New(slog.DiscardHandler),
		Steering: func(nacre.OwnerID) (string, error) { return w.steering, w.unsteered },
	})
}

// restart ends the process, however it stands, and begins another.
func (w *world) restart() {
	w.t.Helper()
	w.ledger.Close()
	w.open()
}

// Learn is that of a real Distiller, unless the test has its own.
func (w *world) Learn(ctx context.Context, in distill.Input) ([]memory.Proposal, error) {
	w.inputs = append(w.inputs, in)
	if w.learn != nil {
		return w.learn(ctx, in)
	}
	return distill.New(distill.Options{Model: w.model, Log: slog.New(slog.DiscardHandler)}).Learn(ctx, in)
}

// begin is a start of the program with some owners, by default all; from the first
// one on everything is read.
func (w *world) begin(owners ...nacre.OwnerID) {
	w.t.Helper()
	if len(owners) == 0 {
		owners = []nacre.OwnerID{w.ann, w.bob}
	}
	if err := w.reflector.Begin(w.t.Context(), owners); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) hour() (reflect.Report, error) {
	time.Sleep(time.Hour)
	return w.reflector.Reflect(w.t.Context(), w.ann)
}

// must is an hour in which nothing fails.
func (w *world) must() reflect.Report {
	w.t.Helper()
	rep, err := w.hour()
	if err != nil {
		w.t.Fatal(err)
	}
	return rep
}

// says stores what Ann types in private.
func (w *world) says(text string) nacre.Inbound {
	w.t.Helper()
	return w.store(w.ann, nacre.Message{Private: true, Segments: []nacre.Segment{{Provenance: nacre.ByOwner, Text: text}}})
}

// says in a group, by anyone.
func (w *world) group(text string) nacre.Inbound {
	w.t.Helper()
	return w.store(w.ann, nacre.Message{Chat: nacre.Chat{Channel: nacre.Telegram, ID: "-55"}, Segments: []nacre.Segment{{Provenance: nacre.InGroup, Text: text}}})
}

func (w *world) store(owner nacre.OwnerID, m nacre.Message) nacre.Inbound {
	w.t.Helper()
	time.Sleep(time.Second)
	m.ID = nacre.MessageID(nacre.NewID(time.Now()))
	if m.External == "" {
		m.External = nacre.ExternalID("m-" + m.ID)
	}
	if m.Chat == (nacre.Chat{}) {
		m.Chat = nacre.Chat{Channel: nacre.Telegram, ID: "1001"}
	}
	m.Author, m.Received, m.Sent = addr("1001"), time.Now(), time.Now()
	in := []nacre.Inbound{{Owner: owner, Message: m}}
	if err := w.ledger.Put(w.t.Context(), in); err != nil {
		w.t.Fatal(err)
	}
	return in[0]
}

// types stores many messages of Ann's at once, and returns the last.
func (w *world) types(n int, text string) nacre.Message {
	in := make([]nacre.Inbound, n)
	for i := range in {
		id := nacre.NewID(time.Now())
		in[i] = nacre.Inbound{Owner: w.ann, Message: nacre.Message{ID: nacre.MessageID(id), External: nacre.ExternalID(id), Private: true,
			Chat: nacre.Chat{Channel: nacre.Telegram, ID: "1001"}, Sent: time.Now(), Received: time.Now(), Segments: []nacre.Segment{{Provenance: nacre.ByOwner, Text: text}}}}
	}
	if err := w.ledger.Put(w.t.Context(), in); err != nil {
		w.t.Fatal(err)
	}
	return in[n-1].Message
}

// answers scripts the next answer of the model.
func (w *world) answers(notes ...string) {
	w.model.Push(llmtest.Step{Text: `{"notes":[` + strings.Join(notes, ",") + `]}`})
}

// note is one of an answer; its text is what is quoted.
func note(handle, quote, slot string, replaces ...string) string {
	area, slug, _ := strings.Cut(slot, "/")
	raw, err := json.Marshal(map[string]any{
		"message": handle, "quote": quote, "area": area, "slug": slug, "text": quote, "sensitive": false, "replaces": replaces,
	})
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// fails scripts failures of the model.
func (w *world) fails(n int, cause llm.Cause) {
	for range n {
		w.model.Push(llmtest.Step{Err: &llm.Error{Cause: cause, Provider: "llmtest"}})
	}
}

// requests are what the model was shown since they were asked for last.
func (w *world) requests() []string {
	var list []string
	for _, r := range w.model.Requests()[w.asked:] {
		list = append(list, r.Messages[0].Text)
	}
	w.asked += len(list)
	return list
}

// wantAsked checks how often the model was asked since, and that it saw some
// words then.
func (w *world) wantAsked(times int, words ...string) []string {
	w.t.Helper()
	list := w.requests()
	if len(list) != times {
		w.t.Fatalf("the model was asked %d times; want %d", len(list), times)
	}
	for _, word := range words {
		if !strings.Contains(strings.Join(list, "\n"), word) {
			w.t.Errorf("%q was not shown", word)
		}
	}
	return list
}

func (w *world) state() *memory.State {
	w.t.Helper()
	st, err := w.library.Book(w.ann).State(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return st
}

// texts are Ann's notes of some statuses, of those that a model may see if none
// are named.
func (w *world) texts(statuses ...memory.Status) []string {
	w.t.Helper()
	var list []string
	for _, n := range w.state().Select(memory.Query{Everywhere: true, Statuses: statuses}) {
		list = append(list, string(n.Status)+" "+n.Slot.String()+": "+n.Text)
	}
	slices.Sort(list)
	return list
}

func (w *world) wantNotes(want ...string) {
	w.t.Helper()
	if got := w.texts(); !slices.Equal(got, want) {
		w.t.Errorf("the notes are %q; want %q", got, want)
	}
}

func (w *world) wantWaiting(want ...string) {
	w.t.Helper()
	if got := w.texts(memory.Candidate); !slices.Equal(got, want) {
		w.t.Errorf("what waits is %q; want %q", got, want)
	}
}

// refused are the reasons of all refusals.
func (w *world) refused() []memory.Reason {
	w.t.Helper()
	ops, err := w.library.Book(w.ann).Log(w.t.Context(), "", true)
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

// mark is how far Ann's messages were read.
func (w *world) mark() int64 {
	w.t.Helper()
	through, known, err := w.ledger.Mark(w.t.Context(), w.ann, reflect.Reader)
	if err != nil || !known {
		w.t.Fatalf("no mark: %v", err)
	}
	return through
}

// owner does something by Ann's own hand.
func (w *world) owner(p memory.Proposal) {
	w.t.Helper()
	p.Writer = memory.ByCommand
	out, err := w.library.Book(w.ann).Propose(w.t.Context(), p)
	if err != nil || out[0].Refused != "" {
		w.t.Fatalf("%+v, %v", out, err)
	}
}

func (w *world) set(setting string, on bool) {
	w.t.Helper()
	time.Sleep(time.Second)
	w.owner(memory.Proposal{Do: memory.Set, Setting: setting, On: on})
	time.Sleep(time.Second)
}

// aside lists what was set aside.
func (w *world) aside() []memory.Batch {
	w.t.Helper()
	list, err := w.reflector.Aside(w.t.Context(), w.ann)
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

// failures counts those of all batches.
func (w *world) failures() int {
	w.t.Helper()
	all, err := w.ledger.Batches(w.t.Context(), w.ann)
	if err != nil {
		w.t.Fatal(err)
	}
	n := 0
	for _, b := range all {
		n += b.Failures
	}
	return n
}

var errScripted = errors.New("scripted")
