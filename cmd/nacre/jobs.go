package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"nacre"
	"nacre/memory"
	"nacre/web"
)

// jobsCommand is the operator's jobs on the command line.
type jobsCommand struct {
	List    jobsList    `cmd:"" default:"withargs" help:"List reminders, tasks and the heartbeat (the default)."`
	Show    jobsShow    `cmd:"" help:"Show a job, and what became of it."`
	Add     jobsAdd     `cmd:"" help:"Make a reminder or a task."`
	Edit    jobsEdit    `cmd:"" help:"Change the words of a job, its times or how it is done."`
	Pause   jobsPause   `cmd:"" help:"Let a job rest."`
	Resume  jobsResume  `cmd:"" help:"Let a job go on."`
	Run     jobsRun     `cmd:"" help:"Run a job now, besides its times, or one of the rounds that keep memory in order."`
	Delete  jobsDelete  `cmd:"" help:"Delete a job and its words."`
	History jobsHistory `cmd:"" help:"Show what ran, what came of it and what it cost."`
	Aside   jobsAside   `cmd:"" help:"Show which messages could not be read back for memory, or read them again."`
}

// atJobs runs f with the operator's jobs.
func (c call) atJobs(f func(web.Jobs) error) error {
	return c.atDesk(func(d web.Desk) error { return f(d.Jobs(web.Hand{By: memory.ByShell})) })
}

// show prints what a desk answered, as JSON or as text.
func show[T any](c call, asJSON bool, value T, err error, text func(T) string) error {
	if err != nil {
		return err
	}
	if asJSON {
		return c.printJSON(value)
	}
	_, err = io.WriteString(c.out, text(value))
	return err
}

type jobsList struct {
	All  bool `help:"Also those that are over."`
	JSON bool `help:"Print it as JSON."`
}

// Run lists jobs.
func (l jobsList) Run(c call) error {
	return c.atJobs(func(j web.Jobs) error {
		list, err := j.List(c.ctx, web.JobQuery{Over: l.All})
		return show(c, l.JSON, list, err, func(l web.JobListing) string { return jobsText(l, newSheet(c).width) })
	})
}

type jobsShow struct {
	Job  int  `arg:"" name:"number" help:"Which job."`
	JSON bool `help:"Print it as JSON."`
}

// Run shows one job.
func (s jobsShow) Run(c call) error {
	return c.atJobs(func(j web.Jobs) error {
		sheet, err := j.Show(c.ctx, web.JobNumber{Job: s.Job})
		return show(c, s.JSON, sheet, err, jobSheetText)
	})
}

// jobTimes are the options that say when and how.
type jobTimes struct {
	At    string `help:"When, in words: \"tomorrow 9:00\", \"every Monday at 8\"." placeholder:"WHEN"`
	Every string `help:"How often, by the clock: 45m, 2h." placeholder:"TIME"`
	Cron  string `help:"Minute, hour, day of month, month and day of week: \"0 9 * * 1\"." placeholder:"FIELDS"`
	Zone  string `help:"Whose clock counts, such as Asia/Tokyo; yours if left out." placeholder:"ZONE"`
	Grace string `help:"How late a missed time is still made up for: 30m, 12h." placeholder:"TIME"`
	JSON  bool   `help:"Print the job as JSON."`
}

// wish is what these options say.
func (t jobTimes) wish(text []string) web.JobWish {
	return web.JobWish{Text: strings.TrimSpace(strings.Join(text, " ")), At: t.At, Every: t.Every, Cron: t.Cron, Zone: t.Zone, Grace: t.Grace}
}

type jobsAdd struct {
	Text    []string `arg:"" help:"What to say or do; with the time in front, unless an option tells it."`
	Task    bool     `help:"Have the assistant do it by itself; else it is said to you, word for word."`
	MayPlan bool     `help:"Let the task make and change jobs when it runs."`
	jobTimes
}

// Run makes a job and repeats the time that was understood.
func (a jobsAdd) Run(c call) error {
	w := a.wish(a.Text)
	if a.Task {
		w.Kind = nacre.Task
	}
	if a.MayPlan {
		w.MayPlan = &a.MayPlan
	}
	return c.atJobs(func(j web.Jobs) error {
		job, err := j.Add(c.ctx, w)
		return show(c, a.JSON, job, err, func(j web.Job) string { return madeText("Set", j) })
	})
}

