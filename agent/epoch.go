package agent

import (
	"context"
	"time"

	"nacre/agent/prompt"
)

// cacheLife is how long providers keep the beginning of a prompt after it was
// last used: five minutes with Anthropic unless more is paid for, five to ten
// with OpenAI.
const cacheLife = 5 * time.Minute

// notesShare is how much of a model's window what is remembered may take. With
// more the smallest windows would have no room left for a conversation.
const notesShare = 0.25

// refresh makes ready for a request: with what prompts hold of memory, which is
// held as long as memory says so, and without what was forgotten meanwhile.
func (s *session) refresh(ctx context.Context, t *turn, held Frozen) {
	s.freeze(ctx, t, held)
	for s.forget(t) { // what was frozen may hold it
		s.freeze(ctx, t, Frozen{})
	}
}

// freeze asks memory for its part of prompts. A memory that fails leaves it as
// it was.
func (s *session) freeze(ctx context.Context, t *turn, held Frozen) {
	notes := s.agent.opts.Notes
	if notes == nil {
		return
	}
	cold := time.Since(s.asked) > cacheLife
	err := safely(t.log, func() error {
		f, err := notes.Frozen(ctx, s.caller(t), held, cold)
		if err == nil {
			s.frozen = f
		}
		return err
	})
	if err != nil {
		t.log.Warn("memory cannot be read, the prompt goes on with what it held", "err", err)
	}
	if n := prompt.TextTokens(s.frozen.Notes); n > int(s.gauge.window*notesShare/s.gauge.ratio) {
		t.log.Warn("the model's window is too small for what is remembered; it answers without", "tokens", n)
		s.frozen.Notes = ""
	}
}
