package agent

import (
	"context"

	"nacre"
	"nacre/agent/llm"
)

// evidenceShare is how much of the window a prompt with evidence may fill. It is
// more than fullShare: no conversation is cut to make room for evidence, and one
// that fills its share leaves some.
const evidenceShare = 0.85

// evident is a request with the evidence of its turn, which is looked for unless
// it was since the person's newest message. Bare is the request without. What has
// no room is left out, now and for the rest of the turn.
func (s *session) evident(ctx context.Context, t *turn, bare llm.Request) (llm.Request, error) {
	for s.agent.opts.Recall != nil && s.errand == nil && !t.recalled {
		t.evidence, t.recalled = s.recall(ctx, t, bare), true
		if s.forget(t) { // that took back both
			s.refresh(ctx, t, Frozen{})
			bare = s.request(t, "")
		}
	}
	if err := context.Cause(ctx); err != nil {
		return bare, err
	}
	if t.evidence.Text == "" {
		return bare, nil
	}
	req := s.request(t, t.evidence.Text)
	if s.gauge.over(req, evidenceShare) > 0 {
		t.dropEvidence()
		return bare, nil
	}
	return req, nil
}

// dropEvidence goes on as if nothing had been found.
func (t *turn) dropEvidence() {
	t.log.Warn("the model's window has no room for evidence; it answers without")
	t.evidence = Evidence{}
}

// recall looks for evidence once. Whatever goes wrong costs the evidence alone,
// and one that hangs leaves time for the answer.
func (s *session) recall(ctx context.Context, t *turn, bare llm.Request) (found Evidence) {
	const lineEnd = 1 // token behind it
	room := -s.gauge.over(bare, evidenceShare) - lineEnd
	if room <= 0 {
		t.dropEvidence()
		return found
	}
	ctx, end := context.WithTimeout(ctx, timeFor(ctx))
	defer end()
	caller, w := s.caller(t), s.seen(t, room)
	found, err := await(ctx, t.log, func() (Evidence, error) { return s.agent.opts.Recall.Recall(ctx, caller, w) })
	if err != nil {
		t.log.Warn("nothing was recalled", "kind", nacre.KindOf(err))
		return Evidence{}
	}
	return found
}

// seen is what the model sees without evidence. What a retry answers once more
// stands in it too, and the answer whose place it takes is not to be seen.
func (s *session) seen(t *turn, room int) Window {
	w := Window{Turns: []nacre.TurnID{t.id}, Since: t.begins, Room: room, Notes: s.frozen.Notes}
	for _, p := range s.past {
		w.Turns = append(w.Turns, p.id)
		w.Since = min(w.Since, p.first)
	}
	return w
}
