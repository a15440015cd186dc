package keys

import (
	"slices"
	"sync"

	"nacre/memory/recall/terms"
)

// Entry is a note as it is looked for.
type Entry struct {
	Place    string   // where it stands, such as "people/dog"; unique in a Set
	Text     string   // what it says
	Abstract string   // one line of it, or empty
	Entities []string // names in it
}

// equal reports whether nothing changed.
func (e *Entry) equal(o *Entry) bool {
	return e.Place == o.Place && e.Text == o.Text && e.Abstract == o.Abstract && slices.Equal(e.Entities, o.Entities)
}

// Options are how a Set resolves cues.
type Options struct {
	Terms *terms.Analyzer // reads notes and cues, in the owners' languages; nil for one of its own
	Steps []Step          // in this order; empty for Exact and Fuzzy, see the package
}

// Match is a note that was found.
type Match struct {
	At         int     // which of the entries
	Step       Step    // that found it
	Confidence float64 // that it is the one that was meant, 0 to 1
}

// Set is the notes that somebody may see, ready for cues. It never changes, and
// may be used from many goroutines.
type Set struct {
	steps []Step
	words *terms.Analyzer
	notes []*note
	index func() *index    // made when it is first needed
	trace func() *hologram // made when it is first needed
}

// New makes the Set of some notes.
func New(entries []Entry, o Options) *Set {
	s := &Set{steps: o.Steps, words: o.Terms}
	if s.words == nil {
		s.words = terms.New(nil)
	}
	if len(s.steps) == 0 {
		s.steps = []Step{Exact, Fuzzy}
	}
	return s.Renew(entries)
}

// Renew makes a Set of other notes that resolves cues as this one does. What is
// known of the notes that are in both is used again: reading them is most of the
// work.
func (s *Set) Renew(entries []Entry) *Set {
	known := make(map[string]*note, len(s.notes))
	for _, n := range s.notes {
		known[n.Place] = n
	}
	next := &Set{steps: s.steps, words: s.words, notes: make([]*note, len(entries))}
	for i := range entries {
		if old := known[entries[i].Place]; old != nil && old.equal(&entries[i]) {
			next.notes[i] = old
		} else {
			next.notes[i] = read(s.words, entries[i])
		}
	}
	next.index = sync.OnceValue(func() *index { return newIndex(next.notes) })
	next.trace = sync.OnceValue(func() *hologram { return newHologram(next.notes) })
	return next
}
