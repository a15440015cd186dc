package agent

import (
	"context"

	"nacre"
)

// apart lets run answer what a turn holds, without a model. The history keeps
// nothing of such a turn.
func (s *session) apart(t *turn, run func(context.Context, nacre.Caller) (Result, error)) (r Result, err error) {
	caller := s.caller(t)
	t.outcome, t.said, t.fetch = nacre.Commanded, nil, nil
	ctx, end := context.WithTimeout(s.observed(s.agent.turns, t), s.agent.opts.Deadline)
	defer end()
	err = safely(t.log, func() (err error) { r, err = run(ctx, caller); return err })
	s.forget(t) // now, so that a receipt of forgetting everything is not forgotten with it
	return r, err
}

// conclude commits what came of such a turn.
func (s *session) conclude(t *turn, r Result, err error) error {
	if err != nil {
		t.log.Warn("not done", "kind", nacre.KindOf(err))
		r = Result{Text: sentence(err)}
	}
	t.answer, t.files = r.Text, r.Files
	if r.Ask != nil {
		t.question, t.options = r.Ask.Question, r.Ask.Options
	}
	return s.commit(t)
}

// offer lets whatever asked something in this session take the first of some
// messages, which may answer it. An edit that came by now counts; it stays pending
// like all the rest.
func (s *session) offer(pending []nacre.Message) (took bool, err error) {
	asks := s.agent.opts.Asks
	if notes := s.agent.opts.Notes; notes != nil {
		asks = append([]Asker{notes}, asks...)
	}
	for _, a := range asks {
		if took, err := s.offerTo(a, pending); took || err != nil {
			return took, err
		}
	}
	return false, nil
}

func (s *session) offerTo(a Asker, pending []nacre.Message) (took bool, err error) {
	t := s.begin(pending[:1])
	r, err := s.apart(t, func(ctx context.Context, caller nacre.Caller) (r Result, err error) {
		r, took, err = a.Answer(ctx, caller, current(pending)[0])
		return r, err
	})
	if !took {
		if err != nil {
			t.log.Warn("cannot tell whether a message answers what was asked; the model answers", "kind", nacre.KindOf(err))
		}
		return false, nil
	}
	return true, s.conclude(t, r, err)
}
