package agenda

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"nacre"
	"nacre/agent"
	"nacre/jobs/timetable"
)

// span is the first and the last number of jobs that are asked for.
type span struct{ from, to int }

// spanned reads a span: 41-80.
func spanned(text string) (span, bool) {
	from, to, _ := strings.Cut(text, "-")
	first, ok1 := numbered(from)
	last, ok2 := numbered(to)
	return span{first, last}, ok1 && ok2 && first <= last
}

// overview lists the jobs, or those of a span, with a button for each of the first.
func (a *Agenda) overview(ctx context.Context, c nacre.Caller, over bool, numbers string) (agent.Result, error) {
	list, err := a.jobs(ctx, c)
	if err != nil {
		return agent.Result{}, err
	}
	all := len(list)
	if !over {
		list = unfinished(list)
	}
	ended := all - len(list)
	nothing := "Nothing is set. Write /remind tomorrow 9:00 call mum, or just ask me."
	if s, ok := spanned(numbers); ok {
		nothing = fmt.Sprintf("There is nothing from %d to %d; /jobs lists what there is.", s.from, s.to)
		list = slices.DeleteFunc(slices.Clone(list), func(j nacre.Job) bool { return j.Number < s.from || j.Number > s.to })
	} else if numbers != "" {
		return agent.Result{}, nacre.Errorf(nacre.Invalid, "I do not understand that.\n\n%s", jobsUsage)
	}
	feet, err := a.feet(ctx, c, ended)
	if err != nil || len(list) == 0 {
		return said(strings.Join(append([]string{nothing}, feet...), "\n")), err
	}
	lines := a.page(c, list, over)
	return agent.Result{Text: strings.Join(append(lines, feet...), "\n"), Ask: which(list)}, nil
}

// page is the first jobs of a list, and how to see more.
func (a *Agenda) page(c nacre.Caller, list []nacre.Job, over bool) []string {
	var lines []string
	for _, job := range list[:min(maxListed, len(list))] {
		lines = append(lines, a.line(c, job))
	}
	if len(list) <= maxListed {
		return lines
	}
	rest, command := list[maxListed:], "/jobs "
	if over {
		command += "all "
	}
	next := rest[:min(maxListed, len(rest))]
	return append(lines, fmt.Sprintf("and %d more: %s%d-%d", len(rest), command, next[0].Number, next[len(next)-1].Number))
}

// feet are what stands below a list: what it leaves out, and what was set aside.
func (a *Agenda) feet(ctx context.Context, c nacre.Caller, ended int) ([]string, error) {
	var lines []string
	if ended > 0 {
		lines = append(lines, "", fmt.Sprintf("Over by now: %d. /jobs all shows them, too.", ended))
	}
	if a.opts.Aside == nil || !c.Private {
		return lines, nil
	}
	aside, err := a.opts.Aside(ctx, c.Owner)
	if len(aside) > 0 {
		lines = append(lines, "", "Some messages could not be read back for my memory; /jobs history tells which.")
	}
	return lines, err
}

// unfinished are those that may still come due.
func unfinished(list []nacre.Job) []nacre.Job {
	return slices.DeleteFunc(slices.Clone(list), func(j nacre.Job) bool { return j.State == nacre.Finished })
}

// which asks for one of some jobs.
func which(list []nacre.Job) *agent.Ask {
	ask := &agent.Ask{Question: askWhich}
	for _, job := range list[:min(maxButtons, len(list))] {
		ask.Options = append(ask.Options, show.label(job.Number))
	}
	return ask
}

// one shows a job and asks what to do with it.
func (a *Agenda) one(ctx context.Context, c nacre.Caller, job nacre.Job) (agent.Result, error) {
	text, err := a.details(ctx, c, job)
	if err != nil {
		return agent.Result{}, err
	}
	return agent.Result{Text: text, Ask: a.asking(c, job)}, nil
}

func (a *Agenda) oneOr(ctx context.Context, c nacre.Caller, job nacre.Job, err error) (agent.Result, error) {
	if err != nil {
		return agent.Result{}, err
	}
	return a.one(ctx, c, job)
}

// history lists what ran last, of all jobs and of what Nacre does by itself.
func (a *Agenda) history(ctx context.Context, c nacre.Caller) (agent.Result, error) {
	if !c.Private {
		return agent.Result{}, errPrivate
	}
	list, err := a.opts.Board.Jobs(ctx, c.Owner)
	if err != nil {
		return agent.Result{}, err
	}
	runs, err := a.opts.Board.Runs(ctx, c.Owner, "", maxHistory)
	if err != nil {
		return agent.Result{}, err
	}
	home := a.opts.Zone(c.Owner)
	var lines []string
	for _, r := range runs {
		who, zone := of(r, list), home
		if who.ID != "" {
			zone = timetable.Zone(who.Schedule, home)
		}
		lines = append(lines, fmt.Sprintf("- %s – %s", called(who, r), outcome(r, zone)))
	}
	if len(runs) == 0 {
		lines = []string{"Nothing ran yet."}
	}
	aside, err := a.aside(ctx, c)
	return said(strings.Join(append(lines, aside...), "\n")), err
}

// of is the job of a run; zero if there is none any more, or never was.
func of(r nacre.Run, list []nacre.Job) nacre.Job {
	if i := slices.IndexFunc(list, func(j nacre.Job) bool { return j.ID == r.Job }); i >= 0 {
		return list[i]
	}
	return nacre.Job{}
}

// called is whose run it was.
func called(job nacre.Job, r nacre.Run) string {
	switch {
	case job.ID != "":
		return fmt.Sprintf("**%d** %s", job.Number, literal(clip(name(job), maxLine/3)))
	case isRound(r.Job):
		return string(r.Job)
	}
	return "a job that is deleted"
}

// aside tells which messages were set aside.
func (a *Agenda) aside(ctx context.Context, c nacre.Caller) ([]string, error) {
	if a.opts.Aside == nil {
		return nil, nil
	}
	list, err := a.opts.Aside(ctx, c.Owner)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	lines := []string{"", "Messages that I could not read back, and set aside:"}
	for _, text := range list {
		lines = append(lines, "- "+text)
	}
	return append(lines, "", "/jobs run reflect tries them again."), nil
}
