package jobs

import (
	"fmt"
	"hash/fnv"
	"time"

	"nacre"
	"nacre/jobs/timetable"
)

// onTime is how long after its slot a job still counts as on time.
const onTime = time.Minute

// Reasons of runs that were Missed, as the history of runs shows them. One that
// stands for several slots has their number behind it: "late x3".
const (
	reasonLate    = "late"    // beyond the grace period
	reasonMerged  = "made up" // for by a later slot
	reasonBusy    = "busy"    // the run before was not over
	reasonParked  = "parked"  // the job cannot run
	reasonPaused  = "paused"  // between its slot and its begin
	reasonDropped = "deleted" // between its slot and its begin
	reasonChanged = "changed" // its times, when its slot had come
)

// decide says what becomes of a job that is due, or was when it was parked: its newest slot runs, or is
// said, if it is on time or within the grace period; it stands for the older
// ones. open tells that a run of the job has not ended.
func decide(job nacre.Job, home *time.Location, now time.Time, open bool) nacre.JobClaim {
	slot, n := newestSlot(job, home, now)
	c := nacre.JobClaim{Was: job, Job: advanced(job, slot, home, now)}
	lateness := now.Sub(slot)
	switch {
	case job.Kind == nacre.Heartbeat:
		if lateness <= onTime && !open {
			c.Runs = []nacre.Run{claimed(job, slot)}
		}
		return c
	case lateness > max(onTime, job.Grace):
		c.Runs = []nacre.Run{missed(job, slot, reasonLate, n, now)}
		why := notRunning
		if job.State == nacre.Parked {
			why = wasAside
		}
		c.Say = say(job, slot, leftOut(why, job, c.Job, slot, n, home, now), now)
		return c
	case job.Kind == nacre.Reminder:
		c.Runs = []nacre.Run{said(job, slot, now)}
		c.Say = say(job, slot, ring(job, slot, n, home, now), now)
	case open:
		c.Runs = []nacre.Run{missed(job, slot, reasonBusy, n, now)}
		return c
	default:
		c.Runs = []nacre.Run{claimed(job, slot)}
		c.Runs[0].NotUntil = slot.Add(spread(job, slot, home))
	}
	if n > 1 {
		older, _ := timetable.Latest(job.Schedule, home, job.Next.Add(-time.Millisecond), slot.Add(-time.Millisecond))
		if older.IsZero() {
			older = job.Next
		}
		c.Runs = append(c.Runs, missed(job, older, reasonMerged, n-1, now))
	}
	return c
}

// newestSlot is the newest slot of a due job that has come, and how many came
// since it was looked at last. A slot that its schedule does not name any more,
// because a zone has changed, counts as well.
func newestSlot(job nacre.Job, home *time.Location, now time.Time) (time.Time, int) {
	slot, n := timetable.Latest(job.Schedule, home, job.Next.Add(-time.Millisecond), now)
	if n == 0 {
		return job.Next, 1
	}
	return slot, n
}

// advanced is a job that is done with its slots up to now.
func advanced(job nacre.Job, slot time.Time, home *time.Location, now time.Time) nacre.Job {
	job.Last, job.State = slot, nacre.Active
	job.Next = timetable.Next(job.Schedule, home, now)
	if job.Next.IsZero() {
		job.State = nacre.Finished
	}
	return job
}

// replanned is an active job whose next slot is worked out anew: it is the first
// one from now, whatever the clock, the zone and the rules of the zone were when
// it was stored. One that is due stays due. moved is false if nothing changes.
func replanned(job nacre.Job, home *time.Location, now time.Time) (_ nacre.Job, moved bool) {
	if job.State != nacre.Active || !job.Next.After(now) && !job.Next.IsZero() {
		return job, false
	}
	next := timetable.Next(job.Schedule, home, now)
	if next.Equal(job.Next) {
		return job, false
	}
	job.Next = next
	if next.IsZero() {
		job.State = nacre.Finished
	}
	return job, true
}

func claimed(job nacre.Job, slot time.Time) nacre.Run {
	return nacre.Run{Job: job.ID, Owner: job.Owner, Slot: slot, State: nacre.Claimed}
}

// said is the run of a reminder, which is over when it is claimed.
func said(job nacre.Job, slot, now time.Time) nacre.Run {
	return nacre.Run{Job: job.ID, Owner: job.Owner, Slot: slot, State: nacre.Done, Attempts: 1, Began: now, Ended: now}
}

func missed(job nacre.Job, slot time.Time, why string, n int, now time.Time) nacre.Run {
	if n > 1 {
		why = fmt.Sprintf("%s x%d", why, n)
	}
	return nacre.Run{Job: job.ID, Owner: job.Owner, Slot: slot, State: nacre.Missed, Ended: now, Reason: why}
}

// maxSpread is over how long tasks are spread that are all due at the top of an
// hour.
const maxSpread = 2 * time.Minute

// spread is how long after its slot a task may begin: always the same for a job,
// in whole seconds.
func spread(job nacre.Job, slot time.Time, home *time.Location) time.Duration {
	if slot.In(timetable.Zone(job.Schedule, home)).Minute() != 0 {
		return 0
	}
	h := fnv.New32a()
	h.Write([]byte(job.ID))
	return time.Duration(h.Sum32()%uint32(maxSpread/time.Second+1)) * time.Second
}
