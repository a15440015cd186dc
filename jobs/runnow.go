package jobs

import (
	"context"
	"fmt"
	"slices"
	"time"

	"nacre"
)

// RunNow runs a job once, apart from its times, whatever its state. The slot of
// that run is now.
func (b *Board) RunNow(ctx context.Context, by nacre.JobAuthor, id nacre.JobID) error {
	job, err := b.job(ctx, by, id)
	if err != nil {
		return err
	}
	if err := b.mayRun(ctx, by, job); err != nil {
		return err
	}
	claim := claimByHand(job, b.opts.Now().Truncate(time.Millisecond))
	taken, err := b.opts.Store.Claim(ctx, []nacre.JobClaim{claim})
	if err != nil {
		return fmt.Errorf("claim a run: %w", err)
	}
	if !taken[0] {
		return nacre.Errorf(nacre.Conflict, "The job was changed just now; try again.")
	}
	if claim.Say != nil {
		b.opts.Wake(claim.Say.Session, claim.Say.Message)
	}
	b.opts.Changed()
	return nil
}

// mayRun refuses a job that cannot run, one that is running, and one that wants to
// start itself.
func (b *Board) mayRun(ctx context.Context, by nacre.JobAuthor, job nacre.Job) error {
	if ofItself(by, job.ID) {
		return nacre.Errorf(nacre.Denied, "A running job cannot start itself.")
	}
	if err := unfitness(&job, b.opts.Zone(job.Owner)); err != nil {
		return err
	}
	open, err := b.opts.Store.Open(ctx)
	if err != nil {
		return fmt.Errorf("list open runs: %w", err)
	}
	if slices.ContainsFunc(open, func(r nacre.Run) bool { return r.Job == job.ID }) {
		return nacre.Errorf(nacre.Conflict, "The job is running already, or about to.")
	}
	return nil
}

// claimByHand takes a slot that no schedule names, and leaves the job as it is.
func claimByHand(job nacre.Job, now time.Time) nacre.JobClaim {
	c := nacre.JobClaim{Was: job, Job: job}
	if job.Kind == nacre.Reminder {
		c.Runs = []nacre.Run{said(job, now, now)}
		c.Say = say(job, now, plain(job), now)
	} else {
		c.Runs = []nacre.Run{claimed(job, now)}
		c.Runs[0].NotUntil = time.Time{}
	}
	c.Runs[0].ByHand = true
	return c
}
