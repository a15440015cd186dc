package memory

import (
	"maps"
	"slices"
	"time"

	"nacre"
)

// Fold applies Ops, in order, to a State. It is pure: the same Ops give the same
// State, in one go or one by one.
func Fold(s *State, ops ...Op) *State {
	var list []*Op
	all := false
	for i := range ops {
		if ops[i].Changes() {
			list = append(list, &ops[i])
			all = all || ops[i].Kind == Undo || ops[i].Kind == Erase
		}
	}
	switch {
	case len(list) == 0:
		return s
	case all || s.Version == 0:
		return foldAll(append(slices.Clip(s.ops), list...))
	}
	next := &State{Urgent: s.Urgent, notes: slices.Clone(s.notes), at: s.at.fork(),
		tombs: s.tombs, revoked: s.revoked, settings: s.settings, ops: append(slices.Clip(s.ops), list...)}
	next.apply(list, nil)
	return next
}

// foldAll folds a whole history, in which some Ops take others back and some
// erase what others said.
func foldAll(ops []*Op) *State {
	s := NewState()
	s.at = index{recent: make(map[nacre.NoteID]int, len(ops))}
	s.ops = scrubbed(ops)
	s.apply(s.ops, undone(s.ops))
	s.at = index{old: s.at.recent}
	return s
}

// scrubbed is a history without the words of what is erased, which may have been
// read before. An Erase of everything takes what was said until then.
func scrubbed(ops []*Op) []*Op {
	erased, until := map[nacre.NoteID]bool{}, 0
	for i, o := range ops {
		if o.Kind == Erase {
			erased[o.Note] = o.Note != ""
		}
		if o.Kind == Erase && o.Reason == Everything {
			until = i
		}
	}
	if len(erased) == 0 {
		return ops
	}
	for i, o := range ops {
		switch {
		case i < until:
			ops[i] = o.bare(nil)
		case o.Kind != Erase && erased[o.Note]:
			ops[i] = o.bare(o.Payload.Undoes) // which are ids alone
		}
	}
	return ops
}

// bare is an Op without its words.
func (o Op) bare(undoes []OpID) *Op {
	o.Payload = Payload{Undoes: undoes}
	return &o
}

// apply does what Ops say, but for those that are taken back.
func (s *State) apply(ops []*Op, gone map[OpID]bool) {
	own := owned{s: s}
	for _, o := range ops {
		s.Version = o.Version
		if o.urgent(s) {
			s.Urgent = o.Version
		}
		switch {
		case !gone[o.ID]:
			own.apply(o)
		case o.Kind == Add || o.Kind == Revise:
			own.shelve(o)
		case (o.Kind == Pin || o.Kind == Unpin) && o.Writer.automatic():
			own.change(o, func(n *Note) { n.Held = true })
		}
	}
}

// urgent reports whether prompts must show an Op at once: what the owner
// said or did, and any removal. What came in the background waits.
func (o *Op) urgent(s *State) bool {
	switch o.Kind {
	case Revise, Undo, Switch:
		return true
	case Erase:
		return o.Reason != Undecided // which no prompt ever held
	case Add, Support:
		return o.Payload.Status == Stated
	case Settle:
		n := s.Note(o.Note)
		return o.Payload.Status.Live() || n != nil && n.Status.Live()
	}
	return false
}

// owned is a State in the making, and which parts of it are its own and not
// shared with the one before.
type owned struct {
	s               *State
	tombs, settings bool
	notes           map[*Note]bool
}

func (w *owned) apply(o *Op) {
	p := &o.Payload
	switch o.Kind {
	case Add, Revise:
		w.add(o)
	case Support:
		w.change(o, func(n *Note) {
			n.Evidence = append(slices.Clip(n.Evidence), p.Evidence...)
			n.settle(o, p.Status)
		})
	case Settle:
		w.change(o, func(n *Note) { n.decide(o, p.Status) })
		w.supersede(o)
	case Erase:
		w.change(o, func(n *Note) {
			*n = Note{ID: n.ID, Status: Erased, Recorded: Time{n.Recorded.From, o.At}, Decided: o.Writer}
		})
	case Pin, Unpin:
		w.change(o, func(n *Note) { n.pin(o) })
	case Switch:
		w.set(p.Setting, p.On)
	}
	if p.Tomb != nil || len(p.Revoked)+len(p.Lifts) > 0 {
		w.bury(o)
	}
}

