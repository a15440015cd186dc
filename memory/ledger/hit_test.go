package ledger_test

import (
	"maps"
	"testing"

	"nacre"
)

func TestHitsAreCountedOnceADay(t *testing.T) {
	l := open(t, t.TempDir())
	who := owners(t, l, "1001", "1002")
	a, b := newNote(), newNote()
	for _, h := range []struct {
		owner nacre.OwnerID
		day   string
		notes []nacre.NoteID
	}{
		{who[0], "2026-03-01", []nacre.NoteID{a, b, a}},
		{who[0], "2026-03-01", []nacre.NoteID{a}},
		{who[0], "2026-03-02", []nacre.NoteID{a}},
		{who[0], "2026-03-03", nil},
		{who[1], "2026-03-04", []nacre.NoteID{a}},
	} {
		if err := l.Hit(ctx, h.owner, h.day, h.notes); err != nil {
			t.Fatal(err)
		}
	}
	for owner, want := range map[nacre.OwnerID]map[nacre.NoteID]int{who[0]: {a: 2, b: 1}, who[1]: {a: 1}, "nobody": {}} {
		if got, err := l.Hits(ctx, owner); err != nil || !maps.Equal(got, want) {
			t.Errorf("got %v, %v; want %v", got, err, want)
		}
	}
}
