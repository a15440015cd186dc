package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"nacre"
)

// errNothing is an error because the same jobs would be read again at once.
var errNothing = errors.New("none of the due jobs could be taken")

// maxRefused is how often in a row the ledger may refuse what becomes of a job.
const maxRefused = 3

// claim claims jobs that are due, as many as go in one transaction, and reports
// whether it took any.
func (c *Clock) claim(ctx context.Context, now time.Time) (some bool, err error) {
	due, err := c.opts.Store.Due(ctx, now, atOnce)
	if err != nil || len(due) == 0 {
		return false, err
	}
	claims := make([]nacre.JobClaim, len(due))
	whys := make([]string, len(due))
	for i, job := range due {
		if claims[i], whys[i], err = c.judge(ctx, job, now); err != nil {
			return false, err
		}
	}
	return c.take(ctx, claims, whys)
}

// judge decides what becomes of a due job; why is set if it is parked.
func (c *Clock) judge(ctx context.Context, job nacre.Job, now time.Time) (claim nacre.JobClaim, why string, err error) {
	home := c.opts.Zone(job.Owner)
	if why, err = c.hindrance(ctx, job, home); err != nil {
		return claim, "", err
	}
	if why != "" {
		return parked(job), why, nil
	}
	return decide(job, home, now, c.pool.open(job, now)), "", nil
}

// hindrance is why a job cannot run, or go on; empty if it can. A heartbeat speaks where
// its owner is, not in the chat in which it was made.
func (c *Clock) hindrance(ctx context.Context, job nacre.Job, home *time.Location) (why string, err error) {
	switch {
	case c.refused[job.ID] >= maxRefused, job.State == nacre.Parked && c.refused[job.ID] > 0:
		return refused, nil
	case job.Next.IsZero():
		return timesGone, nil
	}
	if why = unfit(&job, home); why != "" || job.Kind == nacre.Heartbeat {
		return why, nil
	}
	gone, err := c.opts.Store.Gone(ctx, job.Session.Chat)
	if err != nil {
		return "", fmt.Errorf("look after a chat: %w", err)
	}
	if gone {
		why = chatGone
	}
	return why, nil
}

// take carries claims out, lets everybody know, and reports whether any was taken.
func (c *Clock) take(ctx context.Context, claims []nacre.JobClaim, whys []string) (some bool, err error) {
	taken, err := c.opts.Store.Claim(ctx, claims)
	if taken == nil {
		return false, fmt.Errorf("claim: %w", err)
	}
	if err != nil {
		c.opts.Log.Warn("what becomes of jobs cannot be stored", "error", err)
	}
	for i, ok := range taken {
		job := claims[i].Job
		if !ok {
			c.refused[job.ID]++
			continue
		}
		some = true
		delete(c.refused, job.ID)
		if whys[i] == refused {
			c.refused[job.ID] = 1 // by hand it may try again, but it is not revived
		}
		c.took(claims[i])
		if whys[i] != "" {
			c.opts.Log.Warn("a job was put aside", "job", job.ID, "owner", job.Owner, "reason", whys[i])
			c.opts.Tell(ctx, job.Owner, tidings(job, whys[i]))
		}
	}
	return some, nil
}

func (c *Clock) took(claim nacre.JobClaim) {
	if claim.Say != nil && claim.Say.Message.Seq > 0 {
		c.opts.Wake(claim.Say.Session, claim.Say.Message)
	}
	for _, r := range claim.Runs {
		if r.State == nacre.Claimed {
			c.pool.add(r)
		}
	}
}

// settle looks through all active jobs. Those that wait for a slot which is not
// their first one from now, because the clock, a zone or the rules of a zone
// changed, are mended; those that cannot run are parked. What was claimed while the
// clock was ahead is taken back before.
func (c *Clock) settle(ctx context.Context, now time.Time) error {
	if err := c.opts.Store.Rewind(ctx, now); err != nil {
		return fmt.Errorf("take back what is to come: %w", err)
	}
	all, err := c.opts.Store.Active(ctx)
	if err != nil {
		return fmt.Errorf("list jobs: %w", err)
	}
	var claims []nacre.JobClaim
	var whys []string
	for _, job := range all {
		if claim, why, ok := c.mend(job, now); ok {
			claims, whys = append(claims, claim), append(whys, why)
		}
	}
	if err := c.takeAll(ctx, claims, whys); err != nil {
		return err
	}
	c.settled, c.read = true, time.Time{}
	return nil
}

// takeAll carries any number of claims out. One whose job was changed meanwhile is
// not taken, and was mended by that.
func (c *Clock) takeAll(ctx context.Context, claims []nacre.JobClaim, whys []string) error {
	for len(claims) > 0 {
		n := min(atOnce, len(claims))
		if _, err := c.take(ctx, claims[:n], whys[:n]); err != nil {
			return err
		}
		claims, whys = claims[n:], whys[n:]
	}
	return nil
}

// mend is how a job is put right; ok is false if there is nothing wrong.
func (c *Clock) mend(job nacre.Job, now time.Time) (claim nacre.JobClaim, why string, ok bool) {
	home := c.opts.Zone(job.Owner)
	if why := unfit(&job, home); why != "" {
		return parked(job), why, true
	}
	moved, ok := replanned(job, home, now)
	return nacre.JobClaim{Was: job, Job: moved}, "", ok
}
