package agent

import (
	"context"
	"errors"
	"strings"

	"nacre"
)

// check lets evidence correct what the model wrote, before anybody sees it. A
// question that a tool wrote stays as it is: what it does hangs on the words. An
// answer is there by now, so the end of the turn's time costs only the check.
func (s *session) check(ctx context.Context, t *turn) error {
	if s.checks(t) && strings.TrimSpace(t.answer) != "" {
		t.redraft(s.checked(ctx, t, t.answer))
	}
	if s.checks(t) && t.own {
		t.reask(s.checked(ctx, t, t.question))
	}
	if err := context.Cause(ctx); errors.Is(err, errInterrupted) || errors.Is(err, ErrParked) {
		return err
	}
	return nil
}

// checks reports whether drafts are checked: evidence for what is forgotten by
// now does not count.
func (s *session) checks(t *turn) bool {
	s.forget(t)
	return t.evidence.Check != nil
}

// checked is a draft as it goes out: as it is, unless the check has better words.
func (s *session) checked(ctx context.Context, t *turn, draft string) string {
	ctx, end := context.WithTimeout(ctx, timeFor(ctx))
	defer end()
	check := t.evidence.Check
	words, err := await(ctx, t.log, func() (string, error) { return check(ctx, draft) })
	if err != nil {
		t.log.Warn("a draft was not checked", "kind", nacre.KindOf(err))
		return draft
	}
	if !s.visible(words) {
		return draft
	}
	return words
}

// redraft puts words in the place of the answer's, for later prompts as well.
func (t *turn) redraft(words string) {
	if words == t.answer {
		return
	}
	t.answer, t.said[t.place].Text = words, words
	t.unthink(t.place)
}

// reask puts a question in the place of the model's, and of the one in its call.
func (t *turn) reask(question string) {
	if question == t.question {
		return
	}
	at := lastCalls(t.said)
	swap := redaction{blank: func(text string) (string, bool) { return question, text == t.question }}
	for i, c := range t.said[at].Calls {
		t.said[at].Calls[i].Args = swap.args(c.Args)
	}
	t.said[len(t.said)-1].Text, t.question = question, question
	t.unthink(at)
}

// unthink drops the reasoning that providers keep with what was said from a
// place on: it may repeat what stood there, and some bind it to that.
func (t *turn) unthink(from int) {
	for i := range t.said[from:] {
		t.said[from+i].Blob = nil
	}
}
