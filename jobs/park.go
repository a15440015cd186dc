package jobs

import (
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
		return nacre.Errorf(nacre.Invalid, "The words of this job were forgotten; give it new ones, or delete it.")
	case placeGone:
		return nacre.Errorf(nacre.Invalid, "The conversation of this job is gone; delete it, and make it anew where you want it.")
	}
	return nacre.Errorf(nacre.Invalid, "The times of this job can no longer be read; give it other ones, or delete it.")
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