func (w *owned) add(o *Op) {
	n := &Note{ID: o.Note, Status: Erased, Recorded: Time{From: o.At}, Decided: o.Writer}
	if p := &o.Payload; p.Body != nil {
		n.Body, n.Status, n.Evidence, n.Replaces, n.Against = *p.Body, p.Status, p.Evidence, p.Replaces, p.Against
		n.lazy = &lazyForm{}
		if n.Status == Candidate {
			n.Waits = o.Reason
		}
	}
	w.s.at.recent[n.ID] = len(w.s.notes)
	w.s.notes = append(w.s.notes, n)
	w.own(n)
	w.supersede(o)
}

// shelve puts a note whose making was taken back into the archive, so that it
// can be brought back, and found when something is forgotten.
func (w *owned) shelve(o *Op) {
	bare := *o
	bare.Payload.Replaces, bare.Payload.Against = "", ""
	w.add(&bare)
	w.change(o, func(n *Note) {
		n.settle(o, Archived)
	})
}

// supersede archives the note in whose place the Op's note is now, which takes
// over what the owner decided about pinning it.
func (w *owned) supersede(o *Op) {
	old := w.s.Note(o.Payload.Replaces)
	if old == nil || old.ID == o.Note {
		return
	}
	was, o2 := *old, *o
	o2.Note = was.ID
	w.change(&o2, func(n *Note) {
		n.decide(o, Archived)
		n.ReplacedBy = o.Note
	})
	w.change(o, func(n *Note) {
		if n.Replaces = was.ID; was.Held && !n.Held {
			n.Pinned, n.PinnedBy, n.PinnedAt, n.Held = was.Pinned, was.PinnedBy, was.PinnedAt, true
		}
	})
}

// decide is settle, and keeps in mind what the note was before the owner's hand
// decided.
func (n *Note) decide(o *Op, to Status) {
	was := n.Status
	if n.settle(o, to); o.Writer.Owner() {
		n.was = was
	}
}

// settle gives a note another status; none leaves it.
func (n *Note) settle(o *Op, to Status) {
	if to == "" {
		return
	}
	n.Status, n.Decided, n.Waits, n.Recorded.To, n.was = to, o.Writer, "", Time{}.To, ""
	switch {
	case to == Archived || to == Rejected:
		n.Recorded.To = o.At
		n.Pinned, n.PinnedBy, n.PinnedAt = false, "", time.Time{}
	case to.Live():
		n.Against, n.ReplacedBy = "", ""
	}
}

// pin pins a note, or does so no more.
func (n *Note) pin(o *Op) {
	n.Pinned, n.PinnedBy, n.PinnedAt, n.Held = o.Kind == Pin, "", time.Time{}, !o.Writer.automatic()
	if n.Pinned {
		n.PinnedBy, n.PinnedAt = o.Writer, o.At
	}
}

// change changes a copy of a note, unless it is this State's own.
func (w *owned) change(o *Op, how func(*Note)) {
	i, ok := w.s.at.find(o.Note)
	if !ok || w.s.notes[i].Status == Erased {
		return
	}
	n := w.s.notes[i]
	if !w.notes[n] {
		copied := *n
		n = &copied
		w.s.notes[i] = n
		w.own(n)
	}
	how(n)
}

func (w *owned) own(n *Note) {
	if w.notes == nil {
		w.notes = map[*Note]bool{}
	}
	w.notes[n] = true
}

func (w *owned) set(name string, on bool) {
	if !w.settings {
		w.s.settings, w.settings = maps.Clone(w.s.settings), true
	}
	w.s.settings[name] = on
}

// bury puts up a tombstone, revokes messages and lifts tombstones.
func (w *owned) bury(o *Op) {
	if !w.tombs {
		w.s.tombs, w.s.revoked, w.tombs = maps.Clone(w.s.tombs), maps.Clone(w.s.revoked), true
	}
	if o.Payload.Tomb != nil {
		w.s.tombs[o.ID] = o.Payload.Tomb
	}
	for _, m := range o.Payload.Revoked {
		w.s.revoked[m] = true
	}
	for _, id := range o.Payload.Lifts {
		delete(w.s.tombs, id)
	}
}
