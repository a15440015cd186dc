package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"nacre"
	"nacre/agent/gmail"
	"nacre/agent/reflect"
	"nacre/agent/style"
	"nacre/web"
)

// How many runs are listed.
const (
	usualRuns = 20
	mostRuns  = 200
)

// Runs implements web.Jobs.
func (j jobsDesk) Runs(ctx context.Context, q web.RunQuery) ([]web.JobRun, error) {
	all, err := j.board.Jobs(ctx, j.owner)
	if err != nil {
		return nil, err
	}
	id := q.Round
	if id != "" && roundNames[id] == "" {
		return nil, nacre.Errorf(nacre.Invalid, "The rounds are repair, reflect, promote and style.")
	}
	if q.Job != 0 {
		job, err := j.job(ctx, q.Job)
		if err != nil {
			return nil, err
		}
		id = job.ID
	}
	most := usualRuns
	if q.Most > 0 {
		most = min(q.Most, mostRuns)
	}
	runs, err := j.board.Runs(ctx, j.owner, id, most)
	if err != nil {
		return nil, err
	}
	list := make([]web.JobRun, len(runs))
	for i, r := range runs {
		list[i] = j.ran(r, all)
	}
	return list, nil
}

// ran is a run as it goes to people.
func (j jobsDesk) ran(r nacre.Run, all []nacre.Job) web.JobRun {
	w := web.JobRun{Name: "a job that is deleted", Slot: r.Slot.In(j.zone), State: r.State, Reason: r.Reason, Words: ranWords(r),
		Attempts: r.Attempts, ByHand: r.ByHand, Calls: r.Used.Calls, Cost: r.Used.Cost}
	if i := slices.IndexFunc(all, func(job nacre.Job) bool { return job.ID == r.Job }); i >= 0 {
		w.Job, w.Name = all[i].Number, jobName(all[i].Kind, all[i].Text)
	} else if name, ok := roundNames[r.Job]; ok {
		w.Name = name
	}
	if !r.Began.IsZero() && r.Ended.After(r.Began) {
		w.TookMS = r.Ended.Sub(r.Began).Milliseconds()
	}
	if r.Used.Calls > 0 {
		w.Used = spanText(r.Used)
	}
	return w
}

// roundNames are what people call what Nacre does by itself.
var roundNames = map[nacre.JobID]string{
	nacre.RoundRepair:  "tidying up memory",
	nacre.RoundReflect: "reading back",
	nacre.RoundPromote: "pinning notes",
	nacre.RoundStyle:   "learning how you write",
}

// jobName is what a job is called in a line.
func jobName(kind nacre.JobKind, text string) string {
	switch {
	case kind == nacre.Heartbeat:
		return "heartbeat"
	case text == "":
		return "(its words cannot be read any more)"
	}
	return oneRow(text)
}

var runWords = map[nacre.RunState]string{
	nacre.Claimed: "about to run",
	nacre.Running: "running",
	nacre.Done:    "done",
	nacre.Quiet:   "nothing to say",
	nacre.Missed:  "missed",
	nacre.Failure: "failed",
	nacre.Broken:  "interrupted twice",
}

// runReasons are words for the codes of the clock of jobs and of those who work
// for it; a code without words is shown as it is.
var runReasons = map[string]string{
	"late":       "too late to be made up for",
	"made up":    "a later one makes up for it",
	"busy":       "the run before was not over",
	"parked":     "the job was put aside",
	"paused":     "the job was paused meanwhile",
	"changed":    "the job was changed meanwhile",
	"deleted":    "the job was deleted meanwhile",
	"deadline":   "it took too long",
	"panic":      "a fault inside",
	"internal":   "a fault inside",
	"transient":  "something did not answer",
	"budget":     "the budget is used up",
	"read":       "read",
	"set_aside":  "some messages were set aside",
	"unreadable": "the model's answer could not be read",

	string(style.Early):     "it was done less than a week ago",
	string(style.Unchanged): "nothing was sent since",
	string(style.TooFew):    "you sent too few mails to tell",
	string(style.Same):      "you write as before",
	string(style.Kept):      "what the model wrote could not be used",
	string(style.Yours):     "what you said yourself stays",
	string(style.Refused):   "memory did not take the note",
	string(gmail.Revoked):   "your consent is gone",
	string(gmail.Limited):   "the quota of Google is used up",
	string(gmail.Down):      "Google does not answer",
}

// ranWords is what became of a run. Of several slots at once the code tells how
// many there were.
func ranWords(r nacre.Run) string {
	words := runWords[r.State]
	code, times, many := strings.Cut(r.Reason, " x")
	if code == "" {
		return words
	}
	words += ": " + reasonWords(code)
	if many {
		words += ", " + times + " times"
	}
	return words
}

func reasonWords(code string) string {
	if words := runReasons[code]; words != "" {
		return words
	}
	return strings.ReplaceAll(code, "_", " ")
}

// Aside implements web.Jobs.
func (j jobsDesk) Aside(ctx context.Context) ([]web.AsideBatch, error) {
	batches, err := j.aside.Aside(ctx, j.owner)
	list := make([]web.AsideBatch, len(batches))
	for i, b := range batches {
		list[i] = web.AsideBatch{First: b.First, Through: b.Through, Failures: b.Failures, Reason: b.Reason, Words: reasonWords(b.Reason), At: b.At.In(j.zone)}
	}
	return list, err
}

// Again implements web.Jobs.
func (j jobsDesk) Again(ctx context.Context) (string, error) {
	waiting, err := j.aside.Aside(ctx, j.owner)
	if err != nil {
		return "", err
	}
	if len(waiting) == 0 {
		return "Nothing is set aside.", nil
	}
	r, err := j.aside.Again(ctx, j.owner)
	if err != nil {
		return "", unread(r, err)
	}
	return againText(r), nil
}

// Round implements web.Jobs.
func (j jobsDesk) Round(ctx context.Context, r web.JobRound) (string, error) {
	before, err := j.newest(ctx, r.Round)
	if err != nil {
		return "", err
	}
	if err := j.round(ctx, j.owner, r.Round); err != nil {
		return "", err
	}
	ran, err := j.newest(ctx, r.Round)
	if err != nil {
		return "", err
	}
	name := capital(roundNames[r.Round])
	if ran.Slot.Equal(before.Slot) {
		return name + ": there was nothing to do.", nil
	}
	return name + ": " + outcomeOfRun(j.ran(ran, nil)) + ".", nil
}

// newest is the newest run of a round; zero for none. One that had nothing to do
// leaves none.
func (j jobsDesk) newest(ctx context.Context, round nacre.JobID) (nacre.Run, error) {
	runs, err := j.board.Runs(ctx, j.owner, round, 1)
	if len(runs) == 0 {
		return nacre.Run{}, err
	}
	return runs[0], err
}

// againText is what came of reading messages once more.
func againText(r reflect.Report) string {
	if r.Messages == 0 && r.Reason != "" {
		return fmt.Sprintf("Nothing was read: %s.", reasonWords(r.Reason))
	}
	text := "Read " + number(r.Messages, "message", "messages") + ": " + number(r.Learned, "note is", "notes are") + " new or better founded"
	if r.Waiting > 0 {
		text += ", and " + number(r.Waiting, "waits", "wait") + " for you: nacre memory review"
	}
	return text + "."
}
