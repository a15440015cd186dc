package jobs

import (
	"errors"
	"time"

	"nacre"
)

// maxFailures is how many runs of a job fail in a row before it is disabled.
const maxFailures = 10

// backOff is how long a task waits before it is tried again, after its first,
// second and third attempt.
var backOff = [...]time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute}

// longestWait is how long a run waits at most. One that is to wait longer had its
// time from a clock that was wrong.
const longestWait = time.Hour

// Codes of failures, as the history of runs shows them; else it is a nacre.Kind.
const (
	codeDeadline    = "deadline"
	codePanic       = "panic"
	codeInterrupted = "interrupted"
)

// ending ends a run.
func ending(run nacre.Run, s nacre.RunState, why string, now time.Time) nacre.JobEnding {
	run.State, run.Reason, run.Ended = s, why, now
	return nacre.JobEnding{Run: run}
}

// before ends a run that must not begin: of a job that rests meanwhile, or that
// processes died in twice in a row, the first time it is given back; and one that
// is too late to be made up for. A heartbeat that does not begin on time, or was
// interrupted, is not made up for.
func before(job nacre.Job, run nacre.Run, home *time.Location, now time.Time) (e nacre.JobEnding, ends bool) {
	beat := job.Kind == nacre.Heartbeat && !run.ByHand
	switch {
	case run.State == nacre.Running && beat:
		return ending(run, nacre.Broken, codeInterrupted, now), true
	case run.State == nacre.Running && run.Reason != codeInterrupted:
		run.State, run.Reason, run.NotUntil = nacre.Claimed, codeInterrupted, time.Time{}
		return nacre.JobEnding{Run: run}, true
	case run.State == nacre.Running:
		return broken(job, run, now), true
	case unfit(&job, home) != "":
		return ending(run, nacre.Missed, reasonParked, now), true
	case job.State != nacre.Active && job.State != nacre.Finished && !run.ByHand:
		return ending(run, nacre.Missed, reasonPaused, now), true
	case beat && now.Sub(run.Slot) > beatLate:
		return ending(run, nacre.Missed, reasonLate, now), true
	case overdue(job, run, now):
		e = ending(run, nacre.Missed, reasonLate, now)
		e.Say = sayOutcome(job, run.Slot, job.Session, leftOut(notBegun, job, job, run.Slot, 1, home, now), now)
		return e, true
	}
	return e, false
}

// overdue reports whether a run that waits is too late to be made up for, since
// its slot or since it was to be tried again.
func overdue(job nacre.Job, run nacre.Run, now time.Time) bool {
	due := run.Slot
	if run.NotUntil.After(due) {
		due = run.NotUntil
	}
	return !run.ByHand && job.Kind != nacre.Heartbeat && now.Sub(due) > max(onTime, job.Grace)
}

// broken ends a run in which processes died twice.
func broken(job nacre.Job, run nacre.Run, now time.Time) nacre.JobEnding {
	e := ending(run, nacre.Broken, codeInterrupted, now)
	e.Job = failed(job)
	text := interrupted(job)
	if e.Job.State == nacre.Disabled {
		text = stopped(*e.Job, "It was interrupted twice.")
	}
	e.Say = sayOutcome(job, run.Slot, job.Session, text, now)
	return e
}

// givenBack lets the next start begin a run anew that Nacre's own end has stopped;
// a heartbeat is not worth that.
func givenBack(job nacre.Job, run nacre.Run, now time.Time) nacre.JobEnding {
	if job.Kind == nacre.Heartbeat && !run.ByHand {
		return ending(run, nacre.Missed, codeInterrupted, now)
	}
	run.State = nacre.Claimed
	run.Attempts--
	return nacre.JobEnding{Run: run}
}

// beatLate is how long a heartbeat may wait for its turn.
const beatLate = 30 * time.Minute

// success ends a run that has done its work.
func success(job nacre.Job, run nacre.Run, out Outcome, now time.Time) nacre.JobEnding {
	e := ending(run, nacre.Quiet, out.Reason, now)
	if job.Failures > 0 {
		job.Failures = 0
		e.Job = &job
	}
	if out.Text == "" {
		return e
	}
	where := job.Session
	if out.Where != nil {
		where = *out.Where
	}
	e.Run.State = nacre.Done
	e.Say = sayOutcome(job, run.Slot, where, out.Text, now)
	e.Say.Message.Due.Strange = out.Strange || job.Strange
	return e
}

// failure ends a run that failed, or lets it wait for another attempt. Its owner
// is told once a day. Heartbeats fail in silence; that nobody can be reached is no
// fault of theirs.
func failure(job nacre.Job, run nacre.Run, err error, home *time.Location, now time.Time) nacre.JobEnding {
	if again := retry(job, run, err, now); !again.IsZero() {
		run.State, run.Reason, run.NotUntil = nacre.Claimed, codeOf(err), again
		return nacre.JobEnding{Run: run}
	}
	e := ending(run, nacre.Failure, codeOf(err), now)
	if job.Kind == nacre.Heartbeat && nacre.KindOf(err) == nacre.Transient {
		return e
	}
	e.Job = failed(job)
	switch {
	case e.Job.State == nacre.Disabled:
		e.Say = sayOutcome(job, run.Slot, job.Session, stopped(*e.Job, because(err)), now)
	case job.Kind != nacre.Heartbeat:
		e.Say = sayOutcome(job, run.Slot, job.Session, unable(job, err, home, now), now)
		e.Day = now.In(home).Format(time.DateOnly)
	}
	return e
}

// failed is a job after one more failure.
func failed(job nacre.Job) *nacre.Job {
	if job.Failures++; job.Failures >= maxFailures && job.State == nacre.Active {
		job.State = nacre.Disabled
	}
	return &job
}

// retry is when a run that failed is tried again; zero for never. The slot after
// it must not wait for that.
func retry(job nacre.Job, run nacre.Run, err error, now time.Time) time.Time {
	if job.Kind == nacre.Heartbeat || run.Attempts < 1 || run.Attempts > len(backOff) {
		return time.Time{}
	}
	at := now.Add(min(max(backOff[run.Attempts-1], nacre.RetryAfter(err)), longestWait))
	if !job.Next.IsZero() && !at.Before(job.Next) {
		return time.Time{}
	}
	return at
}

// codeOf is how a failure is recorded.
func codeOf(err error) string {
	switch {
	case errors.Is(err, errDeadline):
		return codeDeadline
	case errors.Is(err, errPanic):
		return codePanic
	}
	return nacre.KindOf(err).String()
}
