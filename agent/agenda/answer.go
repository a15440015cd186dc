package agenda

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"nacre"
	"nacre/agent"
	"nacre/agent/phrase"
	"nacre/jobs/timetable"
)

// What is asked under jobs that are shown. These questions and their answers say
// all that there is to know, so that a button works for as long as the job is what
// its question shows.
const askWhich = "Which one do you want to look at?"

// askWhat asks what to do with a job, as it is now.
func (a *Agenda) askWhat(c nacre.Caller, job nacre.Job) string {
	return fmt.Sprintf("%s %s: %s", askAbout(job.Number), literal(timetable.Words(job.Schedule, a.opts.Zone(c.Owner))), literal(name(job)))
}

// askAbout begins what is asked about the job of a number.
func askAbout(number int) string { return fmt.Sprintf("What shall I do with job %d?", number) }

// show is the answer to askWhich; those to askWhat are verbs.
const show verb = "show"

// label is a verb on a button.
func (v verb) label(number int) string {
	return fmt.Sprintf("%s%s %d", strings.ToUpper(string(v[:1])), string(v[1:]), number)
}

// Answer implements agent.Asker. It takes a button under something that was asked
// here, or the same typed right behind it. Nothing else is an answer.
func (a *Agenda) Answer(ctx context.Context, c nacre.Caller, m nacre.Message) (agent.Result, bool, error) {
	question, answer, ok := agent.Replied(c, &m)
	if !ok {
		return agent.Result{}, false, nil
	}
	if strings.HasPrefix(question, shallI) {
		return a.decided(ctx, c, question, answer)
	}
	what, number, ok := pick(question, answer)
	if !ok {
		return agent.Result{}, false, nil
	}
	r, err := a.answered(ctx, c, question, what, number)
	return r, true, err
}

// decided takes the answer to what a model wants.
func (a *Agenda) decided(ctx context.Context, c nacre.Caller, question, answer string) (agent.Result, bool, error) {
	yes, ok := phrase.Decision(answer)
	if strings.EqualFold(answer, yesLabel) {
		yes, ok = true, true
	}
	if !ok {
		return agent.Result{}, false, nil
	}
	q, open := a.settle(c, question)
	switch {
	case !yes:
		return said("All right, I leave everything as it is."), true, nil
	case !open:
		return said("I do not know any more what that was about; please ask again."), true, nil
	}
	r, err := q.yes(ctx, c)
	return r, true, err
}

// pick reads an answer to what is asked under jobs.
func pick(question, answer string) (what verb, number int, ok bool) {
	first, rest, _ := strings.Cut(strings.ToLower(answer), " ")
	number, ok = numbered(rest)
	if !ok {
		return "", 0, false
	}
	switch what = verb(first); what {
	case show:
		return what, number, question == askWhich
	case pause, resume, run, drop:
		return what, number, strings.HasPrefix(question, askAbout(number))
	}
	return "", 0, false
}

// answered does what somebody chose, if the job still is what the question shows.
func (a *Agenda) answered(ctx context.Context, c nacre.Caller, question string, what verb, number int) (agent.Result, error) {
	job, err := a.job(ctx, c, number)
	if err != nil {
		return agent.Result{}, err
	}
	if what == show || question == a.askWhat(c, job) {
		return a.picked(ctx, c, what, job)
	}
	r, err := a.one(ctx, c, job)
	r.Text = "That was about job " + strconv.Itoa(number) + " as it was before; I left it alone. This is what it is now:\n\n" + r.Text
	return r, err
}

// picked does what somebody chose, and shows what there is to choose then.
func (a *Agenda) picked(ctx context.Context, c nacre.Caller, what verb, job nacre.Job) (agent.Result, error) {
	if what == show {
		return a.one(ctx, c, job)
	}
	told, err := a.do(ctx, c, byHand(c), what, job, nacre.JobChange{})
	if err != nil || what == drop {
		return said(told), err
	}
	if job, err = a.job(ctx, c, job.Number); err != nil {
		return said(told), nil // done, and finished with that
	}
	return agent.Result{Text: told, Ask: a.asking(c, job)}, nil
}

// asking asks what to do with a job.
func (a *Agenda) asking(c nacre.Caller, job nacre.Job) *agent.Ask {
	verbs := []verb{resume, run, drop}
	switch {
	case job.Kind == nacre.Heartbeat && job.State == nacre.Active:
		verbs = []verb{pause, run}
	case job.Kind == nacre.Heartbeat:
		verbs = []verb{resume, run}
	case job.State == nacre.Active:
		verbs = []verb{pause, run, drop}
	case job.State == nacre.Finished:
		verbs = []verb{run, drop}
	}
	ask := &agent.Ask{Question: a.askWhat(c, job)}
	for _, v := range verbs {
		ask.Options = append(ask.Options, v.label(job.Number))
	}
	return ask
}
