package reflect

import (
	"context"
	"errors"
	"slices"
	"time"

	"nacre"
	"nacre/memory"
)

// What was set aside is tried again by itself.
const (
	retryAfter = 24 * time.Hour // since it failed last
	mostTries  = 10             // failures after which it is read only by hand
)

// Aside lists the batches of an owner that were set aside, the oldest first.
func (r *Reflector) Aside(ctx context.Context, owner nacre.OwnerID) ([]memory.Batch, error) {
	list, err := r.opts.Log.Batches(ctx, owner)
	return slices.DeleteFunc(list, func(b memory.Batch) bool { return b.Reader != Reader || !b.Aside }), err
}

// Again reads what Reflect would, and all that was set aside, because the owner
// wants it, until something cannot be read. However often they want it, that counts
// as no failure. Errors are sentences for the owner where they can do something.
func (r *Reflector) Again(ctx context.Context, owner nacre.OwnerID) (Report, error) {
	end, ok := r.enter(owner)
	if !ok {
		return Report{}, nacre.Errorf(nacre.Conflict, "I am reading back what you said just now; try again in a minute")
	}
	defer end()
	st, err := r.opts.Library.Book(owner).State(ctx)
	if err != nil {
		return Report{}, err
	}
	if !st.On(memory.Saving) {
		return Report{}, nacre.Errorf(nacre.Denied, "saving is switched off, so nothing is read back; switch it on first")
	}
	var rep Report
	if err = r.catchUp(ctx, &rep, owner, r.settled(owner), false); err != nil {
		return rep.told(err)
	}
	list, err := r.Aside(ctx, owner)
	for _, b := range list {
		if err = r.again(ctx, &rep, owner, b); err != nil {
			break
		}
	}
	return rep.told(err)
}

// retry reads what was set aside and has waited for a day, until something cannot
// be read. That this fails is no failure of the hour.
func (r *Reflector) retry(ctx context.Context, rep *Report, owner nacre.OwnerID) error {
	list, err := r.Aside(ctx, owner)
	for _, b := range list {
		if b.Failures >= mostTries || time.Since(b.At) < retryAfter {
			continue
		}
		err := r.again(ctx, rep, owner, b)
		if counts(ctx, err) {
			_, failed := r.opts.Log.Failed(context.WithoutCancel(ctx), owner, Reader, b.First, b.Through, code(err))
			err = errors.Join(err, failed)
		}
		if spent(err) {
			return err
		}
		if err != nil {
			r.opts.Logger.Warn("what was set aside still cannot be read", "owner", owner, "first", b.First, "err", err)
			return nil
		}
	}
	return err
}

// again reads a batch that was set aside, and drops it. A process that dies in
// between reads it once more, and finds nothing new. While saving is off it stays.
func (r *Reflector) again(ctx context.Context, rep *Report, owner nacre.OwnerID, old memory.Batch) error {
	for at := old.First - 1; at < old.Through; {
		b, err := r.take(ctx, owner, at, r.between(owner, old.Through))
		if err != nil || b == nil {
			return err
		}
		if err = r.read(ctx, rep, b); err != nil {
			return err
		}
		at = b.through
	}
	return r.opts.Log.DropBatch(ctx, owner, Reader, old.First)
}
