package memory

import (
	"cmp"
	"slices"
	"time"

	"nacre"
)

// How long memory waits before it tidies by itself.
const (
	fadesAfter   = 60 * oneDay // a passing remark, since it was last said, recalled or changed
	decideWithin = 30 * oneDay // the owner, on what waits for them

	oneDay = 24 * time.Hour
)

// MaxArchive bounds the bytes of text of an owner's notes that are archived or
// rejected. Beyond it the oldest are erased.
const MaxArchive = MaxLive

// Tidying is what would put a memory in order.
type Tidying struct {
	Proposals []Proposal // ByRepair, each to be decided by itself
	Prune     []Pruning  // once those are carried out
}

// Pruning is a note whose words are to be erased, though nobody wants it
// forgotten.
type Pruning struct {
	Note nacre.NoteID
	Why  Reason // Undecided or Trimmed
}

// Tidy finds what is to be archived or erased by rules alone, in all scopes and
// whether sensitive topics are on or off. It is pure, and finds nothing more once
// what it found was done.
//
// Archived is what expired, what repeats a stronger note, and what faded: plans
// that rest on one message, and inferred notes without any detail, if for 60 days
// they were neither said again nor recalled nor changed. A plan fades only when
// its day is over. What the owner stated is never touched, what they pinned at
// most expires, and what they brought back from such an archiving stays.
//
// Nothing of this learns anything, so it is done also while saving is off.
func Tidy(s *State, use map[nacre.NoteID]Use, now time.Time, zone *time.Location) Tidying {
	t := tidier{s: s, use: use, now: now, zone: zone, past: s.past(), why: map[*Note]Reason{}}
	t.findOld()
	t.findTwins()
	var found Tidying
	for _, n := range s.notes {
		if why := t.why[n]; why != "" {
			found.Proposals = append(found.Proposals, Proposal{Writer: ByRepair, Scope: n.Slot.Scope, Do: Archive, Note: n.ID, Why: why})
		}
	}
	found.Prune = append(t.undecided(), t.trimmed()...)
	return found
}

// tidier is a Tidying in the making.
type tidier struct {
	s    *State
	use  map[nacre.NoteID]Use
	now  time.Time
	zone *time.Location
	past past
	why  map[*Note]Reason // of those that are to be archived
}

// may reports whether a note may be archived by itself.
func (t *tidier) may(n *Note) bool {
	return n.Status.Live() && n.Status != Stated && !t.past.overruled[n.ID]
}

// findOld finds what expired or faded.
func (t *tidier) findOld() {
	for _, n := range t.s.notes {
		switch {
		case !t.may(n):
		case n.expired(t.now):
			t.why[n] = Expired
		case !n.Pinned && n.passing() && t.faded(n):
			t.why[n] = Unrepeated
		}
	}
}

// passing reports whether a note is one that fades: inferred, and either a plan
// from one message or a fact without any detail.
func (n *Note) passing() bool {
	if n.Origin != FromInference {
		return false
	}
	if n.Kind == KindPlan {
		return !slices.ContainsFunc(n.Evidence, func(e Evidence) bool { return e.Message != n.Evidence[0].Message })
	}
	return (n.Kind == "" || n.Kind == KindFact) && len(n.Entities) == 0 &&
		n.Event.IsZero() && n.Valid.From.IsZero() && n.Valid.To.IsZero() && n.Expires.IsZero()
}

// faded reports whether nobody came back to a note.
func (t *tidier) faded(n *Note) bool {
	last := n.Recorded.From
	for _, at := range []time.Time{t.past.touched[n.ID], newest(n.Evidence), n.Event.End()} {
		if at.After(last) {
			last = at
		}
	}
	return t.now.Sub(last) >= fadesAfter && !t.use[n.ID].within(fadesAfter, t.now.In(t.zone))
}

// undecided finds the candidates that waited too long. Being put back to waiting
// by an undo begins their time anew.
func (t *tidier) undecided() []Pruning {
	var list []Pruning
	for _, n := range t.s.notes {
		if n.Status == Candidate && t.now.Sub(t.past.touched[n.ID]) >= decideWithin {
			list = append(list, Pruning{n.ID, Undecided})
		}
	}
	return list
}

// trimmed finds the oldest notes of an archive that is too large, with those that
// come into it now.
func (t *tidier) trimmed() []Pruning {
	var old []*Note
	size := 0
	for _, n := range t.s.notes {
		kept := n.Status == Archived || n.Status == Rejected
		if kept {
			old = append(old, n)
		}
		if kept || t.why[n] != "" {
			size += len(n.Text)
		}
	}
	slices.SortStableFunc(old, func(a, b *Note) int {
		return cmp.Or(a.Recorded.To.Compare(b.Recorded.To), a.Recorded.From.Compare(b.Recorded.From))
	})
	var list []Pruning
	for i := 0; size > MaxArchive && i < len(old); i++ {
		size -= len(old[i].Text)
		list = append(list, Pruning{old[i].ID, Trimmed})
	}
	return list
}
