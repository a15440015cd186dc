package reflect

import (
	"context"
	"slices"

	"nacre"
	"nacre/memory"
)

// batch is messages that are read at once, whatever conversations they are of.
type batch struct {
	owner   nacre.OwnerID
	after   int64 // inbox sequence that it begins behind
	through int64
	state   *memory.State // when it was taken
	sources []memory.Source
}

// take reads the next messages behind an inbox sequence; nil if there are none.
// While nothing is to be saved it takes only those that were said meanwhile, which
// are passed over for ever; what was said before waits.
func (r *Reflector) take(ctx context.Context, owner nacre.OwnerID, after int64, messages next) (*batch, error) {
	list, through, err := messages(ctx, after)
	if err != nil || through <= after {
		return nil, err
	}
	st, err := r.opts.Library.Book(owner).State(ctx)
	if err != nil {
		return nil, err
	}
	end := fitting(list)
	if i := slices.IndexFunc(list, func(m memory.Source) bool { return st.SavedAt(m.Received) }); i >= 0 && !st.On(memory.Saving) {
		end = min(end, i)
	}
	if end < len(list) {
		list, through = list[:end], list[end].Seq-1
	}
	if through <= after {
		return nil, nil
	}
	return &batch{owner, after, through, st, list}, nil
}

// fitting counts the messages, from the first on, that a model can read at once.
func fitting(list []memory.Source) int {
	room := mostBytes
	for i, m := range list {
		for _, g := range m.Segments {
			room -= len(g.Text)
		}
		if room < 0 && i > 0 {
			return i
		}
	}
	return len(list)
}

// read has the notes made that a batch gives, and moves the mark past it in the
// same transaction.
func (r *Reflector) read(ctx context.Context, rep *Report, b *batch) error {
	found, err := r.learn(ctx, rep, b)
	if err != nil {
		return err
	}
	book := r.opts.Library.Book(b.owner)
	if found, err = fresh(ctx, book, found); err != nil {
		return err
	}
	outcomes, err := book.ProposeRead(ctx, memory.Mark{Reader: Reader, Through: b.through}, found...)
	if err != nil {
		return err
	}
	rep.Batches++
	rep.count(outcomes)
	return nil
}

// failed counts that a batch could not be read. It returns the error, or nil if
// the batch was set aside so that the next may be read.
func (r *Reflector) failed(ctx context.Context, rep *Report, b *batch, why error) error {
	ctx = context.WithoutCancel(ctx)
	n, err := r.opts.Log.Failed(ctx, b.owner, Reader, b.after+1, b.through, code(why))
	if err != nil {
		return err
	}
	if n < maxTries {
		return why
	}
	if err := r.opts.Log.SetAside(ctx, b.owner, Reader, b.after+1); err != nil {
		return err
	}
	rep.Aside++
	r.opts.Logger.Warn("messages that the memory model cannot read were set aside", "owner", b.owner, "first", b.after+1, "through", b.through, "err", why)
	return nil
}
