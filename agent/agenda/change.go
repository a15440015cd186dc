package agenda

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
)

func jobsSpec() llm.ToolSpec {
	return llm.ToolSpec{
		Name:        "jobs",
		Description: "Lists their reminders and tasks. With action and number, when they ask for it, changes one; edit takes a new text, when, or both.",
		Schema:      json.RawMessage(`{"type":"object","properties":{"action":{"enum":["pause","resume","run","delete","edit"]},"number":{"type":"integer"},"text":{"type":"string"},"when":{"type":"string"},"zone":{"type":"string"}},"additionalProperties":false}`),
	}
}

// list is what jobs there are, for the model.
func (a *Agenda) list(ctx context.Context, c nacre.Caller) (agent.Result, error) {
	list, err := a.jobs(ctx, c)
	if err != nil {
		return agent.Result{}, err
	}
	live := unfinished(list)
	lines := []string{counted(len(live), len(list)-len(live))}
	for _, job := range live {
		lines = append(lines, fmt.Sprintf("%d. %s, %s, %s: %s", job.Number, job.Kind, job.State, a.when(c, job), clip(job.Text, maxLine)))
	}
	return said(strings.Join(lines, "\n")), nil
}

// counted says how many jobs there are, and how many more are over.
func counted(live, over int) string {
	words := fmt.Sprintf("%d jobs are set.", live)
	switch live {
	case 0:
		words = "No jobs are set."
	case 1:
		words = "1 job is set."
	}
	if over > 0 {
		words += fmt.Sprintf(" Over: %d.", over)
	}
	return words
}

// jobs lists the jobs that a session may touch: in private all that the owner has,
// in a group those that speak there.
func (a *Agenda) jobs(ctx context.Context, c nacre.Caller) ([]nacre.Job, error) {
	list, err := a.opts.Board.Jobs(ctx, c.Owner)
	if err != nil || c.Private {
		return list, err
	}
	return slices.DeleteFunc(slices.Clone(list), func(j nacre.Job) bool {
		return j.Kind == nacre.Heartbeat || j.Session.Chat.Channel != c.Chat.Channel || j.Session.Chat.ID != c.Chat.ID
	}), nil
}

// job is the job of a number.
func (a *Agenda) job(ctx context.Context, c nacre.Caller, number int) (nacre.Job, error) {
	list, err := a.jobs(ctx, c)
	if err != nil {
		return nacre.Job{}, err
	}
	i := slices.IndexFunc(list, func(j nacre.Job) bool { return j.Number == number })
	if i < 0 {
		return nacre.Job{}, nacre.Errorf(nacre.NotFound, "There is no job %d here; /jobs lists them.", number)
	}
	return list[i], nil
}

// verb is what can be done with a job.
type verb string

const (
	pause  verb = "pause"
	resume verb = "resume"
	run    verb = "run"
	drop   verb = "delete"
	edit   verb = "edit"
)

// change is the tool jobs. Where the model has read words of strangers, the
// owner is asked.
func (a *Agenda) change(ctx context.Context, c nacre.Caller, args json.RawMessage) (agent.Result, error) {
	var in struct {
		Number int  `json:"number"`
		Action verb `json:"action"`
		making
	}
	if err := agent.ReadArgs(args, &in); err != nil {
		return agent.Result{}, err
	}
	if in.Action == "" && in.Number == 0 && in.making == (making{}) {
		return a.list(ctx, c)
	}
	job, err := a.job(ctx, c, in.Number)
	if err != nil {
		return agent.Result{}, err
	}
	var to nacre.JobChange
	switch in.Action {
	case pause, resume, run, drop:
	case edit:
		if to, err = in.change(a.asked(c)); err != nil {
			return agent.Result{}, err
		}
		to.Strange = c.Tainted
	default:
		return agent.Result{}, nacre.Errorf(nacre.Invalid, "\"action\" is pause, resume, run, delete or edit")
	}
	if c.Tainted {
		return a.confirmChange(c, in.Action, job, to)
	}
	told, err := a.do(ctx, c, byModel(c), in.Action, job, to)
	return done(told), err
}

