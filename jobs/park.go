package jobs

import (
	"context"
	"fmt"
	"time"

	"nacre"
	"nacre/jobs/timetable"
)

// Why a job cannot run any more.
const (
	wordsGone = "words"
	timesGone = "times"
	zoneGone  = "zone"
	placeGone = "place"
	chatGone  = "chat"
	refused   = "refused" // the ledger does not take what becomes of it
)

// unfit says why a job cannot run any more, as far as it tells itself; empty if it
// can. A heartbeat needs no words.
func unfit(job *nacre.Job, home *time.Location) string {
	switch {
	case job.Session.ID == "":
		return placeGone
	case timetable.Sound(job.Schedule, job.Kind, home) != nil:
		if _, err := time.LoadLocation(job.Schedule.Zone); err != nil {
			return zoneGone
		}
		return timesGone
	case job.Text == "" && job.Kind != nacre.Heartbeat:
		return wordsGone
	}
	return ""
}

// unfitness refuses a job that cannot run, with a sentence that says how to mend
// it.
func unfitness(job *nacre.Job, home *time.Location) error {
	switch unfit(job, home) {
	case "":
		return nil
	case wordsGone:
		return nacre.Errorf(nacre.Invalid, "The words of this job were forgotten or can no longer be read; give it new ones, or delete it.")
	case placeGone:
		return nacre.Errorf(nacre.Invalid, "The conversation of this job is gone; delete it, and make it anew where you want it.")
	case zoneGone:
		return nacre.Errorf(nacre.Invalid, "The time zone %s of this job is not known here any more; give it other times, or delete it.", job.Schedule.Zone)
	}
	return nacre.Errorf(nacre.Invalid, "The times of this job can no longer be read; give it other ones, or delete it.")
}

// parked lays a job aside. Its Next stays, so that it is known what it missed.
func parked(job nacre.Job) nacre.JobClaim {
	c := nacre.JobClaim{Was: job, Job: job}
	c.Job.State = nacre.Parked
	return c
}

// revive lets parked jobs go on whose hindrance is gone: a chat takes messages
// again, or a zone is known again. What they missed is made up for, or told, as
// after the program did not run.
func (c *Clock) revive(ctx context.Context, now time.Time) error {
	all, err := c.opts.Store.Parked(ctx)
	if err != nil {
		return fmt.Errorf("list parked jobs: %w", err)
	}
	var claims []nacre.JobClaim
	for _, job := range all {
		home := c.opts.Zone(job.Owner)
		why, err := c.hindrance(ctx, job, home)
		if err != nil {
			return err
		}
		if why == "" {
			claims = append(claims, revived(job, home, now, c.pool.open(job, now)))
		}
	}
	return c.takeAll(ctx, claims, make([]string, len(claims)))
}

// revived is a parked job that goes on.
func revived(job nacre.Job, home *time.Location, now time.Time, open bool) nacre.JobClaim {
	if !job.Next.After(now) {
		return decide(job, home, now, open)
	}
	c := nacre.JobClaim{Was: job, Job: job}
	c.Job.State = nacre.Active
	return c
}
