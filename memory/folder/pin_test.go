package folder

import (
	"context"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/render"
)

// Use is that of every note: it was recalled on three days.
func (s *store) Use(context.Context, nacre.OwnerID) (map[nacre.NoteID]memory.Use, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	use := map[nacre.NoteID]memory.Use{}
	for _, o := range s.ops {
		use[o.Note] = memory.Use{Days: 3, Last: time.Now().UTC().Format(time.DateOnly)}
	}
	return use, nil
}

// TestPromotedInFile holds that what is pinned by itself stands in MEMORY.md within
// its budget, beside the owner's own words, and that what a hand does about it counts.
func TestPromotedInFile(t *testing.T) {
	w := newWorld(t)
	const prose = "# Memory\n\nMy own words.\n\n"
	for i := range 60 {
		w.remember("about/thing-" + string(rune('a'+i%26)) + string(rune('a'+i/26)) + ": " + strings.Repeat("walks ", 30) + string(rune('a'+i%26)) + string(rune('a'+i/26)))
	}
	w.open()
	w.write(Memory, prose+w.read(Memory)[strings.Index(w.read(Memory), "<!--"):])
	w.sync()
	done, err := w.library.Book(owner).Promote(w.ctx, time.Now(), render.PinnedRoom())
	if err != nil || len(done) < 10 || len(done) > 30 {
		t.Fatalf("%d are promoted, %v", len(done), err)
	}
	w.sync()
	text := w.read(Memory)
	_, top, _ := strings.Cut(text, "## Pinned")
	top, _, _ = strings.Cut(top, "## About")
	if n := strings.Count(top, "\n- about/"); n != len(done) || len(top) > render.PinnedBudget || !strings.HasPrefix(text, prose) {
		t.Errorf("%d of %d stand there in %d characters; the file begins with %.40q", n, len(done), len(top), text)
	}
	first := done[0].Note
	line := "- " + first.Slot.String() + ": " + first.Text + "\n"
	w.edit(line, "", "## About\n\n", "## About\n\n"+line)
	w.sync()
	again, err := w.library.Book(owner).Promote(w.ctx, time.Now(), render.PinnedRoom())
	if n := w.note(first.Slot.Area, first.Slot.Slug); err != nil || n.Pinned || len(again) != 1 || again[0].Note.ID == first.ID {
		t.Errorf("unpinned by hand it is pinned: %v; then %d were, %v", n.Pinned, len(again), err)
	}
}

// TestPinnedLineIsCorrected holds that a line stays where a hand put it, also
// with other words.
func TestPinnedLineIsCorrected(t *testing.T) {
	w := newWorld(t)
	w.remember("about/bike: Rides a green bike.", "about/boat: Has a boat.")
	w.open()
	w.edit("## About\n\n- bike: Rides a green bike.\n", "## Pinned\n\n- about/bike: Rides a green bike.\n\n## About\n\n")
	w.sync()
	w.edit("green", "red")
	w.sync()
	if got := w.notes(); got != "about/bike: Rides a red bike. *\nabout/boat: Has a boat." {
		t.Errorf("notes are\n%s\nin\n%s", got, w.read(Memory))
	}
}