// confirmChange asks the owner whether to do it.
func (a *Agenda) confirmChange(c nacre.Caller, what verb, was nacre.Job, to nacre.JobChange) (agent.Result, error) {
	if to.Schedule != nil {
		*to.Schedule = begun(*to.Schedule, time.Now())
		if err := a.check(c, *to.Schedule, was.Kind); err != nil {
			return agent.Result{}, err
		}
	}
	return a.confirm(c, a.wish(c, what, was, to), func(ctx context.Context, c nacre.Caller) (agent.Result, error) {
		if err := a.unchanged(ctx, c, was); err != nil {
			return agent.Result{}, err
		}
		told, err := a.do(ctx, c, byHand(c), what, was, to)
		return said(told), err
	})
}

// change reads what a model wants a job to become.
func (m making) change(now time.Time) (nacre.JobChange, error) {
	to := nacre.JobChange{Text: strings.TrimSpace(m.Text)}
	if m.When == "" {
		if to.Text == "" {
			return to, nacre.Errorf(nacre.Invalid, "Say what is to change: the words, or when.")
		}
		return to, nil
	}
	found, err := m.read(to.Text, now)
	if err == nil && found.Text != to.Text {
		err = nacre.Errorf(nacre.Invalid, "I understand only part of that as a time, and not %q. Say only when.", found.Text)
	}
	to.Schedule = &found.Schedule
	return to, err
}

// unchanged reports whether a job is what the person was shown.
func (a *Agenda) unchanged(ctx context.Context, c nacre.Caller, was nacre.Job) error {
	job, err := a.job(ctx, c, was.Number)
	if err == nil && (job.Text != was.Text || job.State != was.State || !alike(job.Schedule, was.Schedule)) {
		err = nacre.Errorf(nacre.Conflict, "It changed meanwhile; have another look at /jobs %d.", was.Number)
	}
	return err
}

// alike reports whether two schedules of jobs are the same.
func alike(a, b nacre.Schedule) bool {
	at := a.At.Equal(b.At)
	a.At, b.At = time.Time{}, time.Time{}
	return at && a == b
}

// do does something with a job; told says so to the person, if there is no error.
func (a *Agenda) do(ctx context.Context, c nacre.Caller, by nacre.JobAuthor, what verb, job nacre.Job, to nacre.JobChange) (told string, err error) {
	if to.Schedule != nil {
		if err := a.ahead(c, *to.Schedule); err != nil {
			return "", err
		}
	}
	switch what {
	case run:
		err = a.opts.Board.RunNow(ctx, by, job.ID)
		if job.Kind == nacre.Heartbeat {
			return "I look now; you hear of it only if there is something to tell.", err
		}
		return fmt.Sprintf("▶️ %d runs now: %s", job.Number, literal(clip(job.Text, maxLine))), err
	case drop:
		err = a.opts.Board.Drop(ctx, by, job.ID)
		return fmt.Sprintf("🗑 %d is deleted. It was %s: %s", job.Number, literal(a.words(c, job)), literal(job.Text)), err
	case pause:
		to.State = nacre.Paused
	case resume:
		to.State = nacre.Active
	}
	if job, err = a.opts.Board.Change(ctx, by, job.ID, to); err != nil {
		return "", err
	}
	return a.receipt(c, job), nil
}

// wish is what a model wants done with a job, for the person to decide.
func (a *Agenda) wish(c nacre.Caller, what verb, job nacre.Job, to nacre.JobChange) string {
	text := fmt.Sprintf("%s job %d: %s: %s", strings.ToUpper(string(what[:1]))+string(what[1:]), job.Number, literal(a.words(c, job)), literal(clip(job.Text, maxLine)))
	if what != edit {
		return text
	}
	if to.Text != "" {
		job.Text = to.Text
	}
	if to.Schedule != nil {
		job.Schedule = *to.Schedule
	}
	return fmt.Sprintf("%s\n\nFrom then on: %s: %s", text, literal(a.words(c, job)), literal(job.Text))
}
