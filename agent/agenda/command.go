package agenda

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"nacre"
	"nacre/agent"
)

// remindUsage explains /remind.
const remindUsage = `Write behind it when, and of what:

/remind tomorrow 9:00 call mum
/remind in 20 minutes tea
/remind every Monday at 8 water the plants
/remind 0 9 * * 1-5 go to work

/jobs shows what is set. You can also just ask me in your own words.`

// remindCommand is /remind: it sets a reminder without a model. Some write all of
// the sentence: /remind me tomorrow …
func (a *Agenda) remindCommand(ctx context.Context, c nacre.Caller, args string) (agent.Result, error) {
	if args == "" || !c.Typed(args) {
		return said(remindUsage), nil
	}
	if first, _, _ := strings.Cut(args, " "); strings.EqualFold(first, "me") {
		args = "remind " + args
	}
	return a.set(ctx, c, nacre.Reminder, args)
}

// taskCommand is /jobs task: a task that is made without a model.
func (a *Agenda) taskCommand(ctx context.Context, c nacre.Caller, args string) (agent.Result, error) {
	if args == "" {
		return agent.Result{}, nacre.Errorf(nacre.Invalid, "Write behind it when, and what I should do then:\n\n/jobs task every weekday at 8 summarise my plans")
	}
	return a.set(ctx, c, nacre.Task, args)
}

// set makes a job of what a person typed.
func (a *Agenda) set(ctx context.Context, c nacre.Caller, kind nacre.JobKind, text string) (agent.Result, error) {
	found, err := typed(text, a.asked(c))
	if err == nil && found.Text == "" {
		err = nacre.Errorf(nacre.Invalid, "I understand when, and not what. Write it behind the time, such as: tomorrow 9:00 call mum")
	}
	if err != nil {
		return agent.Result{}, err
	}
	told, err := a.add(ctx, c, drafted(kind, found, byHand(c)))
	return said(told), err
}

// jobsUsage explains /jobs.
const jobsUsage = `Write behind /jobs what you want:

/jobs 3 – look at one
/jobs pause 3, resume 3, run 3, delete 3
/jobs edit 3 tomorrow at 10 – another time; 0 9 * * 1-5 also is one
/jobs edit 3 text call dad – other words
/jobs task every weekday at 8 summarise my plans – I do that by myself then
/jobs allow 3, forbid 3 – whether a task may make jobs itself
/jobs history – what ran, and what it cost
/jobs all – those that are over, too
/jobs 41-80 – these numbers of a long list
/jobs heartbeat off, on, 45m – how often I look after things by myself
/jobs run repair, run reflect, run promote – order in my memory, now
/jobs run style – learn from your sent mail how you write, now`

// jobsCommand is /jobs.
func (a *Agenda) jobsCommand(ctx context.Context, c nacre.Caller, args string) (agent.Result, error) {
	if !c.Typed(args) {
		args = ""
	}
	first, rest, _ := strings.Cut(args, " ")
	first, rest = strings.ToLower(first), strings.TrimSpace(rest)
	if _, ok := numbered(first); ok && rest == "" {
		first, rest = string(show), first
	}
	if _, ok := spanned(first); ok {
		first, rest = "list", first
	}
	switch v := verb(first); v {
	case "", "list", "all":
		return a.overview(ctx, c, v == "all", rest)
	case "history":
		if rest != "" {
			return a.numbered(ctx, c, show, rest)
		}
		return a.history(ctx, c)
	case "task":
		return a.taskCommand(ctx, c, rest)
	case "heartbeat":
		return a.heartbeat(ctx, c, strings.ToLower(rest))
	case edit:
		return a.edit(ctx, c, rest)
	case run:
		if round := nacre.JobID(strings.ToLower(rest)); isRound(round) {
			return a.round(ctx, c, round)
		}
		return a.numbered(ctx, c, v, rest)
	case show, pause, resume, drop, allow, forbid:
		return a.numbered(ctx, c, v, rest)
	}
	return agent.Result{}, nacre.Errorf(nacre.Invalid, "I do not understand that.\n\n%s", jobsUsage)
}