type jobsEdit struct {
	Job     int           `arg:"" name:"number" help:"Which job."`
	Text    []string      `arg:"" optional:"" help:"What it shall say or do; with another time in front, or that alone. Leave it out to keep its words."`
	Kind    nacre.JobKind `help:"Make it a reminder or a task." enum:"reminder,task," default:"" placeholder:"KIND"`
	MayPlan *bool         `help:"Let the task make and change jobs when it runs, or no longer." negatable:""`
	jobTimes
}

// Run changes a job.
func (e jobsEdit) Run(c call) error {
	w := e.wish(e.Text)
	w.Job, w.Kind, w.MayPlan = e.Job, e.Kind, e.MayPlan
	return c.atJobs(func(j web.Jobs) error {
		job, err := j.Edit(c.ctx, w)
		return show(c, e.JSON, job, err, func(j web.Job) string { return madeText("Changed", j) })
	})
}

type jobsPause struct{ oneJob }

// Run pauses a job.
func (p jobsPause) Run(c call) error { return c.doJob(p.Job, web.PauseJob) }

type jobsResume struct{ oneJob }

// Run lets a job go on.
func (r jobsResume) Run(c call) error { return c.doJob(r.Job, web.ResumeJob) }

type jobsRun struct {
	What string `arg:"" name:"number" help:"Which job; or repair, reflect (also what was set aside), promote or style."`
}

// Run runs a job, or a round.
func (r jobsRun) Run(c call) error {
	if number, err := strconv.Atoi(r.What); err == nil {
		return c.doJob(number, web.RunJob)
	}
	return c.atJobs(func(j web.Jobs) error {
		text, err := j.Round(c.ctx, web.JobRound{Round: nacre.JobID(r.What)})
		return show(c, false, text, err, func(text string) string { return text + "\n" })
	})
}

type jobsDelete struct{ oneJob }

// Run deletes a job.
func (d jobsDelete) Run(c call) error { return c.doJob(d.Job, web.DeleteJob) }

// oneJob names a job.
type oneJob struct {
	Job int `arg:"" name:"number" help:"Which job."`
}

// doJob does something with a job and says so.
func (c call) doJob(number int, do web.JobVerb) error {
	return c.atJobs(func(j web.Jobs) error {
		job, err := j.Do(c.ctx, web.JobDeed{Job: number, Do: do})
		return show(c, false, job, err, func(j web.Job) string { return doneText(do, j) })
	})
}

// doneText is what was done with a job.
func doneText(do web.JobVerb, j web.Job) string {
	switch {
	case do == web.DeleteJob:
		return fmt.Sprintf("Deleted: %d  %s\n", j.Number, titleOfJob(j))
	case do == web.RunJob && j.Waits:
		return fmt.Sprintf("It runs as soon as Nacre does: %d  %s\n", j.Number, titleOfJob(j))
	case do == web.RunJob && j.Kind == nacre.Heartbeat:
		return fmt.Sprintf("I look now, and write only if there is something to tell: %d  %s\n", j.Number, titleOfJob(j))
	case do == web.RunJob:
		return fmt.Sprintf("It runs now: %d  %s\n", j.Number, titleOfJob(j))
	case do == web.PauseJob:
		return madeText("Paused", j)
	}
	return madeText("Goes on", j)
}

type jobsHistory struct {
	What string `arg:"" optional:"" name:"number" help:"Only this job; or repair, reflect, promote or style."`
	Most int    `help:"How many runs to show." default:"20" placeholder:"N"`
	JSON bool   `help:"Print it as JSON."`
}

// Run lists what ran, newest first.
func (h jobsHistory) Run(c call) error {
	q := web.RunQuery{Most: h.Most}
	if number, err := strconv.Atoi(h.What); err == nil {
		q.Job = number
	} else {
		q.Round = nacre.JobID(h.What)
	}
	return c.atJobs(func(j web.Jobs) error {
		runs, err := j.Runs(c.ctx, q)
		return show(c, h.JSON, runs, err, func(runs []web.JobRun) string { return runsText(runs, h.What == "") })
	})
}

type jobsAside struct {
	Again bool `help:"Read them again now."`
	JSON  bool `help:"Print them as JSON."`
}

// Run lists what was set aside, or reads it.
func (a jobsAside) Run(c call) error {
	return c.atJobs(func(j web.Jobs) error {
		if a.Again {
			text, err := j.Again(c.ctx)
			return show(c, a.JSON, text, err, func(text string) string { return text + "\n" })
		}
		list, err := j.Aside(c.ctx)
		return show(c, a.JSON, list, err, asideText)
	})
}
