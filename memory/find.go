package memory

import (
	"cmp"
	"slices"
	"strings"

	"nacre/memory/canon"
)

// maxSought bounds the words of a search.
const maxSought = 24

// Find ranks the notes that have all of some words, each perhaps as a part of
// another, and returns at most so many: those first in which the words stand whole
// or begin others, and in the name of the note; then what is believed, the surest
// and the newest. Case, accents and punctuation make no difference. It is for
// people who type, so that the last word may be a beginning.
func Find(notes []*Note, words string, most int) []*Note {
	sought := strings.Fields(canon.Unaccented(words))
	sought = sought[:min(maxSought, len(sought))]
	if len(sought) == 0 {
		return nil
	}
	type hit struct {
		*Note
		worth int
	}
	var hits []hit
	for _, n := range notes {
		if worth := n.face().worth(sought); worth > 0 {
			hits = append(hits, hit{n, worth})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.worth, a.worth), cmp.Compare(b.sureness(), a.sureness()), b.Recorded.From.Compare(a.Recorded.From))
	})
	found := make([]*Note, min(most, len(hits)))
	for i := range found {
		found[i] = hits[i].Note
	}
	return found
}

// face is a note as people look for it: its words without case, accents and
// punctuation, with a space before and behind each.
type face struct{ place, words string }

// face is made once for all copies of the note.
func (n *Note) face() face {
	if n.lazy == nil {
		return n.newFace()
	}
	n.lazy.read.Do(func() { n.lazy.face = n.newFace() })
	return n.lazy.face
}

func (n *Note) newFace() face {
	said := append([]string{n.Text, n.Abstract}, n.Entities...)
	return face{" " + canon.Unaccented(n.Slot.String()) + " ", " " + canon.Unaccented(strings.Join(said, "\n")) + " "}
}

// What a word of a search is worth, by how it stands in a note.
const (
	inside = 1 // in the middle of a word, as in writing without spaces
	begins = 3
	whole  = 4
	named  = 1 // besides, in the name of the note
)

// worth is how well a note has all of some words; 0 if it lacks one.
func (f face) worth(sought []string) int {
	sum := 0
	for _, w := range sought {
		in, name := stands(f.words, w), stands(f.place, w)
		if name > 0 {
			name += named
		}
		if in == 0 && name == 0 {
			return 0
		}
		sum += max(in, name)
	}
	return sum
}

// stands is how a word stands in a text; 0 for not at all.
func stands(text, word string) int {
	switch {
	case !strings.Contains(text, word):
		return 0
	case strings.Contains(text, " "+word+" "):
		return whole
	case strings.Contains(text, " "+word):
		return begins
	}
	return inside
}

// sureness orders notes of any status by how far they are believed.
func (n *Note) sureness() int {
	return slices.Index([]Status{Rejected, Archived, Candidate, Tentative, Observed, Stated}, n.Status)
}
