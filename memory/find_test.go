package memory

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"nacre"
)

// found are the ids of notes.
func found(notes []*Note) (ids []nacre.NoteID) {
	for _, n := range notes {
		ids = append(ids, n.ID)
	}
	return ids
}

func TestFind(t *testing.T) {
	now := time.Now()
	note := func(id nacre.NoteID, slug, text string, s Status, age time.Duration) *Note {
		return &Note{ID: id, Status: s, Recorded: Time{From: now.Add(-age)}, Body: Body{Slot: Slot{Area: About, Slug: slug}, Text: text}}
	}
	notes := []*Note{
		note("bike", "bike", "It is green.", Stated, time.Hour),
		note("old", "ride", "The bike was red.", Archived, 0),
		note("new", "way", "By bike to the office.", Stated, 0),
		note("sure", "way-2", "By bike to the lake.", Stated, time.Hour),
		note("once", "way-3", "By bike to the sea.", Tentative, 0),
		note("bikes", "shed", "Three bikes stand there.", Stated, 0),
		note("motor", "garage", "A motorbike.", Stated, 0),
		note("zürich", "home", "Wohnt in Zürich, seit 2019.", Stated, 0),
		note("car", "transport", "自転車で通勤する。", Stated, 0),
	}
	notes[0].Entities, notes[0].Abstract = []string{"Peugeot"}, "The green one"
	for _, c := range []struct {
		words string
		most  int
		want  []nacre.NoteID
	}{
		{"bike", 9, []nacre.NoteID{"bike", "new", "sure", "once", "old", "bikes", "motor"}},
		{"bike", 2, []nacre.NoteID{"bike", "new"}},
		{"BIKE of", 9, []nacre.NoteID{"new"}},
		{"about/bike", 9, []nacre.NoteID{"bike", "new", "sure", "once", "old", "bikes", "motor"}},
		{"zurich", 9, []nacre.NoteID{"zürich"}},
		{"zü", 9, []nacre.NoteID{"zürich"}},
		{"転車", 9, []nacre.NoteID{"car"}},
		{"peug", 9, []nacre.NoteID{"bike"}},
		{"green one", 9, []nacre.NoteID{"bike"}},
		{"bike submarine", 9, nil},
		{"", 9, nil},
		{" ,./- ", 9, nil},
	} {
		if got := found(Find(notes, c.words, c.most)); !slices.Equal(got, c.want) {
			t.Errorf("%q finds %v, want %v", c.words, got, c.want)
		}
	}
}

// A search is asked with every key that is pressed.
func BenchmarkFind(b *testing.B) {
	notes := make([]*Note, 5000)
	for i := range notes {
		notes[i] = &Note{Status: Stated, lazy: &lazyForm{}, Body: Body{Slot: Slot{Area: About, Slug: fmt.Sprint("bike-", i)},
			Text: fmt.Sprintf("The blue bicycle number %d stands behind the house in Zürich since the %d of May.", i, i%28+1)}}
	}
	Find(notes, "warm", 1)
	for b.Loop() {
		if len(Find(notes, "bicycle zürich ma", 50)) != 50 {
			b.Fatal("not found")
		}
	}
}
