package jobs

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"nacre"
)

// Options are what a Clock needs. Zone, Wake and Now may not block.
type Options struct {
	Store  Store
	Worker Worker
	Rounds []Round // in the order in which they run
	// Owners lists whom the rounds are for.
	Owners func(context.Context) ([]nacre.OwnerID, error)
	// Zone is where an owner lives, whose clock counts for schedules without a
	// zone of their own.
	Zone func(nacre.OwnerID) *time.Location
	// Wake says that a message was put in the inbox of a session.
	Wake func(nacre.SessionInfo, nacre.Message)
	// Tell tells an owner what cannot be said in the chat that it is about.
	Tell     func(ctx context.Context, owner nacre.OwnerID, text string)
	Chores   []Chore
	Deadline time.Duration // of one attempt of a task or a heartbeat; 0 for a quarter of an hour
	// Now reads the wall clock, which may be set, and runs on while the machine
	// sleeps; nil for time.Now.
	Now func() time.Time
	Log *slog.Logger
}

const (
	usualDeadline = 15 * time.Minute
	tickEvery     = 5 * time.Second // how soon it is found out that the machine slept
	readEvery     = 5 * time.Minute // how often the ledger is asked without a cause
	restFor       = 5 * time.Second // after the ledger failed
	atOnce        = 128             // jobs that are claimed in one transaction
)

// Clock claims what is due and runs it. One goroutine, that of Run, owns
// everything below opts and the channels.
type Clock struct {
	opts  Options
	tick  time.Duration // between two looks at the wall clock
	look  chan struct{} // jobs changed: ask the ledger
	ticks chan struct{} // time may have passed that no timer noticed
	ended chan ended    // attempts that are over; has room for all that run at once

	rounds  sync.Mutex // guards ongoing
	ongoing map[nacre.OwnerID]bool

	wall    wall
	pool    pool
	running sync.WaitGroup      // attempts
	next    time.Time           // when the next job is due, as the ledger told at read; zero for never
	read    time.Time           // when the ledger was asked; zero if it must be
	refused map[nacre.JobID]int // how often in a row the ledger did not take what becomes of a job
	settled bool                // the jobs were looked through since the start, or since the clock was set back
	adopted bool                // the runs that the process before left were taken over
}

// New makes a Clock.
func New(o Options) *Clock {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Deadline = cmp.Or(o.Deadline, usualDeadline)
	return &Clock{opts: o, tick: tickEvery, look: make(chan struct{}, 1), ticks: make(chan struct{}, 1), ended: make(chan ended, maxRunning),
		ongoing: map[nacre.OwnerID]bool{}, pool: newPool(), refused: map[nacre.JobID]int{}}
}

// Look lets the Clock ask the ledger what is due, because a job was made or
// changed. It does not block.
func (c *Clock) Look() { signal(c.look) }

func signal(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}

// Run claims and runs what is due until ctx ends; then it waits for what runs,
// whose contexts end as well. What did not finish is given back, and the next
// start begins it anew. The error says what is wrong with the Options.
func (c *Clock) Run(ctx context.Context) error {
	s, err := c.scheduler()
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		if c.wall.setBack(c.opts.Now(), time.Now()) {
			c.opts.Log.Warn("the clock was set back, all jobs are looked through")
			c.settled = false
			c.shutDown(s)
			if s, err = c.scheduler(); err != nil {
				return err
			}
		}
		c.wait(ctx, c.step(ctx))
	}
	c.shutDown(s)
	c.drain()
	return nil
}

// drain waits for the runs, whose contexts have ended, but not for ever.
func (c *Clock) drain() {
	done := make(chan struct{})
	go func() { c.running.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(stopFor):
		c.opts.Log.Error("a run does not end; going on without it")
	}
}

// wait returns after a while, or when something has happened.
func (c *Clock) wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-c.ticks:
	case <-c.look:
		c.read = time.Time{}
	case e := <-c.ended:
		c.pool.over(e.run, e.again)
	}
}

// step does all that can be done now, and returns how long there is nothing to
// do.
func (c *Clock) step(ctx context.Context) time.Duration {
	now := c.opts.Now()
	err := c.catchUp(ctx, now)
	c.startRuns(ctx, now)
	if err != nil && ctx.Err() == nil {
		c.opts.Log.Error("jobs cannot be claimed, trying again soon", "error", err)
		return restFor
	}
	return c.idle(now)
}

// idle is how long nothing is to be done, as far as is known now.
func (c *Clock) idle(now time.Time) time.Duration {
	until := c.read.Add(readEvery)
	for _, t := range []time.Time{c.next, c.pool.earliest()} {
		if !t.IsZero() && t.Before(until) {
			until = t
		}
	}
	return max(until.Sub(now), time.Millisecond)
}

// catchUp asks the ledger if there is a cause to, and claims what is due.
func (c *Clock) catchUp(ctx context.Context, now time.Time) error {
	if !c.settled {
		if err := c.settle(ctx, now); err != nil {
			return err
		}
	}
	if since := now.Sub(c.read); since >= readEvery || since < 0 {
		if err := c.revive(ctx, now); err != nil {
			return err
		}
		if err := c.ask(ctx, now); err != nil {
			return err
		}
	}
	for c.isDue(now) {
		some, err := c.claim(ctx, now)
		if err == nil {
			err = c.ask(ctx, now)
		}
		if err == nil && !some && c.isDue(now) {
			err = errNothing
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isDue reports whether a job is due, as far as is known.
func (c *Clock) isDue(now time.Time) bool { return !c.next.IsZero() && !c.next.After(now) }

// ask reads when the next job is due, and which runs wait.
func (c *Clock) ask(ctx context.Context, now time.Time) error {
	if err := c.adopt(ctx); err != nil {
		return err
	}
	next, err := c.opts.Store.NextDue(ctx)
	if err != nil {
		return fmt.Errorf("read when a job is due: %w", err)
	}
	c.next, c.read = next, now
	return nil
}

// adopt takes over runs that wait and are not known here: those that somebody
// started by hand and, after a start, those that the process before left. Runs of
// this process are known until they have ended.
func (c *Clock) adopt(ctx context.Context) error {
	open, err := c.opts.Store.Open(ctx)
	if err != nil {
		return fmt.Errorf("list open runs: %w", err)
	}
	for _, r := range open {
		if r.State == nacre.Claimed || !c.adopted {
			c.pool.add(r)
		}
	}
	c.adopted = true
	return nil
}
