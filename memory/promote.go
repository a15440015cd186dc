package memory

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"nacre"
)

// When a note is pinned by itself, and when no more.
const (
	pinsAfter   = 3           // days on which it was recalled
	unpinsAfter = 90 * oneDay // since it was recalled last
)

// Promotion is a note that is to be pinned by itself, or no more, and why.
type Promotion struct {
	Note *Note
	Pin  bool   // or to be pinned no more
	Use  Use    // of the note
	Why  Reason // Recalled or Unused
}

// Room is the space for what is pinned.
type Room struct {
	Budget int             // characters
	Size   func(*Note) int // how many of them a note takes
}

// Promotions finds the private notes that are to be always at hand, or not any
// more. It is pure.
//
// A note is pinned that was recalled on three days and within the last 90, if it
// is no guess from one message, touches nothing sensitive, and nothing that waits
// for the owner contradicts it; the most recalled first, as long as there is room.
// One that was pinned so is unpinned after 90 days without. What the owner
// decided about pinning a note, also by taking it back, holds for ever: what they
// pinned stays and takes its room, and what they unpinned only they pin again.
func Promotions(s *State, use map[nacre.NoteID]Use, now time.Time, zone *time.Location, room Room) []Promotion {
	var list, ready []Promotion
	left, doubted := room.Budget, s.doubted()
	for _, n := range s.Select(Query{Now: now}) {
		p := Promotion{Note: n, Pin: !n.Pinned, Use: use[n.ID], Why: Recalled}
		recent := p.Use.within(unpinsAfter, now.In(zone))
		switch {
		case n.Pinned && n.idle(p.Use, now.In(zone)):
			p.Why = Unused
			list = append(list, p)
		case n.Pinned:
			left -= room.Size(n)
		case recent && p.Use.Days >= pinsAfter && n.deserving() && !doubted[n.ID]:
			ready = append(ready, p)
		}
	}
	slices.SortStableFunc(ready, func(a, b Promotion) int {
		return cmp.Or(cmp.Compare(b.Use.Days, a.Use.Days), strings.Compare(b.Use.Last, a.Use.Last))
	})
	for _, p := range ready {
		if size := room.Size(p.Note); size <= left {
			left -= size
			list = append(list, p)
		}
	}
	return list
}

// deserving reports whether a note may be pinned by itself at all.
func (n *Note) deserving() bool {
	return (n.Status == Observed || n.Status == Stated) && n.Topic == "" && !n.Held
}

// idle reports whether a note that was pinned by itself is not needed any more.
func (n *Note) idle(u Use, now time.Time) bool {
	if n.Held || !n.PinnedBy.automatic() {
		return false
	}
	if u.Last == "" {
		u.Last = n.PinnedAt.In(now.Location()).Format(time.DateOnly)
	}
	return !u.within(unpinsAfter, now)
}

// doubted are the notes that something contradicts which waits for the owner.
func (s *State) doubted() map[nacre.NoteID]bool {
	doubted := map[nacre.NoteID]bool{}
	for _, n := range s.notes {
		if n.Status == Candidate && n.Against != "" {
			doubted[n.Against] = true
		}
	}
	return doubted
}

// Promotions finds what Promote would do now, for people to look at.
func (b *Book) Promotions(ctx context.Context, now time.Time, room Room) ([]Promotion, error) {
	s, err := b.State(ctx)
	if err != nil {
		return nil, err
	}
	use, err := b.lib.log.Use(ctx, b.owner)
	if err != nil {
		return nil, err
	}
	return Promotions(s, use, now, b.zone(), room), nil
}

// Promote pins and unpins what Promotions finds, each as a decision of its own,
// and returns what was done. It is called once an hour.
func (b *Book) Promote(ctx context.Context, now time.Time, room Room) ([]Promotion, error) {
	use, err := b.lib.log.Use(ctx, b.owner)
	if err != nil {
		return nil, err
	}
	defer b.borrow()()
	var list []Promotion
	outcomes, err := b.conclude(ctx, &decision{apart: true, choose: func(s *State) []Proposal {
		list = Promotions(s, use, now, b.zone(), room)
		return proposed(list)
	}})
	if err != nil {
		return nil, err
	}
	done := list[:0]
	for i, o := range outcomes {
		if o.Refused == "" && !o.Same {
			done = append(done, list[i])
		}
	}
	return done, nil
}

func proposed(list []Promotion) []Proposal {
	proposals := make([]Proposal, len(list))
	for i, p := range list {
		do := UnpinNote
		if p.Pin {
			do = PinNote
		}
		proposals[i] = Proposal{Writer: ByRepair, Scope: p.Note.Slot.Scope, Do: do, Note: p.Note.ID, Why: p.Why}
	}
	return proposals
}
