package notebook

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"nacre"
	"nacre/agent"
	"nacre/agent/phrase"
	"nacre/memory/canon"
)

// Answer implements agent.Memory. A button answers the question that it was
// under, for as long as that is open. Typed words answer one that was asked just
// now: with one of its answers, or with yes or no.
func (n *Notebook) Answer(ctx context.Context, c nacre.Caller, m nacre.Message) (agent.Result, bool, error) {
	if m.Quiet || m.Revision > 0 {
		return agent.Result{}, false, nil
	}
	q, i, err := n.take(ctx, c, &m)
	if i < 0 || err != nil {
		return agent.Result{}, false, err
	}
	a := q.Answers[i]
	r, err := n.carryOut(ctx, c, a, m.ID)
	if err != nil && a.Forget == nil && n.keep(ctx, session(c), q) != nil {
		n.opts.Logger.Warn("a question of memory was lost", "session", c.Session)
	}
	return r, true, err
}

// take ends the question that a message answers, and returns it with the place of
// the answer, -1 if it answers none.
func (n *Notebook) take(ctx context.Context, c nacre.Caller, m *nacre.Message) (*question, int, error) {
	n.asking.Lock()
	defer n.asking.Unlock()
	q, err := n.open(ctx, c)
	if q == nil || err != nil {
		return nil, -1, err
	}
	i := q.chosen(m, q.earlier || c.Asked == q.Text)
	if i < 0 {
		return nil, -1, n.passed(ctx, session(c), q)
	}
	return q, i, n.drop(ctx, c)
}

// Passed implements agent.Memory. The question is read again, since what was
// forgotten meanwhile must not come back.
func (n *Notebook) Passed(ctx context.Context, s nacre.SessionInfo) error {
	n.asking.Lock()
	defer n.asking.Unlock()
	q, err := n.load(ctx, s)
	if q == nil || err != nil {
		return err
	}
	return n.passed(ctx, s, q)
}

// passed notes that something else was said: what is typed later answers that.
// Asking is held.
func (n *Notebook) passed(ctx context.Context, s nacre.SessionInfo, q *question) error {
	if !q.Typed {
		return nil
	}
	later := *q
	later.Typed = false
	return n.keep(ctx, s, &later)
}

// chosen is the place of the answer that a message gives, -1 if it gives none.
// What is typed answers what the person saw last, and not a question of a turn
// that failed before it was shown.
func (q *question) chosen(m *nacre.Message, seen bool) int {
	if strings.HasPrefix(string(m.External), nacre.Pressed) {
		if !slices.Contains(m.Segments, nacre.Segment{Provenance: nacre.Quoted, Text: q.Text}) {
			return -1
		}
		return slices.IndexFunc(q.Answers, func(a answer) bool {
			return slices.Contains(m.Segments, nacre.Segment{Provenance: nacre.Prefill, Text: a.Label})
		})
	}
	if !seen || !q.Typed || len(m.Attachments) > 0 || slices.ContainsFunc(m.Segments, q.foreign) {
		return -1
	}
	return q.read(m.Typed())
}

// foreign is a segment that is neither typed nor what a reply to this question
// quotes.
func (q *question) foreign(s nacre.Segment) bool {
	switch s.Provenance {
	case nacre.ByOwner, nacre.InGroup:
		return false
	case nacre.Quoted:
		return !canon.Contains(s.Text, q.Text) && !canon.Contains(q.Text, s.Text)
	}
	return s.Text != ""
}

// mention is how people address somebody in a group.
var mention = regexp.MustCompile(`@\w+`)

// read finds the answer that somebody typed, by its label, with or without a yes
// before it, by its number, or by the words for yes and no.
func (q *question) read(text string) int {
	text = strings.TrimSpace(mention.ReplaceAllString(text, " "))
	form := canon.Form(text)
	first, rest, _ := strings.Cut(form, " ")
	yes, _ := phrase.Decision(first)
	for i, a := range q.Answers {
		label := canon.Form(a.Label)
		if form != "" && (form == label || yes && rest == label || form == strconv.Itoa(i+1) && strings.HasPrefix(a.Label, form+" ")) {
			return i
		}
	}
	switch yes, ok := phrase.Decision(text); {
	case !ok:
		return -1
	case yes:
		return q.Yes
	}
	return q.No
}

// carryOut does what an answer means, if what the person was shown still stands.
// By is the message that gives it.
func (n *Notebook) carryOut(ctx context.Context, c nacre.Caller, a answer, by nacre.MessageID) (agent.Result, error) {
	st, err := n.book(c).State(ctx)
	if err != nil {
		return agent.Result{}, err
	}
	for id, was := range a.Shown {
		if look(st.Note(id)) != was {
			return said(stale), nil
		}
	}
	switch {
	case a.Forget != nil:
		f := *a.Forget
		f.Asking = append(slices.Clone(f.Asking), by)
		return n.erase(ctx, c, f, a.Shown)
	case a.Cut:
		return said("Done: your own words do not say it any more."), n.book(c).Cut(ctx)
	case len(a.Propose) > 0:
		return n.propose(ctx, c, a)
	}
	return said(a.Reply), nil
}

// propose proposes what the person said yes to, tells them what came of it and
// asks what there is to ask then.
func (n *Notebook) propose(ctx context.Context, c nacre.Caller, a answer) (agent.Result, error) {
	outcomes, err := n.book(c).Propose(ctx, a.Propose...)
	if err != nil {
		return agent.Result{}, err
	}
	var lines []string
	for i, o := range outcomes {
		p := a.Propose[i]
		if q, ok := n.doubt(ctx, c, p, o); ok {
			r, asked, err := n.ask(ctx, c, q)
			if asked || err != nil {
				r.Text = strings.Join(lines, "\n")
				return r, err
			}
		}
		lines = append(lines, told(p, o))
	}
	if a.Review {
		return n.reviewNext(ctx, c, lines)
	}
	return said(strings.Join(lines, "\n")), nil
}
