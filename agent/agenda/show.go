package agenda

import (
	"context"
	"fmt"
	"strings"
	"time"

	"nacre"
	"nacre/agent/llm"
	"nacre/jobs/timetable"
	"nacre/memory/render"
)

// Limits of what is shown at once.
const (
	maxLine    = 120 // characters of a text in a list
	maxListed  = 40  // jobs
	maxButtons = 8   // under a list
	maxRuns    = 10  // of one job
	maxHistory = 20  // runs of all jobs together
)

// literal shows a text in Markdown as it was written.
func literal(text string) string { return render.Literal(text) }

// clip is a text on one line, cut where it is long.
func clip(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}

// words is when a job is due, as a rule or as the one moment.
func (a *Agenda) words(c nacre.Caller, job nacre.Job) string {
	home := a.opts.Zone(c.Owner)
	if job.Schedule.Kind == nacre.Once {
		return timetable.Moment(job.Schedule.At, timetable.Zone(job.Schedule, home), time.Now())
	}
	return timetable.Words(job.Schedule, home)
}

// when is when a job is due and when it is so next.
func (a *Agenda) when(c nacre.Caller, job nacre.Job) string {
	return moments(job, a.opts.Zone(c.Owner), time.Now())
}

func moments(job nacre.Job, home *time.Location, now time.Time) string {
	zone := timetable.Zone(job.Schedule, home)
	switch {
	case job.Schedule.Kind == nacre.Once:
		return timetable.Moment(job.Schedule.At, zone, now)
	case job.Next.IsZero() || job.State != nacre.Active && job.State != "":
		return timetable.Words(job.Schedule, home)
	}
	return timetable.Words(job.Schedule, home) + ", next " + timetable.Moment(job.Next, zone, now)
}

// receipt is what the person reads of a job that was made or changed.
func (a *Agenda) receipt(c nacre.Caller, job nacre.Job) string {
	mark := "⏰"
	switch job.State {
	case nacre.Active:
	case nacre.Paused:
		mark = "⏸ " + states[job.State] + ":"
	default:
		mark = "⏹ " + states[job.State] + ":"
	}
	if job.Kind == nacre.Task {
		mark += " Task"
	}
	text := fmt.Sprintf("%s %d. %s", mark, job.Number, literal(a.when(c, job)))
	if job.Text == "" {
		return text
	}
	return text + ": " + literal(job.Text)
}

// states says why a job does not come due.
var states = map[nacre.JobState]string{
	nacre.Paused:   "paused",
	nacre.Disabled: "switched off, since it failed too often",
	nacre.Parked:   "put aside; resume it to hear why",
	nacre.Finished: "over",
}

// line is a job in a list.
func (a *Agenda) line(c nacre.Caller, job nacre.Job) string {
	text := fmt.Sprintf("- **%d** %s: %s", job.Number, literal(name(job)), literal(a.when(c, job)))
	if why := states[job.State]; why != "" {
		text += " (" + why + ")"
	}
	return text
}

// name is what a job is called in a list.
func name(job nacre.Job) string {
	switch {
	case job.Kind == nacre.Heartbeat:
		return "heartbeat"
	case job.Text == "":
		return "(its words cannot be read any more)"
	}
	return clip(job.Text, maxLine)
}

// details is all that there is to know of a job.
func (a *Agenda) details(ctx context.Context, c nacre.Caller, job nacre.Job) (string, error) {
	runs, err := a.opts.Board.Runs(ctx, c.Owner, job.ID, maxRuns)
	if err != nil {
		return "", err
	}
	text := job.Text
	if text == "" {
		text = name(job)
	}
	lines := []string{fmt.Sprintf("**%d** %s: %s", job.Number, job.Kind, literal(text)), "", literal(a.when(c, job))}
	if why := states[job.State]; why != "" {
		lines = append(lines, "It is "+why+".")
	}
	if job.Session.Chat != c.Chat && job.Kind != nacre.Heartbeat {
		lines = append(lines, "It speaks in "+place(job.Session)+".")
	}
	if job.MayPlan {
		lines = append(lines, fmt.Sprintf("It may make and change jobs by itself; /jobs forbid %d ends that.", job.Number))
	}
	if len(runs) > 0 {
		lines = append(lines, "", "Last runs:")
	}
	for _, r := range runs {
		lines = append(lines, "- "+outcome(r, timetable.Zone(job.Schedule, a.opts.Zone(c.Owner))))
	}
	return strings.Join(lines, "\n"), nil
}

// place is where a job speaks.
func place(s nacre.SessionInfo) string {
	if s.Private {
		return "our private chat on " + string(s.Chat.Channel)
	}
	return "a group on " + string(s.Chat.Channel)
}

// outcomes says what became of a run.
var outcomes = map[nacre.RunState]string{
	nacre.Claimed: "waits to run",
	nacre.Running: "runs now",
	nacre.Done:    "done",
	nacre.Quiet:   "nothing to say",
	nacre.Missed:  "missed",
	nacre.Failure: "failed",
	nacre.Broken:  "broke off twice",
}

// outcome is a run on one line: when, what came of it, how long it took and what
// it cost.
func outcome(r nacre.Run, zone *time.Location) string {
	text := r.Slot.In(zone).Format("Mon 2 Jan 2006, 15:04") + ": " + outcomes[r.State]
	if r.Reason != "" {
		text += " (" + literal(r.Reason) + ")"
	}
	if r.ByHand {
		text += ", by hand"
	}
	if !r.Began.IsZero() && !r.Ended.IsZero() {
		text += ", " + max(0, r.Ended.Sub(r.Began)).Round(100*time.Millisecond).String()
	}
	if r.Attempts > 1 {
		text += fmt.Sprintf(", %d attempts", r.Attempts)
	}
	return text + cost(r.Used)
}

// leastCost is a hundredth of a cent, to which costs are rounded up.
const leastCost = 100_000

// cost is what a run used, empty for nothing.
func cost(u nacre.Usage) string {
	switch {
	case u.Calls == 0:
		return ""
	case u.Unpriced > 0:
		return fmt.Sprintf(", %d tokens", u.Input+u.Output)
	}
	return ", " + llm.Dollars((u.Cost+leastCost-1)/leastCost*leastCost)
}
