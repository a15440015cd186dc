package gmail

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/phrase"
)

// question is a draft that a model wants in a session and its owner has to allow, at
// most one at a time. What is not kept any more has to be asked for again: it goes with
// the process, after a while, where there are too many, and when something is forgotten.
type question struct {
	owner  nacre.OwnerID
	text   string
	letter letter
	id     string // its Message-ID
	ends   time.Time
}

// The answers.
const (
	yesLabel = "Yes, make the draft"
	noLabel  = "No"
)

// shallI begins every such question.
const shallI = "Shall I put this draft into your Gmail? Nothing is sent."

// Limits of questions.
const (
	maxWait = 24 * time.Hour // for an answer
	maxAsks = 200            // of all owners
)

// confirm asks the owner whether to make a draft. They see everybody who would get it,
// and how it begins.
func (g *Gmail) confirm(c nacre.Caller, l letter, id string) agent.Result {
	q := &question{owner: c.Owner, text: shallI + "\n\n" + l.shown() + "\n- Text: " + literal(l.beginning()), letter: l, id: id, ends: g.opts.Now().Add(maxWait)}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asks[c.Session] = q
	if len(g.asks) > maxAsks {
		delete(g.asks, oldest(g.asks))
	}
	time.AfterFunc(maxWait, func() { g.lapse(c.Session, q) })
	return agent.Result{Text: "No draft is made yet. The person is asked now.", Ask: &agent.Ask{Question: q.text, Options: []string{yesLabel, noLabel}}}
}

// oldest is the session whose question has been open for the longest time.
func oldest(asks map[nacre.SessionID]*question) nacre.SessionID {
	return slices.MinFunc(slices.Collect(maps.Keys(asks)), func(a, b nacre.SessionID) int { return asks[a].ends.Compare(asks[b].ends) })
}

// lapse ends a question that nobody answered.
func (g *Gmail) lapse(session nacre.SessionID, q *question) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.asks[session] == q {
		delete(g.asks, session)
	}
}

// shown is what a letter is about, as its owner reads it before they decide.
func (l letter) shown() string {
	var b strings.Builder
	b.WriteString("- To: " + people(l.To))
	if len(l.Cc) > 0 {
		b.WriteString("\n- Cc: " + people(l.Cc))
	}
	if l.Subject != "" {
		b.WriteString("\n- Subject: " + literal(l.Subject))
	}
	return b.String()
}

// people are recipients in Markdown.
func people(list []string) string {
	if len(list) == 0 {
		return "nobody yet"
	}
	var all []string
	for _, a := range list {
		all = append(all, literal(a))
	}
	return strings.Join(all, ", ")
}

// literal shows a text of one line in Markdown as it is.
func literal(text string) string { return "`" + strings.ReplaceAll(text, "`", "'") + "`" }

// Answer implements agent.Asker. It takes a button under the question for a draft, or
// the same typed right behind it.
func (g *Gmail) Answer(ctx context.Context, c nacre.Caller, m nacre.Message) (agent.Result, bool, error) {
	asked, answer, ok := agent.Replied(c, &m)
	if !ok || !c.Private {
		return agent.Result{}, false, nil
	}
	yes, ok := phrase.Decision(answer)
	if strings.EqualFold(answer, yesLabel) {
		yes, ok = true, true
	}
	if !ok {
		return agent.Result{}, false, nil
	}
	q, open := g.asked(c, asked)
	switch {
	case !open && strings.HasPrefix(asked, shallI):
		return agent.Result{Text: "I do not know that draft any more. Please ask me for it again."}, true, nil
	case !open:
		return agent.Result{}, false, nil
	case !yes:
		return agent.Result{Text: "All right, there is no draft."}, true, nil
	}
	r, err := g.put(ctx, c.Owner, q.letter, q.id)
	return agent.Result{Text: r.Tell}, true, err
}

// asked takes the question of a session that has this text, if it is open. It is
// answered once.
func (g *Gmail) asked(c nacre.Caller, text string) (question, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	q := g.asks[c.Session]
	if q == nil || q.owner != c.Owner || q.text != text || g.opts.Now().After(q.ends) {
		return question{}, false
	}
	delete(g.asks, c.Session)
	return *q, true
}
