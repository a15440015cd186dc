package jobs

import (
	"time"

	"nacre"
)

// Why a job cannot run any more.
const (
	wordsGone = "words"
	zoneGone  = "zone"
	chatGone  = "chat"
)

// unfit says why a job cannot run any more, as far as it tells itself; empty if it
// can. A heartbeat needs no words.
func unfit(job *nacre.Job) string {
	if job.Schedule.Kind == "" || job.Text == "" && job.Kind != nacre.Heartbeat {
		return wordsGone
	}
	if job.Schedule.Zone != "" {
		if _, err := time.LoadLocation(job.Schedule.Zone); err != nil {
			return zoneGone
		}
	}
	return ""
}

// parked lays a job aside, and leaves out the slot at which that was found.
func parked(job nacre.Job, now time.Time) nacre.JobClaim {
	c := nacre.JobClaim{Was: job, Job: job}
	c.Job.State = nacre.Parked
	if !job.Next.IsZero() && !job.Next.After(now) {
		c.Job.Last = job.Next
		c.Runs = []nacre.Run{missed(job, job.Next, reasonParked, 1, now)}
	}
	return c
}
