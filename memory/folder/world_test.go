package folder

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"nacre"
	"nacre/memory"
)

// utc is where everybody lives.
func utc(nacre.OwnerID) *time.Location { return time.UTC }

const owner nacre.OwnerID = "0195-owner"

// store keeps Ops and files in memory, as the ledger does on disk, so that these
// tests and the fuzz target need no SQLite.
type store struct {
	memory.Log // what is not asked for here

	mu    sync.Mutex
	ops   []memory.Op
	files map[string][]byte
	puts  int
}

func (s *store) Ops(_ context.Context, _ nacre.OwnerID, after int64, refusals bool) ([]memory.Op, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []memory.Op
	for _, o := range s.ops {
		if o.Seq > after && (refusals || o.Changes()) {
			list = append(list, o)
		}
	}
	return list, nil
}

func (s *store) Append(_ context.Context, _ nacre.OwnerID, base int64, ops []memory.Op, _ *memory.Mark) ([]memory.Op, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	version := int64(0)
	for _, o := range s.ops {
		version = max(version, o.Version)
	}
	if version != base {
		return nil, nacre.Errorf(nacre.Conflict, "memory changed")
	}
	return s.append(version, ops), nil
}

func (s *store) append(version int64, ops []memory.Op) []memory.Op {
	for i := range ops {
		o := &ops[i]
		o.Seq, o.At = int64(len(s.ops)), time.Now()
		if o.ID == "" {
			o.ID = memory.OpID(nacre.NewID(o.At))
		}
		if o.Changes() {
			version++
		}
		o.Version = version
		s.ops = append(s.ops, *o)
	}
	return ops
}

func (s *store) TombKey(nacre.OwnerID) (memory.Hash, error) { return memory.Hash{1}, nil }

func (s *store) Count(context.Context, nacre.OwnerID, *memory.Needle) (map[string]int, error) {
	return nil, nil
}

func (s *store) Erase(_ context.Context, o nacre.OwnerID, e memory.Erasure) (map[string]int, []memory.Op, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.ops {
		if slices.Contains(e.Notes, s.ops[i].Note) || e.Size == memory.SizeAll {
			s.ops[i].Payload = memory.Payload{}
		}
	}
	delete(s.files, string(o)+Memory)
	return nil, s.append(e.Base, e.Ops), nil
}

func (s *store) Sweep(context.Context, nacre.OwnerID, memory.Erasure) (memory.Swept, error) {
	return memory.Swept{}, nil
}

func (s *store) PutFile(_ context.Context, o nacre.OwnerID, name string, content []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[string(o)+name] = content
	s.puts++
	return nil
}

func (s *store) File(_ context.Context, o nacre.OwnerID, name string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	content, ok := s.files[string(o)+name]
	if !ok {
		return nil, nacre.Errorf(nacre.NotFound, "no file")
	}
	return content, nil
}

// world is an owner with a memory and a folder.
type world struct {
	t       testing.TB
	ctx     context.Context
	store   *store
	library *memory.Library
	folder  *Folder
	dir     string
	told    chan string
	changed chan struct{} // something changed memory
}

func newWorld(t testing.TB) *world { return newWorldIn(t, t.TempDir()) }

func newWorldIn(t testing.TB, data string) *world {
	w := &world{t: t, ctx: t.Context(), store: &store{files: map[string][]byte{}}, told: make(chan string, 100), changed: make(chan struct{}, 10000)}
	w.dir = filepath.Join(data, "owners", string(owner))
	w.start(data)
	return w
}

// start begins anew with what is stored, as a process does.
func (w *world) start(data string) {
	w.library = memory.NewLibrary(w.store, utc)
	w.folder = New(Options{Dir: data, Library: w.library, Ledger: w.store, Log: slog.New(slog.DiscardHandler),
		Tell: func(_ context.Context, _ nacre.OwnerID, text string) { w.told <- text }})
	w.library.Watch(memory.Hooks{Forgotten: w.folder.Forgotten, Changed: func(o nacre.OwnerID) {
		w.folder.Changed(o)
		w.changed <- struct{}{}
	}})
}

func (w *world) open() {
	w.t.Helper()
	if err := w.folder.Open(w.ctx, owner); err != nil {
		w.t.Fatal(err)
	}
}

// sync brings the folder in step and returns what became of the edits.
func (w *world) sync() []Report {
	w.t.Helper()
	reports, err := w.folder.Sync(w.ctx, owner)
	if err != nil {
		w.t.Fatal(err)
	}
	return reports
}

// remember adds notes, each "area/slug: text", as the owner does in chat.
func (w *world) remember(notes ...string) {
	w.t.Helper()
	for _, note := range notes {
		slot, text, _ := strings.Cut(note, ": ")
		area, slug, _ := strings.Cut(slot, "/")
		w.propose(memory.Proposal{Writer: memory.ByCommand, Do: memory.Learn, Draft: memory.Draft{Area: memory.Area(area), Slug: slug, Text: text}})
	}
}

func (w *world) propose(p memory.Proposal) {
	w.t.Helper()
	out, err := w.library.Book(owner).Propose(w.ctx, p)
	if err != nil || out[0].Refused != "" {
		w.t.Fatalf("%s: refused %q, error %v", p.Do, out[0].Refused, err)
	}
}

func (w *world) state() *memory.State {
	w.t.Helper()
	st, err := w.library.Book(owner).State(w.ctx)
	if err != nil {
		w.t.Fatal(err)
	}
	return st
}

func (w *world) note(area memory.Area, slug string) *memory.Note {
	w.t.Helper()
	n := w.state().Live(memory.Slot{Area: area, Slug: slug})
	if n == nil {
		w.t.Fatalf("there is no %s/%s", area, slug)
	}
	return n
}

// notes lists the live notes as "area/slug: text", with a star for pinned ones.
func (w *world) notes() string {
	w.t.Helper()
	var list []string
	for _, n := range w.state().Select(memory.Query{}) {
		line := n.Slot.String() + ": " + n.Text
		if n.Pinned {
			line += " *"
		}
		list = append(list, line)
	}
	slices.Sort(list)
	return strings.Join(list, "\n")
}

func (w *world) path(name string) string { return filepath.Join(w.dir, name) }

func (w *world) read(name string) string {
	w.t.Helper()
	raw, err := os.ReadFile(w.path(name))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(raw)
}

// write writes a file as a hand does.
func (w *world) write(name, text string) {
	w.t.Helper()
	if err := os.WriteFile(w.path(name), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// edit replaces words in MEMORY.md, all of which must be there.
func (w *world) edit(pairs ...string) {
	w.t.Helper()
	text := w.read(Memory)
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			w.t.Fatalf("%q is not in\n%s", pairs[i], text)
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	w.write(Memory, text)
}

// whats are the kinds of reports.
func whats(reports []Report) []What {
	var list []What
	for _, r := range reports {
		list = append(list, r.What)
	}
	return list
}

// pass waits for the clock's next millisecond, since the file says to the
// millisecond of when it is.
func pass(t testing.TB) {
	t.Helper()
	for start := time.Now().UnixMilli(); time.Now().UnixMilli() <= start+1; {
	}
}
