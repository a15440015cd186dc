package memory

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"nacre"
)

// State is everything that is believed of one Owner, as of one version. It never
// changes; Fold makes another.
type State struct {
	Version int64 // of the newest Op that changed something; 0 for none
	Urgent  int64 // of the newest one that prompts must show at once; see urgent

	notes    []*Note // oldest first
	at       index
	tombs    map[OpID]*Tombstone // those that count
	revoked  map[nacre.MessageID]bool
	settings map[string]bool
	ops      []*Op // that changed something, oldest first; what is erased without its words
}

// NewState is the memory of somebody who has said nothing yet.
func NewState() *State {
	return &State{tombs: map[OpID]*Tombstone{}, revoked: map[nacre.MessageID]bool{}, settings: map[string]bool{}}
}

// Note returns a note of any status and scope, nil if there is none. It is for
// the owner's own eyes, and for those who decide.
func (s *State) Note(id nacre.NoteID) *Note {
	if i, ok := s.at.find(id); ok {
		return s.notes[i]
	}
	return nil
}

// index says where a note stands, which never changes. Most of it is shared
// with the States before.
type index struct{ old, recent map[nacre.NoteID]int }

// maxRecent bounds what each new State copies.
const maxRecent = 256

func (x index) find(id nacre.NoteID) (int, bool) {
	if i, ok := x.recent[id]; ok {
		return i, true
	}
	i, ok := x.old[id]
	return i, ok
}

// fork is an index of its own with room for more.
func (x index) fork() index {
	if len(x.recent) < maxRecent {
		return index{x.old, cloned(x.recent)}
	}
	old := cloned(x.old)
	maps.Copy(old, x.recent)
	return index{old, map[nacre.NoteID]int{}}
}

func cloned(m map[nacre.NoteID]int) map[nacre.NoteID]int {
	if m == nil {
		return map[nacre.NoteID]int{}
	}
	return maps.Clone(m)
}

// Live returns the live note of a slot, nil if there is none.
func (s *State) Live(slot Slot) *Note {
	for _, n := range s.notes {
		if n.Status.Live() && n.Slot == slot {
			return n
		}
	}
	return nil
}

// On reports a setting of memory.
func (s *State) On(setting string) bool {
	on, said := s.settings[setting]
	return on || !said && setting == Saving
}

// Revoked reports whether a message supports nothing new any more.
func (s *State) Revoked(id nacre.MessageID) bool { return s.revoked[id] }

// Tombstones counts the forgotten and rejected values that are remembered as
// such.
func (s *State) Tombstones() int { return len(s.tombs) }

// rejections are the Ops that put up a tombstone when a note was rejected, as far
// as it counts. They go with the note, so that whatever erases it puts up another.
func (s *State) rejections(id nacre.NoteID) []OpID {
	var list []OpID
	for _, o := range s.ops {
		if o.Note == id && s.tombs[o.ID] != nil {
			list = append(list, o.ID)
		}
	}
	return list
}

// Versions lists a note, the notes that it corrected and those that corrected
// it, oldest first.
func (s *State) Versions(id nacre.NoteID) []*Note {
	n := s.Note(id)
	if n == nil {
		return nil
	}
	list := []*Note{n}
	for o := s.Note(n.Replaces); o != nil && !slices.Contains(list, o); o = s.Note(o.Replaces) {
		list = slices.Insert(list, 0, o)
	}
	for o := s.Note(n.ReplacedBy); o != nil && !slices.Contains(list, o); o = s.Note(o.ReplacedBy) {
		list = append(list, o)
	}
	return list
}

// size is how many bytes of text the live notes have together.
func (s *State) size() int {
	n := 0
	for _, note := range s.notes {
		if note.Status.Live() {
			n += len(note.Text)
		}
	}
	return n
}

// lastAct returns the Ops of the newest decision that was not taken back, and
// nil if there is none. What nobody can read any more is nobody's to take back, nor
// is its having been pruned.
func (s *State) lastAct() []*Op {
	undone := undone(s.ops)
	for i := len(s.ops) - 1; i >= 0; i-- {
		o := s.ops[i]
		if o.Kind == Undo || undone[o.ID] || o.Payload.V == 0 || o.prunes() {
			continue
		}
		from := i
		for act := o.Payload.Act; act != "" && from > 0 && s.ops[from-1].Payload.Act == act; {
			from--
		}
		return s.ops[from : i+1]
	}
	return nil
}

// undone are the Ops that count no more.
func undone(ops []*Op) map[OpID]bool {
	var gone map[OpID]bool
	for i := range ops {
		for _, id := range ops[i].Payload.Undoes {
			if gone == nil {
				gone = map[OpID]bool{}
			}
			gone[id] = true
		}
	}
	return gone
}

// equal reports whether two States believe the same.
func (s *State) equal(o *State) bool {
	type face struct {
		Version, Urgent int64
		Notes           []*Note
		Tombs           map[OpID]*Tombstone
		Revoked         map[nacre.MessageID]bool
		Settings        map[string]bool
	}
	mine, err := json.Marshal(face{s.Version, s.Urgent, s.notes, s.tombs, s.revoked, s.settings})
	theirs, err2 := json.Marshal(face{o.Version, o.Urgent, o.notes, o.tombs, o.revoked, o.settings})
	return err == nil && err2 == nil && bytes.Equal(mine, theirs)
}
