package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/agenda"
	"nacre/agent/heartbeat"
	"nacre/agent/llm"
	"nacre/jobs"
	"nacre/jobs/timetable"
	"nacre/memory/folder"
	"nacre/memory/render"
)

// wireBoard builds what makes jobs, and what people and models reach it by. It
// is called before there are sessions.
func (a *app) wireBoard() *agenda.Agenda {
	a.board = jobs.NewBoard(jobs.BoardOptions{
		Store:   liveJobs{a.ledger, a.page, a.meter},
		Zone:    a.zoneOf,
		Changed: func() { a.clock.Look() },
		Wake:    func(s nacre.SessionInfo, m nacre.Message) { a.sessions.Wake(s, m) },
	})
	return agenda.New(agenda.Options{
		Board:     a.board,
		Zone:      a.zoneOf,
		Log:       a.log,
		Heartbeat: a.ensureHeartbeat,
		Rounds:    a.roundNow,
		Promoted:  a.promotedLines,
		Aside:     a.asideLines,
	})
}

// wireClock builds what runs jobs, over the sessions.
func (a *app) wireClock() {
	a.heart = heartbeat.New(heartbeat.Options{
		Run:      a.sessions.Run,
		Text:     func(owner nacre.OwnerID) (string, error) { return a.ownText(owner, folder.Heartbeat) },
		Plans:    a.plans,
		Soon:     a.soon,
		Home:     a.ledger.Home,
		Spent:    a.ledger.Spent,
		Zone:     a.zoneOf,
		Hours:    a.hoursOf,
		MaxCalls: a.cfg.Heartbeat.Calls,
		MaxSaid:  a.cfg.Heartbeat.Messages,
		Log:      a.log,
	})
	a.clock = jobs.New(jobs.Options{
		Store:  liveJobs{a.ledger, a.page, a.meter},
		Worker: worker{a},
		Rounds: a.rounds(),
		Owners: a.ownerIDs,
		Zone:   a.zoneOf,
		Wake:   a.sessions.Wake,
		Tell:   a.tell,
		Chores: []jobs.Chore{
			{Name: "finish what is being forgotten", Do: a.library.Resume},
			{Name: "heartbeats of new owners", Do: a.ensureHeartbeats},
			{Name: "words of what was sent", Do: func(ctx context.Context) error { return a.ledger.ClearSent(ctx, time.Now()) }},
			{Name: "backups", Do: a.backups.whenDue},
			{Name: "jobs that are over", Daily: true, Do: func(ctx context.Context) error {
				return a.ledger.ClearJobs(ctx, time.Now().Add(-overFor))
			}},
		},
		Log: a.log,
	})
}

// overFor is how long finished jobs, and the history of deleted ones, are kept.
const overFor = 90 * 24 * time.Hour

// runClock makes the owners' heartbeats and runs what is due until ctx ends.
func (a *app) runClock(ctx context.Context) {
	if err := a.ensureHeartbeats(ctx); err != nil && ctx.Err() == nil {
		a.log.Error("the owners' heartbeats could not be made; the next hour tries again", "err", err)
	}
	a.well.setClock(true)
	defer a.well.setClock(false)
	if err := a.clock.Run(ctx); err != nil && ctx.Err() == nil {
		a.log.Error("nothing runs by itself any more; start Nacre again", "err", err)
	}
}

// ensureHeartbeats gives each owner a heartbeat; one who gets none keeps no other
// from theirs.
func (a *app) ensureHeartbeats(ctx context.Context) error {
	owners, err := a.ownerIDs(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, owner := range owners {
		errs = append(errs, a.ensureHeartbeat(ctx, owner))
	}
	return errors.Join(errs...)
}

// ensureHeartbeat gives an owner who has written in private a heartbeat, unless
// they have one.
func (a *app) ensureHeartbeat(ctx context.Context, owner nacre.OwnerID) error {
	if a.cfg.Heartbeat.Every == 0 {
		return nil
	}
	home, err := a.ledger.Home(ctx, owner)
	if nacre.KindOf(err) == nacre.NotFound {
		return nil
	}
	if err == nil {
		_, err = a.board.EnsureHeartbeat(ctx, owner, home, nacre.Schedule{Kind: nacre.Every, Every: a.cfg.Heartbeat.Every})
	}
	if err != nil {
		return fmt.Errorf("make the heartbeat of %s: %w", owner, err)
	}
	return nil
}

func (a *app) ownerIDs(ctx context.Context) ([]nacre.OwnerID, error) {
	owners, err := a.ledger.Owners(ctx)
	ids := make([]nacre.OwnerID, len(owners))
	for i, o := range owners {
		ids[i] = o.ID
	}
	return ids, err
}

// ownText is one of the texts by which an owner steers what runs by itself.
func (a *app) ownText(owner nacre.OwnerID, name string) (string, error) {
	t, err := a.folder.Text(owner, name)
	return t.Words, err
}

// worker does what is due and needs a model. It is a jobs.Worker.
type worker struct{ app *app }

// Work implements jobs.Worker.
func (w worker) Work(ctx context.Context, job nacre.Job, run nacre.Run) (jobs.Outcome, error) {
	ctx, counted := llm.Counting(ctx)
	out, err := w.work(ctx, job, run)
	out.Used = nacre.Usage(counted.Total())
	return out, err
}

func (w worker) work(ctx context.Context, job nacre.Job, run nacre.Run) (jobs.Outcome, error) {
	switch {
	case job.Kind == nacre.Heartbeat && w.app.cfg.Heartbeat.Every == 0:
		return jobs.Outcome{Reason: "off"}, nil
	case job.Kind == nacre.Heartbeat:
		text, where, reason, strange, err := w.app.heart.Beat(ctx, job, run)
		return jobs.Outcome{Text: text, Where: &where, Reason: reason, Strange: strange}, err
	}
	r, err := w.app.sessions.Run(ctx, agent.Errand{Info: job.Session, Run: run, MayPlan: job.MayPlan, Text: job.Text})
	return jobs.Outcome{Text: heartbeat.Spoken(r.Text), Strange: r.Strange}, err
}

// plans are an owner's plans of today and tomorrow, a line each.
func (a *app) plans(ctx context.Context, owner nacre.OwnerID, now time.Time) ([]string, error) {
	list, err := a.library.Book(owner).Plans(ctx, now)
	var lines []string
	for _, n := range list {
		lines = append(lines, fmt.Sprintf("%s (%s)", render.Plain(n.Text), n.Event))
	}
	return lines, err
}

// soonWithin is how far ahead a heartbeat looks at what is due once.
const soonWithin = 24 * time.Hour

// soon are an owner's reminders and tasks that are due once, in the next hours, a
// line each. Those that repeat are routine, and no reason to ask a model.
func (a *app) soon(ctx context.Context, owner nacre.OwnerID, now time.Time) ([]string, error) {
	list, err := a.board.Jobs(ctx, owner)
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, j := range list {
		if j.Kind != nacre.Heartbeat && j.Schedule.Kind == nacre.Once && j.State == nacre.Active && !j.Next.IsZero() && j.Next.Before(now.Add(soonWithin)) {
			zone := timetable.Zone(j.Schedule, a.zoneOf(owner))
			lines = append(lines, fmt.Sprintf("%s: %s", j.Next.In(zone).Format("Mon 2 Jan 15:04"), render.Plain(j.Text)))
		}
	}
	return lines, nil
}