// What only the owner's own hand can do.
const (
	allow  verb = "allow"
	forbid verb = "forbid"
)

// numbered does something with the job of a number that somebody typed.
func (a *Agenda) numbered(ctx context.Context, c nacre.Caller, what verb, text string) (agent.Result, error) {
	number, ok := numbered(text)
	if !ok {
		return agent.Result{}, nacre.Errorf(nacre.Invalid, "Write behind it the number of a job, such as: /jobs %s 3", what)
	}
	if what == allow || what == forbid {
		return a.permit(ctx, c, number, what == allow)
	}
	job, err := a.job(ctx, c, number)
	if err != nil {
		return agent.Result{}, err
	}
	return a.picked(ctx, c, what, job)
}

// numbered reads the number of a job.
func numbered(text string) (int, bool) {
	n, err := strconv.Atoi(strings.Trim(text, " #."))
	return n, err == nil && n > 0
}

// permit lets a task make jobs itself, or no longer.
func (a *Agenda) permit(ctx context.Context, c nacre.Caller, number int, may bool) (agent.Result, error) {
	job, err := a.job(ctx, c, number)
	if err != nil {
		return agent.Result{}, err
	}
	if may && job.Kind != nacre.Task {
		return agent.Result{}, nacre.Errorf(nacre.Invalid, "Job %d only says its words; a task is what can make jobs.", number)
	}
	if _, err = a.opts.Board.Change(ctx, byHand(c), job.ID, nacre.JobChange{MayPlan: &may}); err != nil {
		return agent.Result{}, err
	}
	if may {
		return said("From now on job " + strconv.Itoa(number) + " may make and change jobs when it runs: " + literal(clip(job.Text, maxLine))), nil
	}
	return said("Job " + strconv.Itoa(number) + " can make no jobs: " + literal(clip(job.Text, maxLine))), nil
}

// edit is /jobs edit: another time, or other words.
func (a *Agenda) edit(ctx context.Context, c nacre.Caller, args string) (agent.Result, error) {
	first, rest, _ := strings.Cut(args, " ")
	number, ok := numbered(first)
	rest = strings.TrimSpace(rest)
	if !ok || rest == "" {
		return agent.Result{}, nacre.Errorf(nacre.Invalid, "Write behind it the number of a job, and what is to change:\n\n/jobs edit 3 tomorrow at 10\n/jobs edit 3 text call dad")
	}
	job, err := a.job(ctx, c, number)
	if err != nil {
		return agent.Result{}, err
	}
	to, err := a.edited(c, number, rest)
	if err != nil {
		return agent.Result{}, err
	}
	told, err := a.do(ctx, c, byHand(c), edit, job, to)
	if err != nil {
		return agent.Result{}, err
	}
	return said(told + "\nIt was " + literal(a.words(c, job)) + ": " + literal(job.Text)), nil
}

// edited reads what the job of a number is to become.
func (a *Agenda) edited(c nacre.Caller, number int, text string) (nacre.JobChange, error) {
	if first, words, _ := strings.Cut(text, " "); strings.EqualFold(strings.TrimRight(first, ":"), "text") {
		if words = strings.TrimSpace(words); words == "" {
			return nacre.JobChange{}, nacre.Errorf(nacre.Invalid, "Write the new words behind it.")
		}
		return nacre.JobChange{Text: words}, nil
	}
	found, err := typed(text, a.asked(c))
	if err == nil && found.Text != "" {
		err = nacre.Errorf(nacre.Invalid, "I understand only part of that as a time. For other words write: /jobs edit %d text %s", number, found.Text)
	}
	return nacre.JobChange{Schedule: &found.Schedule}, err
}

// heartbeat is /jobs heartbeat: it shows it, switches it, or says how often.
func (a *Agenda) heartbeat(ctx context.Context, c nacre.Caller, args string) (agent.Result, error) {
	if !c.Private {
		return agent.Result{}, errPrivate
	}
	job, err := a.pulse(ctx, c)
	if err != nil || args == "" {
		return a.oneOr(ctx, c, job, err)
	}
	to, err := rhythm(args)
	if err != nil {
		return agent.Result{}, err
	}
	if job, err = a.opts.Board.Change(ctx, byHand(c), job.ID, to); err != nil {
		return agent.Result{}, err
	}
	return said(a.receipt(c, job)), nil
}

