package jobs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"nacre"
	"nacre/jobs/timetable"
)

// BoardOptions are what a Board needs. None of the functions may block.
type BoardOptions struct {
	Store Store
	// Zone is where an owner lives, whose clock counts for schedules without a
	// zone of their own.
	Zone func(nacre.OwnerID) *time.Location
	// Changed is called after every change: a job may be due earlier than the
	// Clock knows. See Clock.Look.
	Changed func()
	// Wake says that a message was put in the inbox of a session.
	Wake func(nacre.SessionInfo, nacre.Message)
	// Now reads the wall clock; nil for time.Now.
	Now func() time.Time
}

// Board is where owners, and models for them, make, change and look at jobs. Its
// methods may be called from any goroutine. Their errors are sentences for
// people where their kind is Invalid, Denied, NotFound or Conflict.
type Board struct {
	opts   BoardOptions
	adding sync.Mutex // held from looking for a double to storing the job
}

// NewBoard makes a Board.
func NewBoard(o BoardOptions) *Board {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Board{opts: o}
}

// maxJobs is how many jobs that are not finished an owner may have, without the
// heartbeat.
const maxJobs = 200

// Add makes a job. If there is the same one already, still active, that is
// returned instead of a double.
func (b *Board) Add(ctx context.Context, d nacre.JobDraft) (nacre.Job, error) {
	if err := b.permit(ctx, d.By); err != nil {
		return nacre.Job{}, err
	}
	if d.MayPlan && (!d.By.Own || d.By.Run != nil) {
		return nacre.Job{}, errOwnHand
	}
	if d.Kind == nacre.Heartbeat {
		return nacre.Job{}, errOneHeartbeat
	}
	job, err := newJob(d, b.opts.Zone(d.By.Owner), b.opts.Now())
	if err != nil {
		return nacre.Job{}, err
	}
	b.adding.Lock()
	defer b.adding.Unlock()
	have, err := b.opts.Store.JobsLeft(ctx, job.Owner)
	if err != nil {
		return nacre.Job{}, fmt.Errorf("list jobs: %w", err)
	}
	have = slices.DeleteFunc(have, func(j nacre.Job) bool { return j.Kind == nacre.Heartbeat })
	if twin, ok := twinOf(job, d, have); ok {
		return twin, nil
	}
	if len(have) >= maxJobs {
		return nacre.Job{}, errTooMany
	}
	return b.put(ctx, job)
}

func (b *Board) put(ctx context.Context, job nacre.Job) (nacre.Job, error) {
	job, err := b.opts.Store.PutJob(ctx, job)
	if err != nil {
		return nacre.Job{}, fmt.Errorf("store a job: %w", err)
	}
	b.opts.Changed()
	return job, nil
}

// Jobs lists the jobs of an owner by Number, finished ones and the heartbeat
// included.
func (b *Board) Jobs(ctx context.Context, owner nacre.OwnerID) ([]nacre.Job, error) {
	return b.opts.Store.Jobs(ctx, owner)
}

// Runs lists the newest runs of a job, or all of an owner for an empty id; newest
// first.
func (b *Board) Runs(ctx context.Context, owner nacre.OwnerID, id nacre.JobID, most int) ([]nacre.Run, error) {
	return b.opts.Store.Runs(ctx, owner, id, most)
}

// Drop deletes a job and its words. What it said, and the history of its runs,
// stay.
func (b *Board) Drop(ctx context.Context, by nacre.JobAuthor, id nacre.JobID) error {
	job, err := b.job(ctx, by, id)
	if err != nil {
		return err
	}
	if ofItself(by, id) {
		return errItself
	}
	if job.Kind == nacre.Heartbeat {
		return nacre.Errorf(nacre.Denied, "The heartbeat cannot be deleted; pause it instead.")
	}
	if err := b.opts.Store.DropJob(ctx, by.Owner, id); err != nil {
		return fmt.Errorf("delete a job: %w", err)
	}
	b.opts.Changed()
	return nil
}

// job reads a job that somebody wants to do something with.
func (b *Board) job(ctx context.Context, by nacre.JobAuthor, id nacre.JobID) (nacre.Job, error) {
	if err := b.permit(ctx, by); err != nil {
		return nacre.Job{}, err
	}
	job, err := b.opts.Store.Job(ctx, by.Owner, id)
	if nacre.KindOf(err) == nacre.NotFound {
		return nacre.Job{}, nacre.Errorf(nacre.NotFound, "There is no such job; it may have been deleted.")
	}
	return job, err
}

var (
	errNoPlan       = nacre.Errorf(nacre.Denied, "A running job cannot make jobs; its owner can allow it, in the list of jobs.")
	errOneHeartbeat = nacre.Errorf(nacre.Invalid, "There is one heartbeat already; choose a reminder or a task.")
	errItself       = nacre.Errorf(nacre.Denied, "A running job can neither pause nor delete itself; its owner can, in the list of jobs.")
	errTooMany      = nacre.Errorf(nacre.Invalid, "You have %d jobs, which is the most there can be; delete one that you no longer need first.", maxJobs)
	errOwnHand      = nacre.Errorf(nacre.Denied, "Only your own hand can allow a job to make jobs; do it in the list of jobs.")
)

// ofItself reports whether a run wants something of its own job.
func ofItself(by nacre.JobAuthor, id nacre.JobID) bool { return by.Run != nil && by.Run.Job == id }

// permit refuses what a run wants whose job may not make jobs.
func (b *Board) permit(ctx context.Context, by nacre.JobAuthor) error {
	if by.Run == nil {
		return nil
	}
	job, err := b.opts.Store.Job(ctx, by.Owner, by.Run.Job)
	if err != nil && nacre.KindOf(err) != nacre.NotFound {
		return fmt.Errorf("read a running job: %w", err)
	}
	if err != nil || !job.MayPlan {
		return errNoPlan
	}
	return nil
}

// newJob makes a job of a draft, if it is a good one.
func newJob(d nacre.JobDraft, home *time.Location, now time.Time) (nacre.Job, error) {
	if d.Session.Owner != d.By.Owner {
		return nacre.Job{}, nacre.Errorf(nacre.Denied, "This conversation belongs to somebody else, so no job can be made for you here.")
	}
	job := nacre.Job{
		ID: nacre.JobID(nacre.NewID(now)), Owner: d.By.Owner, Session: d.Session, Kind: d.Kind, Schedule: tidy(d.Schedule, now),
		Text: legible(d.Text), State: nacre.Active, Made: now, Grace: cmp.Or(d.Grace, usualGrace), MayPlan: d.MayPlan, Strange: d.Strange,
	}
	if err := check(&job, home, now); err != nil {
		return nacre.Job{}, err
	}
	job.Next = timetable.Next(job.Schedule, home, now)
	return job, nil
}

// twinOf finds a job that is still active and does the same at the same times.
func twinOf(job nacre.Job, d nacre.JobDraft, have []nacre.Job) (nacre.Job, bool) {
	for _, h := range have {
		if d.Schedule.At.IsZero() && job.Schedule.Kind == nacre.Every {
			job.Schedule.At = h.Schedule.At // whoever says "every two hours" means no hours in particular
		}
		if h.State == nacre.Active && h.Kind == job.Kind && h.Text == job.Text && h.Session.ID == job.Session.ID && same(h.Schedule, job.Schedule) {
			return h, true
		}
	}
	return nacre.Job{}, false
}
