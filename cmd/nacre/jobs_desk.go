package main

import (
	"context"
	"slices"
	"time"

	"nacre"
	"nacre/agent/reflect"
	"nacre/jobs"
	"nacre/jobs/timetable"
	"nacre/memory"
	"nacre/web"
)

// jobsDesk is an owner's jobs in their own hand. It is a web.Jobs.
type jobsDesk struct {
	board *jobs.Board
	home  func(context.Context, nacre.OwnerID) (nacre.SessionInfo, error) // where an owner wrote last in private
	aside asideReader
	round func(ctx context.Context, owner nacre.OwnerID, name nacre.JobID) error // does it now
	owner nacre.OwnerID
	zone  *time.Location // where they live
	runs  func() bool    // whether Nacre serves, so that what is due comes
}

// asideReader is who reads back what owners said; a reflect.Reflector is one.
type asideReader interface {
	Aside(ctx context.Context, owner nacre.OwnerID) ([]memory.Batch, error)
	Again(ctx context.Context, owner nacre.OwnerID) (reflect.Report, error)
}

// Jobs implements web.Desk.
func (a *app) Jobs(h web.Hand) web.Jobs {
	owner := a.ownerOf(h)
	return jobsDesk{board: a.board, home: a.ledger.Home, aside: a.reflector, round: a.roundNow, owner: owner, zone: a.zoneOf(owner), runs: func() bool { return !a.since.IsZero() }}
}

// hand is the owner's own.
func (j jobsDesk) hand() nacre.JobAuthor { return nacre.JobAuthor{Owner: j.owner, Own: true} }

// List implements web.Jobs.
func (j jobsDesk) List(ctx context.Context, q web.JobQuery) (web.JobListing, error) {
	all, err := j.board.Jobs(ctx, j.owner)
	if err != nil {
		return web.JobListing{}, err
	}
	aside, err := j.aside.Aside(ctx, j.owner)
	if err != nil {
		return web.JobListing{}, err
	}
	list := web.JobListing{Jobs: []web.Job{}, Aside: len(aside)}
	for _, job := range all {
		if job.State == nacre.Finished && !q.Over {
			list.Over++
			continue
		}
		list.Jobs = append(list.Jobs, j.shown(job))
	}
	return list, nil
}

// Show implements web.Jobs.
func (j jobsDesk) Show(ctx context.Context, n web.JobNumber) (web.JobSheet, error) {
	job, err := j.job(ctx, n.Job)
	if err != nil {
		return web.JobSheet{}, err
	}
	runs, err := j.Runs(ctx, web.RunQuery{Job: n.Job, Most: 10})
	return web.JobSheet{Job: j.shown(job), Runs: runs}, err
}

// job is the job of a number.
func (j jobsDesk) job(ctx context.Context, number int) (nacre.Job, error) {
	all, err := j.board.Jobs(ctx, j.owner)
	if err != nil {
		return nacre.Job{}, err
	}
	i := slices.IndexFunc(all, func(job nacre.Job) bool { return job.Number == number })
	if i < 0 {
		return nacre.Job{}, nacre.Errorf(nacre.NotFound, "There is no job %d; nacre jobs shows those that there are.", number)
	}
	return all[i], nil
}

// Add implements web.Jobs.
func (j jobsDesk) Add(ctx context.Context, w web.JobWish) (web.Job, error) {
	d, err := j.draft(w)
	if err != nil {
		return web.Job{}, err
	}
	d.Session, err = j.home(ctx, j.owner)
	if nacre.KindOf(err) == nacre.NotFound {
		return web.Job{}, nacre.Errorf(nacre.NotFound, "I would not know where to tell you. Write to me once in a private chat, or with nacre chat, and make it then.")
	}
	if err != nil {
		return web.Job{}, err
	}
	job, err := j.board.Add(ctx, d)
	return j.shown(job), err
}

// Edit implements web.Jobs.
func (j jobsDesk) Edit(ctx context.Context, w web.JobWish) (web.Job, error) {
	job, err := j.job(ctx, w.Job)
	if err != nil {
		return web.Job{}, err
	}
	change, err := j.change(job, w)
	if err != nil {
		return web.Job{}, err
	}
	job, err = j.board.Change(ctx, j.hand(), job.ID, change)
	return j.shown(job), err
}

// Do implements web.Jobs.
func (j jobsDesk) Do(ctx context.Context, d web.JobDeed) (web.Job, error) {
	job, err := j.job(ctx, d.Job)
	if err != nil {
		return web.Job{}, err
	}
	switch d.Do {
	case web.PauseJob:
		job, err = j.board.Change(ctx, j.hand(), job.ID, nacre.JobChange{State: nacre.Paused})
	case web.ResumeJob:
		job, err = j.board.Change(ctx, j.hand(), job.ID, nacre.JobChange{State: nacre.Active})
	case web.RunJob:
		err = j.board.RunNow(ctx, j.hand(), job.ID)
	case web.DeleteJob:
		err = j.board.Drop(ctx, j.hand(), job.ID)
	default:
		err = nacre.Errorf(nacre.Invalid, "A job can be paused, resumed, run and deleted.")
	}
	return j.shown(job), err
}

// shown is a job as it goes to people.
func (j jobsDesk) shown(job nacre.Job) web.Job {
	zone, now := timetable.Zone(job.Schedule, j.zone), time.Now()
	w := web.Job{ID: job.ID, Number: job.Number, Kind: job.Kind, Text: job.Text, State: job.State, Schedule: job.Schedule,
		When: timetable.Words(job.Schedule, j.zone), Place: placeOfJob(job), Grace: timetable.Length(job.Grace), Failures: job.Failures,
		MayPlan: job.MayPlan, Made: job.Made.In(j.zone), Waits: !j.runs()}
	if !job.Next.IsZero() {
		w.Next = job.Next.In(zone)
	}
	if !job.Next.IsZero() && job.State == nacre.Active {
		w.NextWords = timetable.Moment(job.Next, zone, now)
	}
	if !job.Last.IsZero() {
		w.Last, w.LastWords = job.Last.In(zone), timetable.Moment(job.Last, zone, now)
	}
	return w
}

// placeOfJob is where a job speaks. A heartbeat speaks wherever its owner wrote
// last.
func placeOfJob(job nacre.Job) string {
	switch {
	case job.Kind == nacre.Heartbeat:
		return "where you wrote last in private"
	case job.Session.Private:
		return "in your private chat on " + string(job.Session.Chat.Channel)
	}
	return "in a group on " + string(job.Session.Chat.Channel)
}