// pulse is the heartbeat of an owner, made now if there is none yet.
func (a *Agenda) pulse(ctx context.Context, c nacre.Caller) (nacre.Job, error) {
	if a.opts.Heartbeat != nil {
		if err := a.opts.Heartbeat(ctx, c.Owner); err != nil {
			return nacre.Job{}, err
		}
	}
	list, err := a.opts.Board.Jobs(ctx, c.Owner)
	if err != nil {
		return nacre.Job{}, err
	}
	for _, job := range list {
		if job.Kind == nacre.Heartbeat {
			return job, nil
		}
	}
	return nacre.Job{}, nacre.Errorf(nacre.NotFound, "I have no heartbeat here.")
}

// rhythm reads what is to become of the heartbeat.
func rhythm(text string) (nacre.JobChange, error) {
	switch text {
	case "on":
		return nacre.JobChange{State: nacre.Active}, nil
	case "off":
		return nacre.JobChange{State: nacre.Paused}, nil
	}
	every, err := time.ParseDuration(strings.ReplaceAll(text, " ", ""))
	if err != nil || every <= 0 {
		return nacre.JobChange{}, nacre.Errorf(nacre.Invalid, "Write behind it off, on, or how often, such as: /jobs heartbeat 45m")
	}
	return nacre.JobChange{State: nacre.Active, Schedule: &nacre.Schedule{Kind: nacre.Every, Every: every}}, nil
}

func isRound(name nacre.JobID) bool {
	return name == nacre.RoundRepair || name == nacre.RoundReflect || name == nacre.RoundPromote || name == nacre.RoundStyle
}

// round does now what Nacre does by itself every hour.
func (a *Agenda) round(ctx context.Context, c nacre.Caller, name nacre.JobID) (agent.Result, error) {
	if !c.Private {
		return agent.Result{}, errPrivate
	}
	if a.opts.Rounds == nil {
		return agent.Result{}, nacre.Errorf(nacre.NotFound, "I cannot do that here.")
	}
	told, err := a.foretold(ctx, c, name)
	if err != nil {
		return agent.Result{}, err
	}
	before, err := a.newest(ctx, c, name)
	if err != nil {
		return agent.Result{}, err
	}
	if err := a.opts.Rounds(ctx, c.Owner, name); err != nil {
		return agent.Result{}, err
	}
	ran, err := a.newest(ctx, c, name)
	switch {
	case told != "" || err != nil:
		return said(told), err
	case ran.Slot.Equal(before.Slot):
		return said(idle[name]), nil
	}
	return said(fmt.Sprintf("%s – %s", name, outcome(ran, a.opts.Zone(c.Owner)))), nil
}

// idle says of a round that it did nothing, and so is in no history.
var idle = map[nacre.JobID]string{
	nacre.RoundRepair:  "There was nothing to put in order.",
	nacre.RoundReflect: "There was nothing to read back: nothing new was said while saving was on.",
	nacre.RoundPromote: "There was nothing to pin or unpin.",
}

// newest is the newest run of a round that is in the history; zero for none.
func (a *Agenda) newest(ctx context.Context, c nacre.Caller, name nacre.JobID) (nacre.Run, error) {
	runs, err := a.opts.Board.Runs(ctx, c.Owner, name, 1)
	if len(runs) == 0 {
		return nacre.Run{}, err
	}
	return runs[0], err
}

// foretold is what the round of promotions will have done; empty for nothing.
func (a *Agenda) foretold(ctx context.Context, c nacre.Caller, name nacre.JobID) (string, error) {
	if name != nacre.RoundPromote || a.opts.Promoted == nil {
		return "", nil
	}
	lines, err := a.opts.Promoted(ctx, c.Owner)
	if len(lines) == 0 {
		return "", err
	}
	return "Done. This is pinned now, or no more:\n\n- " + strings.Join(lines, "\n- "), err
}
