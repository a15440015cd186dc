// Package reflect reads back what an owner said, to find what is worth
// remembering and nobody asked to keep.
//
// It goes through the inbox behind a mark, so that every message is read once,
// whatever became of the turn that answered it. A batch and the mark past it are
// one transaction: what dies in between asks the model again, and keeps nothing
// twice. What no model can read does not hold up the rest: after three tries it
// is set aside, for all to see, and can be read later.
//
// Nothing that is read back counts as the owner's wish. What may be kept is
// decided in memory, as for everybody.
package reflect

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"nacre"
	"nacre/agent/llm"
	"nacre/memory"
)

// Reader is the name of the mark.
const Reader = "reflect"

// How messages are read.
const (
	settled   = 10 * time.Minute // how old a message is that is read: by then it is edited, and its turn over
	perBatch  = 40               // messages that a model reads at once
	mostBytes = 32 << 10         // of them, so that a small model can; one message alone may have more
	nearby    = 100              // places in the inbox before them in which context is looked for
	perCall   = 25               // batches of one call; the rest is for the next
	maxTries  = 3                // failures after which a batch is set aside
	patience  = 20 * time.Minute // for the model to read a batch; less than a round of jobs has, which counts no failure
)

// Options are what a Reflector works with. All are required.
type Options struct {
	Library   *memory.Library
	Log       Log
	Distiller Distiller
	Steering  func(owner nacre.OwnerID) (string, error) // how the owner wants messages read back; empty for no wish
	Zone      func(owner nacre.OwnerID) *time.Location  // where an owner lives
	Logger    *slog.Logger
}

// Reflector reads messages back. It may be used from many goroutines; of one
// owner it reads once at a time.
type Reflector struct {
	opts Options

	mu   sync.Mutex
	busy map[nacre.OwnerID]bool // guarded by mu; whose messages are being read
}

// New makes a Reflector.
func New(o Options) *Reflector { return &Reflector{opts: o, busy: map[nacre.OwnerID]bool{}} }

// enter keeps others from reading an owner's messages until end is called; ok is
// false if somebody reads them already.
func (r *Reflector) enter(owner nacre.OwnerID) (end func(), ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.busy[owner] {
		return nil, false
	}
	r.busy[owner] = true
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.busy, owner)
	}, true
}

// Begin lets reading begin with what is said from now on, the first time that it is
// called in an installation; owners who come later are read from their first word.
// It is called at every start, before messages come in, with all owners.
//
// The mark of the first owner is set last and tells that all are: a process that
// dies in between does it again.
func (r *Reflector) Begin(ctx context.Context, owners []nacre.OwnerID) error {
	if len(owners) == 0 {
		return nil
	}
	if _, begun, err := r.opts.Log.Mark(ctx, owners[0], Reader); err != nil || begun {
		return err
	}
	for _, owner := range slices.Backward(owners) {
		newest, err := r.opts.Log.Heard(ctx, owner)
		if err != nil {
			return err
		}
		if err := r.opts.Log.StartMark(ctx, owner, Reader, newest); err != nil {
			return err
		}
	}
	return nil
}

// Reflect reads what an owner said since the last time and at least ten minutes
// ago, and once a day what was set aside before. It is called once an hour; while
// somebody else reads the owner's messages it does nothing.
//
// An error means that the rest is for the next time. That a budget is spent is
// none: Report.Reason tells it, and what was said waits until there is money
// again.
func (r *Reflector) Reflect(ctx context.Context, owner nacre.OwnerID) (Report, error) {
	end, ok := r.enter(owner)
	if !ok {
		return Report{}, nil
	}
	defer end()
	var rep Report
	err := r.catchUp(ctx, &rep, owner, r.settled(owner), true)
	if err == nil {
		err = r.retry(ctx, &rep, owner)
	}
	return rep.told(err)
}

// Flush reads what an owner said before the turn that a Caller is in, without
// waiting for it to settle, since a summary is about to take its place in the
// conversation. What it cannot read is left to Reflect, which counts the
// failures. It is agent.Options.Flush.
func (r *Reflector) Flush(ctx context.Context, c nacre.Caller, _ []llm.Message) error {
	end, ok := r.enter(c.Owner)
	if !ok {
		return nil
	}
	defer end()
	if len(c.Said) == 0 {
		return nil
	}
	err := r.catchUp(ctx, new(Report), c.Owner, r.between(c.Owner, c.Said[0].Seq-1), false)
	if spent(err) {
		return nil
	}
	return err
}

// next reads the messages of an owner behind an inbox sequence that are to be
// read now, at most a batch, and tells how far it looked.
type next func(ctx context.Context, after int64) (list []memory.Source, through int64, err error)

// settled are those that came at least ten minutes ago.
func (r *Reflector) settled(owner nacre.OwnerID) next {
	until := time.Now().Add(-settled)
	return func(ctx context.Context, after int64) ([]memory.Source, int64, error) {
		return r.opts.Log.Unread(ctx, owner, after, until, perBatch)
	}
}

// between are those through another.
func (r *Reflector) between(owner nacre.OwnerID, last int64) next {
	return func(ctx context.Context, after int64) ([]memory.Source, int64, error) {
		return r.opts.Log.Between(ctx, owner, after+1, last, perBatch)
	}
}

// catchUp reads what an owner said, from the mark on; without one, from the
// beginning. Where failures count, a batch that no model can read may be set aside.
func (r *Reflector) catchUp(ctx context.Context, rep *Report, owner nacre.OwnerID, messages next, count bool) error {
	at, _, err := r.opts.Log.Mark(ctx, owner, Reader)
	if err != nil {
		return err
	}
	for range perCall {
		b, err := r.take(ctx, owner, at, messages)
		if err != nil || b == nil {
			return err
		}
		err = r.read(ctx, rep, b)
		if count && counts(ctx, err) {
			err = r.failed(ctx, rep, b, err)
		}
		if err != nil {
			return err
		}
		at = b.through
	}
	return nil
}

// unread is why a model could not read a batch.
type unread struct{ error }

func (u unread) Unwrap() error { return u.error }

// counts reports whether an error is one by which a batch may come to be set
// aside: the model's, and not that there is no money for it, or that whoever
// called has no more time.
func counts(ctx context.Context, err error) bool {
	_, model := errors.AsType[unread](err)
	return model && !spent(err) && ctx.Err() == nil
}
