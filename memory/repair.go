package memory

import (
	"context"
	"time"

	"nacre"
)

// Repaired counts by reason the notes that were put in order.
type Repaired map[Reason]int

// repairedAtOnce bounds how much is decided, or erased, in one transaction.
const repairedAtOnce = 100

// Repair puts memory in order by rules alone: it does what Tidy finds. It is
// called once an hour, and asks no model. An error leaves done what was done
// before it.
func (b *Book) Repair(ctx context.Context, now time.Time) (Repaired, error) {
	done := Repaired{}
	use, err := b.lib.log.Use(ctx, b.owner)
	if err != nil {
		return done, err
	}
	defer b.borrow()()
	find := func(s *State) Tidying { return Tidy(s, use, now, b.zone()) }
	if err := b.archive(ctx, find, done); err != nil {
		return done, err
	}
	return done, b.prune(ctx, find, done)
}

// borrow is called by what looks at the memory of every owner in turn: what it
// reads is let go of again by the function that it returns, unless somebody had
// read it before.
func (b *Book) borrow() (giveBack func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.state != nil {
		return func() {}
	}
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.state = nil
	}
}

// archive carries out what a Tidying proposes.
func (b *Book) archive(ctx context.Context, find func(*State) Tidying, done Repaired) error {
	for more := true; more; {
		d := &decision{apart: true, choose: func(s *State) []Proposal {
			list := find(s).Proposals
			return list[:min(len(list), repairedAtOnce)]
		}}
		outcomes, err := b.conclude(ctx, d)
		if err != nil {
			return err
		}
		more = false
		for i, o := range outcomes {
			if o.Refused == "" && !o.Same {
				done[d.proposals[i].Why]++
				more = len(outcomes) == repairedAtOnce
			}
		}
	}
	return nil
}

// prune erases the notes of which a Tidying says so: nothing of their words can
// be read any more, but no tombstone keeps anybody from saying the same again, and
// the messages that they rest on stay.
func (b *Book) prune(ctx context.Context, find func(*State) Tidying, done Repaired) error {
	planned := b.lib.hooks.Planning == nil
	for try := 1; ; {
		s, err := b.State(ctx)
		if err != nil {
			return err
		}
		list := find(s).Prune
		if list = list[:min(len(list), repairedAtOnce)]; len(list) == 0 {
			return nil
		}
		if !planned { // the files are written anew, so what hands wrote there comes first
			planned = true
			b.lib.hooks.Planning(ctx, b.owner)
			continue
		}
		if _, err = b.erase(ctx, s.pruning(list)); err == nil {
			for _, p := range list {
				done[p.Why]++
			}
			continue
		}
		if try++; nacre.KindOf(err) != nacre.Conflict || try > maxTries {
			return err
		}
	}
}

// pruning is the Erasure of notes that nobody wants forgotten.
func (s *State) pruning(list []Pruning) Erasure {
	e := Erasure{ID: nacre.NewID(time.Now()), Size: SizeNote, Writer: ByRepair, Base: s.Version}
	for _, p := range list {
		o := Op{Writer: ByRepair, Kind: Erase, Note: p.Note, Reason: p.Why, Payload: Payload{V: 1, Lifts: s.rejections(p.Note)}}
		for _, id := range o.Payload.Lifts {
			o.Payload.Tomb = s.tombs[id] // which goes on counting without the note
		}
		e.Notes, e.Ops = append(e.Notes, p.Note), append(e.Ops, o)
	}
	return e
}

// prunes reports whether an Op erases a note that nobody wants forgotten.
func (o *Op) prunes() bool {
	return o.Kind == Erase && (o.Reason == Undecided || o.Reason == Trimmed)
}
