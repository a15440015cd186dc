package jobs

import (
	"context"
	"fmt"
	"time"

	"github.com/go-co-op/gocron/v2"
	"github.com/google/uuid"
	"github.com/jonboulle/clockwork"
)

// Chore is upkeep that is no work of an owner's, such as dropping what is old.
type Chore struct {
	Name  string
	Daily bool // else hourly
	Do    func(context.Context) error
}

// When the chores come, as cron expressions: apart from the rounds, and when
// people sleep.
const (
	roundsCron = "7 * * * *" // at roundMinute
	hourlyCron = "37 * * * *"
	dailyCron  = "43 4 * * *"
)

// stopFor is how long what gocron carries has to notice the end.
const stopFor = 10 * time.Second

// wallClock lets gocron read the same wall clock as everything else here.
type wallClock struct {
	clockwork.Clock
	now func() time.Time
}

func (w wallClock) Now() time.Time { return w.now() }

// scheduler starts gocron with all that it carries: a tick, the rounds, the chores.
// No job of an owner is a job of its: those lie in the ledger. It counts from the
// moments that it planned before, so there must be a new one after the clock was
// set back: the old one would wait until the clock has come there again.
func (c *Clock) scheduler() (gocron.Scheduler, error) {
	s, err := gocron.NewScheduler(gocron.WithLocation(time.UTC), gocron.WithStopTimeout(stopFor),
		gocron.WithClock(wallClock{clockwork.NewRealClock(), c.opts.Now}), gocron.WithGlobalJobOptions(
			gocron.WithEventListeners(gocron.AfterJobRunsWithPanic(func(_ uuid.UUID, name string, p any) {
				c.opts.Log.Error("an hourly work panicked", "name", name, "cause", fmt.Sprintf("%T", p))
			}))))
	if err != nil {
		return nil, fmt.Errorf("make the scheduler: %w", err)
	}
	_, err = s.NewJob(gocron.DurationJob(c.tick), gocron.NewTask(func() { signal(c.ticks) }), gocron.WithName("tick"))
	if err == nil && len(c.opts.Rounds) > 0 {
		err = c.carry(s, roundsCron, "rounds", c.hourly)
	}
	for _, chore := range c.opts.Chores {
		when := hourlyCron
		if chore.Daily {
			when = dailyCron
		}
		if err == nil {
			err = c.carry(s, when, chore.Name, chore.Do)
		}
	}
	if err != nil {
		_ = s.Shutdown()
		return nil, fmt.Errorf("carry the hourly work: %w", err)
	}
	s.Start()
	return s, nil
}

// shutDown ends gocron and, within seconds, what it carries.
func (c *Clock) shutDown(s gocron.Scheduler) {
	if err := s.Shutdown(); err != nil {
		c.opts.Log.Error("what runs hourly does not end; going on without it", "error", err)
	}
}

// carry lets gocron call a function by a cron expression, one call at a time, and
// once in a minute: gocron calls one again that is over before its clock has moved
// on.
func (c *Clock) carry(s gocron.Scheduler, when, name string, do func(context.Context) error) error {
	var last time.Time
	task := func(ctx context.Context) {
		minute := c.opts.Now().Truncate(time.Minute)
		if minute.Equal(last) {
			return
		}
		last = minute
		if err := do(ctx); err != nil && ctx.Err() == nil {
			c.opts.Log.Warn("an hourly work failed", "name", name, "error", err)
		}
	}
	_, err := s.NewJob(gocron.CronJob(when, false), gocron.NewTask(task), gocron.WithName(name), gocron.WithSingletonMode(gocron.LimitModeReschedule))
	return err
}
