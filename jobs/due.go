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

// claim claims jobs that are due, as many as go in one transaction.
func (c *Clock) claim(ctx context.Context, now time.Time) error {
	due, err := c.opts.Store.Due(ctx, now, atOnce)
	if err != nil || len(due) == 0 {
		return err
	}
	claims := make([]nacre.JobClaim, len(due))
	whys := make([]string, len(due))
	for i, job := range due {
		if claims[i], whys[i], err = c.judge(ctx, job, now); err != nil {
			return err
		}
	}
	return c.take(ctx, claims, whys)
}

// judge decides what becomes of a due job; why is set if it is parked.
func (c *Clock) judge(ctx context.Context, job nacre.Job, now time.Time) (claim nacre.JobClaim, why string, err error) {
	why = unfit(&job)
	if why == "" {
		gone, err := c.opts.Store.Gone(ctx, job.Session.Chat)
		if err != nil {
			return claim, "", fmt.Errorf("look after a chat: %w", err)
		}
		if gone {
			why = chatGone
		}
	}
	if why != "" {
		return parked(job, now), why, nil
	}
	return decide(job, c.opts.Zone(job.Owner), now, c.pool.open(job.ID)), "", nil
}

// take carries claims out, and then lets everybody know.
func (c *Clock) take(ctx context.Context, claims []nacre.JobClaim, whys []string) error {
	taken, err := c.opts.Store.Claim(ctx, claims)
	if err != nil {
		return fmt.Errorf("claim: %w", err)
	}
	some := false
	for i, ok := range taken {
		if !ok {
			continue
		}
		some = true
		c.took(claims[i])
		if whys[i] != "" {
			c.opts.Tell(ctx, claims[i].Job.Owner, tidings(claims[i].Job, whys[i]))
		}
	}
	if !some {
		return errNothing
	}
	return nil
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

// settle looks through all jobs. Those that wait for a slot which is not their
// first one from now, because the clock, a zone or the rules of a zone changed,
// are mended; those that cannot run are parked.
func (c *Clock) settle(ctx context.Context, now time.Time) error {
	all, err := c.opts.Store.Jobs(ctx, "")
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
	for len(claims) > 0 {
		n := min(atOnce, len(claims))
		// One that was changed meanwhile is not taken, and was mended by that.
		if err := c.take(ctx, claims[:n], whys[:n]); err != nil && !errors.Is(err, errNothing) {
			return err
		}
		claims, whys = claims[n:], whys[n:]
	}
	c.settled, c.read = true, time.Time{}
	return nil
}

// mend is how a job is put right; ok is false if there is nothing wrong.
func (c *Clock) mend(job nacre.Job, now time.Time) (claim nacre.JobClaim, why string, ok bool) {
	if job.State != nacre.Active {
		return claim, "", false
	}
	if why := unfit(&job); why != "" {
		return parked(job, now), why, true
	}
	moved, ok := replanned(job, c.opts.Zone(job.Owner), now)
	return nacre.JobClaim{Was: job, Job: moved}, "", ok
}
