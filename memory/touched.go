package memory

import (
	"slices"
	"time"

	"nacre"
)

// Since is when memory first changed; zero if it never did.
func (s *State) Since() time.Time {
	if len(s.ops) == 0 {
		return time.Time{}
	}
	return s.ops[0].At
}

// Touched are the notes that are different, or new, since a version. Known is
// false where that cannot be told: what was taken back or erased changes what
// others said before, and a version that is not of this memory is before nothing.
func (s *State) Touched(version int64) (notes map[nacre.NoteID]bool, known bool) {
	if version <= 0 || version > s.Version {
		return nil, false
	}
	notes = map[nacre.NoteID]bool{}
	for _, o := range slices.Backward(s.ops) {
		if o.Version <= version {
			break
		}
		if o.Kind == Undo || o.Kind == Erase {
			return nil, false
		}
		for _, id := range []nacre.NoteID{o.Note, o.Payload.Replaces} {
			if id != "" {
				notes[id] = true
			}
		}
	}
	return notes, true
}
