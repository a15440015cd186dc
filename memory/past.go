package memory

import (
	"time"

	"nacre"
)

// SavedAt reports whether what was said at an instant was to be remembered: the
// owner had not stopped it.
func (s *State) SavedAt(at time.Time) bool { return s.OnAt(Saving, at) }

// OnAt reports a setting of memory as it was at an instant. One that was taken
// back later counts until then.
func (s *State) OnAt(setting string, at time.Time) bool {
	var ops []*Op
	for _, o := range s.ops {
		if (o.Kind == Switch && o.Payload.Setting == setting || o.Kind == Undo) && !o.At.After(at) {
			ops = append(ops, o)
		}
	}
	gone, then := undone(ops), State{settings: map[string]bool{}}
	for _, o := range ops {
		if o.Kind == Switch && !gone[o.ID] {
			then.settings[setting] = o.Payload.On
		}
	}
	return then.On(setting)
}

// past is what happened to notes, beyond what they are now.
type past struct {
	touched   map[nacre.NoteID]time.Time // when anything did last
	overruled map[nacre.NoteID]bool      // the owner took back that it was archived by itself
}

func (s *State) past() past {
	p := past{map[nacre.NoteID]time.Time{}, map[nacre.NoteID]bool{}}
	gone, of := undone(s.ops), map[OpID]*Op{}
	for _, o := range s.ops {
		p.touched[o.Note] = o.At
		if gone[o.ID] {
			of[o.ID] = o
		}
		for _, id := range o.Payload.Undoes {
			if was := of[id]; was != nil {
				p.touched[was.Note] = o.At
				p.overruled[was.Note] = p.overruled[was.Note] || was.Kind == Settle && was.Writer == ByRepair
			}
		}
	}
	return p
}
