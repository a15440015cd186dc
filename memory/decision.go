package memory

import (
	"context"
	"slices"
	"time"

	"nacre"
)

// decision is what is decided at once.
type decision struct {
	proposals []Proposal
	choose    func(*State) []Proposal // what is proposed instead, on the newest State; it cites nothing
	mark      *Mark                   // moves along; nil for none
	apart     bool                    // /undo takes each Proposal back by itself

	sources map[nacre.MessageID]Source
	key     Hash
}

// maxTries bounds how often a decision is made anew because somebody else was
// faster.
const maxTries = 100

// conclude decides and appends, and does it anew as long as somebody else is faster.
func (b *Book) conclude(ctx context.Context, d *decision) (outcomes []Outcome, err error) {
	b.gate.RLock()
	defer b.gate.RUnlock()
	if err := b.prepare(ctx, d); err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for try := 1; ; try++ {
		outcomes, err := b.decide(ctx, d)
		if err == nil || nacre.KindOf(err) != nacre.Conflict || try == maxTries {
			return outcomes, err
		}
		if err := b.catchUp(ctx, b.state, b.seq); err != nil { // somebody else wrote
			return nil, err
		}
	}
}

// prepare reads what does not change while it is decided.
func (b *Book) prepare(ctx context.Context, d *decision) (err error) {
	if d.sources, err = b.sources(ctx, d.proposals); err == nil {
		d.key, err = b.lib.log.TombKey(b.owner)
	}
	return err
}

// Try tells what would come of proposals now, as Propose decides it. It changes
// nothing, and records no refusal.
func (b *Book) Try(ctx context.Context, proposals ...Proposal) ([]Outcome, error) {
	d := &decision{proposals: proposals}
	if err := b.prepare(ctx, d); err != nil {
		return nil, err
	}
	s, err := b.State(ctx)
	if err != nil {
		return nil, err
	}
	ops, verdicts, err := b.review(ctx, s, d)
	if err != nil {
		return nil, err
	}
	return outcomes(Fold(s, ops...), verdicts), nil
}

// decide reviews proposals on the newest state and appends what comes of them.
// The caller holds mu.
func (b *Book) decide(ctx context.Context, d *decision) ([]Outcome, error) {
	base, err := b.current(ctx)
	if err != nil {
		return nil, err
	}
	if d.choose != nil {
		d.proposals = d.choose(base)
	}
	ops, verdicts, err := b.review(ctx, base, d)
	if err != nil {
		return nil, err
	}
	if len(ops) > 0 || d.mark != nil {
		stored, err := b.lib.log.Append(ctx, b.owner, base.Version, ops, d.mark)
		if err != nil {
			return nil, err
		}
		b.take(base, b.seq, stored)
		if slices.ContainsFunc(verdicts, func(v verdict) bool { return v.changed }) {
			b.lib.changed(b.owner)
		}
	}
	return outcomes(b.state, verdicts), nil
}

// outcomes are verdicts with the notes that they came to.
func outcomes(s *State, verdicts []verdict) []Outcome {
	list := make([]Outcome, len(verdicts))
	for i, v := range verdicts {
		list[i] = Outcome{Note: s.Note(v.about), Refused: v.refused, Same: !v.changed && v.refused == ""}
	}
	return list
}

// verdict is what Review came to for one Proposal.
type verdict struct {
	about   nacre.NoteID
	refused Reason
	changed bool
}

// review reviews proposals in order, each on what the ones before it made. Nobody
// else can decide meanwhile, so it gives up as soon as nobody waits for it.
func (b *Book) review(ctx context.Context, after *State, d *decision) (all []Op, verdicts []verdict, err error) {
	now := time.Now()
	act := nacre.NewID(now)
	aids := &aids{}
	for _, p := range d.proposals {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if d.apart {
			act = nacre.NewID(now)
		}
		ops, about := Review(Case{State: after, Proposal: p, Sources: d.sources, Key: d.key, Now: now, Zone: b.zone(), Fresh: nacre.NoteID(nacre.NewID(now)), aids: aids})
		v := verdict{about: about}
		for i := range ops {
			o := &ops[i]
			o.ID, o.At, o.Version = OpID(nacre.NewID(now)), now, after.Version
			v.add(o, act)
			after = Fold(after, *o)
		}
		all, verdicts = append(all, ops...), append(verdicts, v)
	}
	return all, verdicts, nil
}

// add notes what an Op of the Proposal does, which belongs to the decision act.
func (v *verdict) add(o *Op, act string) {
	if o.Kind == Refuse {
		v.refused = o.Reason
		return
	}
	v.changed = true
	o.Version++
	o.Payload.Act = act
	if o.Note != "" {
		v.about = o.Note
	}
}
