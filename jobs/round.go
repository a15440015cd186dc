package jobs

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"nacre"
)

const (
	roundMinute   = 7 // of every hour
	ownersAtOnce  = 2
	roundDeadline = 30 * time.Minute // of one round of one owner, so that the next hour's do not wait for it
)

// hourly runs all rounds for all owners. A round that fails for one owner keeps
// neither the owner's other rounds nor other owners back.
func (c *Clock) hourly(ctx context.Context) error {
	owners, err := c.opts.Owners(ctx)
	if err != nil {
		return fmt.Errorf("list owners: %w", err)
	}
	slot := c.opts.Now().Truncate(time.Hour).Add(roundMinute * time.Minute)
	room := make(chan struct{}, ownersAtOnce)
	var all sync.WaitGroup
	for _, owner := range owners {
		room <- struct{}{}
		all.Go(func() {
			c.allRounds(ctx, owner, slot)
			<-room
		})
	}
	all.Wait()
	return nil
}

func (c *Clock) allRounds(ctx context.Context, owner nacre.OwnerID, slot time.Time) {
	for _, r := range c.opts.Rounds {
		if ctx.Err() != nil {
			return
		}
		err := c.round(ctx, r, nacre.Run{Job: r.Name, Owner: owner, Slot: slot})
		if err != nil && ctx.Err() == nil {
			c.opts.Log.Warn("a round failed", "round", r.Name, "owner", owner, "error", err)
		}
	}
}

// RunRound runs a round for one owner now, because somebody wants it. The error
// is that of the round; Conflict if one is running for that owner.
func (c *Clock) RunRound(ctx context.Context, owner nacre.OwnerID, name nacre.JobID) error {
	for _, r := range c.opts.Rounds {
		if r.Name == name {
			return c.round(ctx, r, nacre.Run{Job: name, Owner: owner, Slot: c.opts.Now().Truncate(time.Millisecond), ByHand: true})
		}
	}
	return nacre.Errorf(nacre.NotFound, "There is no round %q.", name)
}

// round runs one round of one owner, and records it if it did something, or
// failed.
func (c *Clock) round(ctx context.Context, r Round, run nacre.Run) error {
	if !c.enter(run.Owner) {
		return nacre.Errorf(nacre.Conflict, "That is being done already; look again in a while.")
	}
	defer c.leave(run.Owner)
	run.Attempts, run.Began = 1, c.opts.Now()
	out, err := c.doRound(ctx, r, run.Owner)
	if err != nil && ctx.Err() != nil {
		return err // Nacre ends; the next round goes on
	}
	run.State, run.Reason, run.Used, run.Ended = nacre.Done, out.Reason, out.Used, c.opts.Now()
	switch {
	case err != nil:
		run.State, run.Reason = nacre.Failure, codeOf(err)
	case out.Reason == "" && out.Used == (nacre.Usage{}):
		return nil
	}
	if store := c.opts.Store.End(context.WithoutCancel(ctx), nacre.JobEnding{Run: run}); store != nil && nacre.KindOf(store) != nacre.Conflict {
		c.opts.Log.Error("a round cannot be recorded", "round", r.Name, "owner", run.Owner, "error", store)
	}
	return err
}

// doRound calls a round, within its deadline, and makes an error of a panic.
func (c *Clock) doRound(ctx context.Context, r Round, owner nacre.OwnerID) (out Outcome, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, roundDeadline, errDeadline)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			c.opts.Log.Error("a round panicked", "round", r.Name, "cause", fmt.Sprintf("%T", p), "stack", string(debug.Stack()))
			err = errPanic
		}
		err = timedOut(ctx, err)
	}()
	return r.Do(ctx, owner)
}

// enter claims the rounds of an owner, of which there is one at a time.
func (c *Clock) enter(owner nacre.OwnerID) bool {
	c.rounds.Lock()
	defer c.rounds.Unlock()
	if c.ongoing[owner] {
		return false
	}
	c.ongoing[owner] = true
	return true
}

func (c *Clock) leave(owner nacre.OwnerID) {
	c.rounds.Lock()
	defer c.rounds.Unlock()
	delete(c.ongoing, owner)
}
