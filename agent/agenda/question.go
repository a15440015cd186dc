package agenda

import (
	"context"
	"maps"
	"time"
	"unicode/utf8"

	"nacre"
	"nacre/agent"
)

// question is what a model wants in a session and its owner has to allow, at most
// one thing at a time. What yes does was decided when it was asked. A process that
// ends forgets it, and then it has to be asked for again.
type question struct {
	text    string
	yes     func(ctx context.Context, c nacre.Caller) (agent.Result, error)
	expires time.Time
}

// The answers.
const (
	yesLabel = "Yes, do that"
	noLabel  = "No"
)

// shallI begins every such question.
const shallI = "Shall I do this? I ask because I have also read words of others here."

// Limits of a question.
const (
	maxWait  = 24 * time.Hour // how long it can be answered
	maxAsked = 3000           // characters of what is decided
)

// confirm asks the owner whether to do what a model wants. What is shown is all
// that it comes to, in words that the model did not choose.
func (a *Agenda) confirm(c nacre.Caller, shows string, yes func(context.Context, nacre.Caller) (agent.Result, error)) (agent.Result, error) {
	if c.Run != nil {
		return agent.Result{}, nacre.Errorf(nacre.Denied, "Refused: words of others were read in this run, and nobody is there to be asked.")
	}
	if utf8.RuneCountInString(shows) > maxAsked {
		return agent.Result{}, nacre.Errorf(nacre.Invalid, "I would have to ask about that, and it is too long for a question. Make it shorter than %d characters.", maxAsked)
	}
	now := time.Now()
	q := question{text: shallI + "\n\n" + shows, yes: yes, expires: now.Add(maxWait)}
	a.mu.Lock()
	defer a.mu.Unlock()
	maps.DeleteFunc(a.asks, func(_ nacre.SessionID, old question) bool { return now.After(old.expires) })
	a.asks[c.Session] = q
	return agent.Result{Text: "Nothing is done yet. The person is asked now.", Ask: &agent.Ask{Question: q.text, Options: []string{yesLabel, noLabel}}}, nil
}

// settle takes the question of a session that has this text, if it is open. It is
// answered once.
func (a *Agenda) settle(c nacre.Caller, text string) (question, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	q, ok := a.asks[c.Session]
	if !ok || q.text != text || time.Now().After(q.expires) {
		return question{}, false
	}
	delete(a.asks, c.Session)
	return q, true
}
