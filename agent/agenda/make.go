package agenda

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
	"nacre/agent/phrase"
	"nacre/jobs/timetable"
)

func remindSpec() llm.ToolSpec {
	return llm.ToolSpec{
		Name:        "remind",
		Description: "Tells the person the text then, word for word, once or again and again.",
		Schema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"},` +
			`"when":{"type":"string","description":"their own words if they said when ('tomorrow at 9', 'every Monday at 8'), else 2026-12-24 18:00 or cron"},` +
			`"zone":{"type":"string","description":"IANA name, if not theirs"}},"required":["when"],"additionalProperties":false}`),
	}
}

func scheduleSpec() llm.ToolSpec {
	return llm.ToolSpec{
		Name:        "schedule",
		Description: "Like remind, for a task: you do it then by yourself, and they are sent what comes of it. The text must make sense without this conversation.",
		Schema:      json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"},"when":{"type":"string"},"zone":{"type":"string"}},"required":["text","when"],"additionalProperties":false}`),
	}
}

// making is what a model wants made.
type making struct {
	Text string `json:"text"`
	timing
}

// remind is the tool remind. Where the model has read words of strangers, the
// owner's own must ask for it.
func (a *Agenda) remind(ctx context.Context, c nacre.Caller, args json.RawMessage) (agent.Result, error) {
	d, err := a.draft(c, nacre.Reminder, args)
	if err != nil {
		return agent.Result{}, err
	}
	if c.Tainted && !a.wished(c) {
		a.opts.Log.InfoContext(ctx, "a reminder was refused that only words of others ask for")
		return agent.Result{}, nacre.Errorf(nacre.Denied, "Nothing is set: words of others were read here, and nothing that the person wrote now asks for a reminder. Please ask for it in a sentence of your own, or with /remind.")
	}
	told, err := a.add(ctx, c, d)
	return done(told), err
}

// schedule is the tool schedule. Where the model has read words of strangers, the
// owner is asked.
func (a *Agenda) schedule(ctx context.Context, c nacre.Caller, args json.RawMessage) (agent.Result, error) {
	d, err := a.draft(c, nacre.Task, args)
	if err != nil {
		return agent.Result{}, err
	}
	if !c.Tainted {
		told, err := a.add(ctx, c, d)
		return done(told), err
	}
	home, now := a.opts.Zone(c.Owner), time.Now()
	d.Schedule = begun(d.Schedule, now)
	if err := a.check(c, d.Schedule, d.Kind); err != nil {
		return agent.Result{}, err
	}
	shows := moments(nacre.Job{Schedule: d.Schedule, Next: timetable.Next(d.Schedule, home, now)}, home, now) + ": " + literal(d.Text)
	return a.confirm(c, shows, func(ctx context.Context, c nacre.Caller) (agent.Result, error) {
		d.By = byHand(c)
		told, err := a.add(ctx, c, d)
		return said(told), err
	})
}

// begun is a schedule as it will be made now: counted from somewhere.
func begun(s nacre.Schedule, now time.Time) nacre.Schedule {
	if s.Kind == nacre.Every && s.At.IsZero() {
		s.At = now
	}
	return s
}

// draft reads what a model wants made.
func (a *Agenda) draft(c nacre.Caller, kind nacre.JobKind, args json.RawMessage) (nacre.JobDraft, error) {
	var in making
	if err := agent.ReadArgs(args, &in); err != nil {
		return nacre.JobDraft{}, err
	}
	found, err := in.read(strings.TrimSpace(in.Text), a.asked(c))
	if err == nil && found.Text == "" {
		err = nacre.Errorf(nacre.Invalid, "I do not see what it is about. Say in a few words of what.")
	}
	d := drafted(kind, found, byModel(c))
	d.Strange = c.Tainted
	return d, err
}

func drafted(kind nacre.JobKind, t phrase.Timing, by nacre.JobAuthor) nacre.JobDraft {
	return nacre.JobDraft{Kind: kind, Schedule: t.Schedule, Text: t.Text, By: by}
}

// session is the conversation in which a job is made. A run is in none: what it
// makes speaks where its own job does.
func (a *Agenda) session(ctx context.Context, c nacre.Caller) (nacre.SessionInfo, error) {
	here := nacre.SessionInfo{ID: c.Session, Owner: c.Owner, Operator: c.Operator, Chat: c.Chat, Private: c.Private}
	if c.Run == nil {
		return here, nil
	}
	list, err := a.opts.Board.Jobs(ctx, c.Owner)
	if i := slices.IndexFunc(list, func(j nacre.Job) bool { return j.ID == c.Run.Job }); i >= 0 {
		here = list[i].Session
	}
	return here, err
}

// add makes a job and says so to the person. The Board makes no double, so that a
// turn which a crash interrupted finds the job that it has made.
func (a *Agenda) add(ctx context.Context, c nacre.Caller, d nacre.JobDraft) (string, error) {
	if err := a.ahead(c, d.Schedule); err != nil {
		return "", err
	}
	var err error
	if d.Session, err = a.session(ctx, c); err != nil {
		return "", err
	}
	job, err := a.opts.Board.Add(ctx, d)
	if err != nil {
		return "", err
	}
	return a.receipt(c, job), nil
}
