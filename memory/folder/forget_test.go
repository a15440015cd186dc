package folder

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre/memory"
)

// forget forgets a note through the Book, which calls Forgotten.
func (w *world) forget(size memory.Size, note *memory.Note) memory.Receipt {
	w.t.Helper()
	f := memory.Forgetting{Writer: memory.ByCommand, Size: size}
	if note != nil {
		f.Note = note.ID
	}
	book := w.library.Book(owner)
	plan, err := book.Plan(w.ctx, f)
	if err != nil {
		w.t.Fatal(err)
	}
	receipt, err := book.Forget(w.ctx, plan)
	if err != nil {
		w.t.Fatal(err)
	}
	return receipt
}

// everywhere is all that the folder holds.
func (w *world) everywhere() string {
	w.t.Helper()
	var all strings.Builder
	for _, dir := range []string{"", "prompts/"} {
		list, err := os.ReadDir(w.path(dir))
		if err != nil {
			w.t.Fatal(err)
		}
		for _, e := range list {
			if !e.IsDir() {
				all.WriteString(e.Name() + w.read(dir+e.Name()))
			}
		}
	}
	return all.String()
}

func TestForgottenIsGoneBeforeTheReceipt(t *testing.T) {
	for _, size := range []memory.Size{memory.SizeNote, memory.SizeSaid} {
		t.Run(string(size), func(t *testing.T) {
			w := newWorld(t)
			w.remember(bike, "people/dog: The dog is called Zqxkiko.")
			w.open()
			w.write(".nacre-1.tmp", "Zqxkiko") // of a process that died
			if !strings.Contains(w.everywhere(), "Zqxkiko") {
				t.Fatal("the note was never there")
			}
			if r := w.forget(size, w.note(memory.People, "dog")); len(r.Pending)+len(r.Prose) > 0 {
				t.Errorf("pending %q, prose %q", r.Pending, r.Prose)
			}
			if all := w.everywhere(); strings.Contains(all, "Zqxkiko") || !strings.Contains(all, "green bike") {
				t.Errorf("the folder holds\n%s", all)
			}
			if got := w.sync(); len(got) > 0 {
				t.Errorf("reports %v", got)
			}
		})
	}
}

// TestForgottenInProse is the owner's own to cut, until they say that we may.
func TestForgottenInProse(t *testing.T) {
	w := newWorld(t)
	w.remember(bike)
	w.propose(memory.Proposal{Writer: memory.ByCommand, Do: memory.Learn, Draft: memory.Draft{Area: memory.People, Slug: "dog", Text: "The dog is called Zqxkiko.", Entities: []string{"Zqxkiko"}}})
	w.open()
	w.edit("# Memory\n", "# Memory\n\nWalk Zqxkiko at noon. Water the plants.\n")
	w.write(Soul, "Ask about Zqxkiko.")
	w.sync()
	dog := w.note(memory.People, "dog")
	needle := &memory.Needle{Marks: []string{"zqxkiko"}}
	r := w.forget(memory.SizeSaid, dog)
	if !slices.Equal(r.Prose, []string{Memory, Soul}) || len(r.Pending) > 0 {
		t.Errorf("prose %q, pending %q", r.Prose, r.Pending)
	}
	if text := w.read(Memory); !strings.Contains(text, "Walk Zqxkiko at noon. Water the plants.\n") || strings.Count(text, "Zqxkiko") != 1 {
		t.Errorf("the file is\n%s", text)
	}

	if err := w.folder.Cut(w.ctx, owner, needle); err != nil {
		t.Fatal(err)
	}
	w.sync()
	if all := w.everywhere(); strings.Contains(all, "Zqxkiko") || !strings.Contains(all, "Water the plants.") || !strings.Contains(all, "green bike") {
		t.Errorf("the folder holds\n%s", all)
	}
	if got := w.notes(); got != bike {
		t.Errorf("memory is\n%s", got)
	}
}

