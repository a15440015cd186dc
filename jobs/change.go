package jobs

import (
	"context"
	"fmt"
	"time"

	"nacre"
	"nacre/jobs/timetable"
)

// maxTries is how often a change is decided anew because the job changed
// meanwhile.
const maxTries = 5

// Change changes a job: its words, its times, its kind, how late it is made up
// for, whether it may make jobs, and whether it rests. It never runs what was
// missed while the job rested.
func (b *Board) Change(ctx context.Context, by nacre.JobAuthor, id nacre.JobID, c nacre.JobChange) (nacre.Job, error) {
	if c.MayPlan != nil && *c.MayPlan && (!by.Own || by.Run != nil) {
		return nacre.Job{}, errOwnHand
	}
	if c.State == nacre.Paused && ofItself(by, id) {
		return nacre.Job{}, errItself
	}
	var err error
	for range maxTries {
		var was, job nacre.Job
		if was, err = b.job(ctx, by, id); err != nil {
			return nacre.Job{}, err
		}
		if was.State == nacre.Parked && c.State == nacre.Active {
			if err = b.reachable(ctx, was); err != nil {
				return nacre.Job{}, err
			}
		}
		home, now := b.opts.Zone(by.Owner), b.opts.Now()
		if job, err = changed(was, c, home, now); err != nil {
			return nacre.Job{}, err
		}
		job.Strange = strange(was, c, by.Own)
		missed := passedOver(was, &job, home, now)
		if err = b.opts.Store.ChangeJob(ctx, was, job, missed...); err == nil {
			b.opts.Changed()
			return job, nil
		}
		if nacre.KindOf(err) != nacre.Conflict {
			break
		}
	}
	return nacre.Job{}, fmt.Errorf("change a job: %w", err)
}

// reachable refuses to let a job go on whose chat is gone.
func (b *Board) reachable(ctx context.Context, job nacre.Job) error {
	gone, err := b.opts.Store.Gone(ctx, job.Session.Chat)
	if err != nil {
		return fmt.Errorf("look after a chat: %w", err)
	}
	if gone && job.Kind != nacre.Heartbeat {
		return nacre.Errorf(nacre.Invalid, "Its chat does not take my messages any more; write to me there, and it goes on by itself.")
	}
	return nil
}

// changed is what becomes of a job by a change, if that is a good one.
func changed(job nacre.Job, c nacre.JobChange, home *time.Location, now time.Time) (nacre.Job, error) {
	if job.Kind == nacre.Heartbeat && (c.Text != "" || c.Kind != "") {
		return job, nacre.Errorf(nacre.Denied, "The heartbeat has no words of its own; write in HEARTBEAT.md what it shall look after.")
	}
	if job.Kind != nacre.Heartbeat && c.Kind == nacre.Heartbeat {
		return job, nacre.Errorf(nacre.Invalid, "A job cannot become a heartbeat; choose a reminder or a task.")
	}
	if c.Text != "" {
		job.Text = legible(c.Text)
	}
	if c.Kind != "" {
		job.Kind = c.Kind
	}
	if c.Grace != 0 {
		job.Grace = c.Grace
	}
	if c.MayPlan != nil {
		job.MayPlan = *c.MayPlan
	}
	return retimed(job, c, home, now)
}

// strange reports whether the words of a job may be those of strangers after a
// change. Only new ones by its owner's own hand are certainly not.
func strange(was nacre.Job, c nacre.JobChange, own bool) bool {
	return (c.Text == "" || !own) && (was.Strange || c.Strange)
}

// retimed carries out the part of a change that moves the next slot.
func retimed(job nacre.Job, c nacre.JobChange, home *time.Location, now time.Time) (nacre.Job, error) {
	if c.Schedule != nil {
		job.Schedule, job.Chosen = tidy(*c.Schedule, now), true
		if job.State == nacre.Finished {
			job.State = nacre.Active
		}
	}
	if err := checkChange(&job, c, home, now); err != nil {
		return job, err
	}
	if c.Schedule != nil {
		job.Next = timetable.Next(job.Schedule, home, now)
	}
	if job.State == nacre.Parked && (c.Schedule != nil || c.Text != "") {
		job = mended(job, home, now)
	}
	switch c.State {
	case "":
		return job, nil
	case nacre.Paused:
		return pause(job)
	case nacre.Active:
		return resume(job, home, now)
	}
	return job, nacre.Errorf(nacre.Invalid, "A job can be paused or go on, nothing else.")
}

// mended is a parked job that got other words or times, which may be all that it
// lacked.
func mended(job nacre.Job, home *time.Location, now time.Time) nacre.Job {
	if on, err := resume(job, home, now); err == nil {
		return on
	}
	return job
}

func pause(job nacre.Job) (nacre.Job, error) {
	switch job.State {
	case nacre.Finished:
		return job, nacre.Errorf(nacre.Invalid, "This job is finished, so there is nothing to pause.")
	case nacre.Active:
		job.State = nacre.Paused
	}
	return job, nil
}

// resume lets a job go on with its first slot from now. An active one goes on as
// it is.
func resume(job nacre.Job, home *time.Location, now time.Time) (nacre.Job, error) {
	if job.State == nacre.Active {
		return job, nil
	}
	if err := unfitness(&job, home); err != nil {
		return job, err
	}
	job.Next = timetable.Next(job.Schedule, home, now)
	if job.Next.IsZero() {
		return job, nacre.Errorf(nacre.Invalid, "The time of this job is past; give it another time.")
	}
	job.State, job.Failures = nacre.Active, 0
	return job, nil
}

// passedOver is the run that a change leaves out: of the slot that has come
// although the Clock has not come to it, as while the program does not run or the
// job is parked.
func passedOver(was nacre.Job, job *nacre.Job, home *time.Location, now time.Time) []nacre.Run {
	stays := job.State == nacre.Active && job.Next.Equal(was.Next)
	rests := was.State != nacre.Active && was.State != nacre.Parked
	if rests || was.Next.IsZero() || was.Next.After(now) || stays || was.Kind == nacre.Heartbeat {
		return nil
	}
	slot, n := newestSlot(was, home, now)
	job.Last = slot
	why := reasonChanged
	switch {
	case was.State == nacre.Parked:
		why = reasonParked
	case job.State == nacre.Paused:
		why = reasonPaused
	}
	return []nacre.Run{missed(was, slot, why, n, now)}
}
