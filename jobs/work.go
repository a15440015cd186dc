package jobs

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"nacre"
)

// ended is a run that is not worked any more; again is set if it shall be.
type ended struct {
	run   nacre.Run
	again *nacre.Run
}

// startRuns starts what waits, as far as there is room.
func (c *Clock) startRuns(ctx context.Context, now time.Time) {
	for {
		run, ok := c.pool.take(now)
		if !ok {
			return
		}
		c.running.Go(func() { c.ended <- ended{run, c.work(ctx, run)} })
	}
}

// work works a run, and returns it if it is to be tried again.
func (c *Clock) work(ctx context.Context, run nacre.Run) (again *nacre.Run) {
	if ctx.Err() != nil {
		return &run
	}
	job, err := c.opts.Store.Job(ctx, run.Owner, run.Job)
	if nacre.KindOf(err) == nacre.NotFound {
		return c.end(ctx, ending(run, nacre.Missed, reasonDropped, c.opts.Now()))
	}
	if err != nil {
		return c.later(run, fmt.Errorf("read a job: %w", err))
	}
	if e, ends := before(job, run, c.opts.Zone(job.Owner), c.opts.Now()); ends {
		return c.end(ctx, e)
	}
	begun, err := c.opts.Store.Begin(ctx, run)
	if nacre.KindOf(err) == nacre.Conflict {
		return nil // it has ended
	}
	if err != nil {
		return c.later(run, fmt.Errorf("begin a run: %w", err))
	}
	return c.attempt(ctx, job, begun)
}

// later lets a run wait that the ledger has not let begin.
func (c *Clock) later(run nacre.Run, err error) *nacre.Run {
	c.opts.Log.Error("a run cannot begin, trying again soon", "job", run.Job, "error", err)
	run.NotUntil = c.opts.Now().Add(restFor)
	return &run
}

// attempt works a run that has begun.
func (c *Clock) attempt(ctx context.Context, job nacre.Job, run nacre.Run) (again *nacre.Run) {
	out, err := c.do(ctx, job, run)
	run.Used = run.Used.Plus(out.Used)
	now := c.opts.Now()
	if err == nil {
		return c.end(ctx, success(job, run, out, now))
	}
	if ctx.Err() != nil { // Nacre ends; that is no failure of the run
		return c.end(ctx, givenBack(job, run, now))
	}
	c.opts.Log.Warn("a run failed", "job", job.ID, "attempt", run.Attempts, "error", err, "kind", nacre.KindOf(err).String(), "cause", cause(err))
	return c.end(ctx, failure(job, run, err, c.opts.Zone(job.Owner), now))
}

// cause is what lies under sentences for people, for the log.
func cause(err error) error {
	var e *nacre.Error
	for errors.As(err, &e) && e.Err != nil {
		err = e.Err
	}
	return err
}

// do calls the Worker, within the deadline, and makes an error of a panic.
func (c *Clock) do(ctx context.Context, job nacre.Job, run nacre.Run) (out Outcome, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.opts.Deadline, errDeadline)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			c.opts.Log.Error("a run panicked", "job", job.ID, "cause", fmt.Sprintf("%T", p), "stack", string(debug.Stack()))
			err = errPanic
		}
		err = timedOut(ctx, err)
	}()
	return c.opts.Worker.Work(ctx, job, run)
}

// timedOut says of an error if the deadline is the cause of it.
func timedOut(ctx context.Context, err error) error {
	if err != nil && context.Cause(ctx) == errDeadline {
		return fmt.Errorf("%w: %w", errDeadline, err)
	}
	return err
}

// endPauses are between tries to store the end of a run, for which a model may
// have been paid.
var endPauses = [...]time.Duration{time.Second, 5 * time.Second, 30 * time.Second}

// end stores how a run ends, even if ctx has ended, and returns it if it waits
// again. One that cannot be stored counts as interrupted at the next start.
func (c *Clock) end(ctx context.Context, e nacre.JobEnding) (again *nacre.Run) {
	err := c.opts.Store.End(context.WithoutCancel(ctx), e)
	for _, pause := range endPauses {
		if err == nil || nacre.KindOf(err) == nacre.Conflict || !sleep(ctx, pause) {
			break
		}
		err = c.opts.Store.End(context.WithoutCancel(ctx), e)
	}
	if err != nil {
		c.opts.Log.Error("the end of a run is lost", "job", e.Run.Job, "error", err)
		return nil
	}
	if e.Say != nil && e.Say.Message.Seq > 0 {
		c.opts.Wake(e.Say.Session, e.Say.Message)
	}
	if e.Run.State == nacre.Claimed {
		return &e.Run
	}
	return nil
}

// sleep waits, and reports whether it was not disturbed by the end of ctx.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

var (
	errDeadline = errors.New("it took longer than it may")
	errPanic    = errors.New("it panicked")
)