func TestEverythingForgotten(t *testing.T) {
	w := newWorld(t)
	w.remember(bike)
	w.open()
	if r := w.forget(memory.SizeAll, nil); len(r.Pending)+len(r.Prose) > 0 || strings.Contains(w.everywhere(), "green") {
		t.Errorf("pending %q, the folder holds\n%s", r.Pending, w.everywhere())
	}
	w.edit("# Memory\n", "# Memory\n\nMine.\n")
	if r := w.forget(memory.SizeAll, nil); !slices.Equal(r.Prose, []string{Memory}) {
		t.Errorf("prose %q", r.Prose)
	}
	if err := w.folder.Cut(w.ctx, owner, &memory.Needle{All: true}); err != nil {
		t.Fatal(err)
	}
	if text := w.read(Memory); strings.Contains(text, "Mine.") || !strings.HasPrefix(text, "# Memory") {
		t.Errorf("the file is\n%s", text)
	}
}

// TestForgottenResemblesAnother: a note that stays is not prose.
func TestForgottenResemblesAnother(t *testing.T) {
	w := newWorld(t)
	w.remember("people/dog: The dog is called Zqxkiko.", "people/cat: The cat is called Zqxkiko too.")
	w.open()
	n := &memory.Needle{Marks: []string{"zqxkiko"}}
	if own, pending := w.folder.Forgotten(w.ctx, owner, w.state(), n); len(own)+len(pending) > 0 {
		t.Errorf("pending %q", pending)
	}
	w.edit("# Memory\n", "# Memory of Zqxkiko\n")
	if own, pending := w.folder.Forgotten(w.ctx, owner, w.state(), n); len(own) != 1 || len(pending) > 0 {
		t.Errorf("pending %q", pending)
	}
}

// TestForgottenDoesNotComeBack: a line that an editor brings back is refused,
// and the file does not keep it.
func TestForgottenDoesNotComeBack(t *testing.T) {
	w := newWorld(t)
	w.remember(bike, "people/dog: The dog is called Zqxkiko.")
	w.open()
	old := w.read(Memory)
	w.forget(memory.SizeSaid, w.note(memory.People, "dog"))
	w.write(Memory, old)
	reports := w.sync()
	if len(reports) != 1 || reports[0].What != Refused || reports[0].Reason != memory.Forgotten {
		t.Errorf("reports %v", reports)
	}
	if strings.Contains(w.everywhere(), "Zqxkiko") || w.notes() != bike {
		t.Errorf("memory is\n%s\nthe folder holds\n%s", w.notes(), w.everywhere())
	}
}

// TestForgettingWhileAFileIsWritten: what was surveyed before a forgetting is
// not written after it.
func TestForgettingWhileAFileIsWritten(t *testing.T) {
	w := newWorld(t)
	w.remember(bike, dog)
	w.open()
	h, before := w.folder.home(owner), w.state()
	s, err := w.folder.survey(w.ctx, h)
	if err != nil {
		t.Fatal(err)
	}
	w.store.files = map[string][]byte{} // as if nothing were kept
	os.Remove(w.path(Memory))           // so that the file itself tells nothing
	s.file = ""
	w.forget(memory.SizeNote, w.note(memory.People, "dog"))
	if err := w.folder.write(w.ctx, h, s, before, time.Now()); !errors.Is(err, errOvertaken) {
		t.Errorf("the error is %v", err)
	}
	if _, err := os.Stat(w.path(Memory)); err == nil {
		t.Errorf("the file is\n%s", w.read(Memory))
	}
}

// TestForgettingMeetsSync: a forgetting, for which memory keeps everybody
// waiting, and a look at the file never wait for one another, and nothing that
// was forgotten is written afterwards.
func TestForgettingMeetsSync(t *testing.T) {
	w := newWorld(t)
	w.remember(bike)
	w.open()
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				if _, err := w.folder.Sync(w.ctx, owner); err != nil {
					t.Error(err)
					return
				}
			}
		}
	}()
	for i := range 60 {
		w.remember(fmt.Sprintf("people/dog%d: Dog %d is called Zqxkiko.", i, i))
		w.forget(memory.SizeNote, w.note(memory.People, fmt.Sprintf("dog%d", i)))
		if strings.Contains(w.read(Memory), "Zqxkiko") {
			t.Errorf("after the receipt MEMORY.md is\n%s", w.read(Memory))
		}
	}
	close(stop)
	<-done
	if len(w.told) > 0 {
		t.Errorf("told %q", <-w.told)
	}
	if text := w.read(Memory); strings.Contains(text, "Zqxkiko") || !strings.Contains(text, "green") {
		t.Errorf("MEMORY.md is\n%s", text)
	}
}
