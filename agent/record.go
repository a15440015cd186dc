package agent

import (
	"encoding/json"
	"fmt"
	"slices"

	"nacre"
	"nacre/agent/llm"
)

// storable makes of a response what it will be after it was stored and read, so
// that prompts before and after a restart have the same bytes: JSON in one
// form, and arguments that are no JSON as a JSON text.
func storable(r llm.Response) llm.Message {
	m := llm.Message{Role: llm.Assistant, Text: r.Text, Calls: slices.Clone(r.Calls), Blob: uniform(r.Blob)}
	for i, c := range m.Calls {
		args := c.Args
		if !json.Valid(args) {
			args, _ = json.Marshal(string(args))
		}
		m.Calls[i].Args = uniform(args)
	}
	return m
}

// uniform is JSON in the form in which it comes back from storage; nil for what
// is none, which could not be stored.
func uniform(raw json.RawMessage) json.RawMessage {
	out, err := json.Marshal(raw)
	if err != nil || len(raw) == 0 {
		return nil
	}
	return out
}

// record makes the form in which a turn is kept. It cannot fail: what a model
// said that has no such form is left out of the history.
func (s *session) record(t *turn) nacre.Turn {
	if t.blank {
		t.said = nil
	}
	done := nacre.Turn{ID: t.id, Session: s.info.ID, Owner: s.info.Owner, Messages: t.messages,
		Outcome: t.outcome, Started: t.started, Fresh: t.fresh, Instead: t.instead}
	history, err := json.Marshal(t.said)
	if err != nil {
		t.log.Error("history shortened", "err", err)
		t.said = ownWords(t.said)
		history, _ = json.Marshal(t.said)
	}
	if len(t.said) > 0 {
		done.History = history
	}
	reply := nacre.Reply{ID: nacre.ReplyID(t.id), Chat: s.info.Chat, Text: t.text(), Options: t.options, Files: t.files}
	parts := s.render(t, reply)
	if len(parts) == 0 && t.outcome == nacre.Answered { // markup alone
		reply.Text = sentence(errEmpty)
		parts = s.render(t, reply)
	}
	if len(parts) > 0 {
		done.Replies = []nacre.RenderedReply{{ID: reply.ID, Chat: reply.Chat, Parts: parts, Text: t.question, Options: reply.Options}}
	}
	return done
}

// render cuts a reply. An answer that makes its channel panic is replaced by a
// sentence, so that it costs this turn and not every start from now on.
func (s *session) render(t *turn, r nacre.Reply) (parts []nacre.Part) {
	defer func() {
		if p := recover(); p != nil {
			t.outcome = nacre.Failed
			parts = []nacre.Part{{Text: sentence(panicked(t.log, p))}}
		}
	}()
	return s.agent.opts.Host.Render(r)
}

// decode reads messages in the form in which the journal keeps them.
func (s *session) decode(raw json.RawMessage) ([]llm.Message, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	var messages []llm.Message
	if err := json.Unmarshal(raw, &messages); err != nil {
		return nil, fmt.Errorf("decode history: %w", err)
	}
	messages = paired(messages)
	s.restore(messages)
	return messages, nil
}

// AnswerOf reads what the person was answered, or asked, at the end of a turn
// from its History. It is strange if the turn holds words of strangers, which the
// answer may repeat. It is false for a turn without an answer: one that was
// stopped, failed, only noted or forgotten, and for what is no history. The
// adapter that feeds the search index calls it.
func AnswerOf(history json.RawMessage) (text string, strange, ok bool) {
	var messages []llm.Message
	if json.Unmarshal(history, &messages) != nil {
		return "", false, false
	}
	for _, m := range slices.Backward(messages) {
		if m.Role == llm.Assistant && len(m.Calls) == 0 {
			if m.Text == unanswered[nacre.Stopped] || m.Text == unanswered[nacre.Failed] {
				return "", false, false
			}
			return m.Text, slices.ContainsFunc(messages, byStrangers), m.Text != ""
		}
	}
	return "", false, false
}

// paired leaves out of a stored turn what providers would refuse for ever: calls
// without all their results, results without their call, what is empty. A sound
// turn stays as it is.
func paired(said []llm.Message) []llm.Message {
	var kept []llm.Message
	for i := 0; i < len(said); i++ {
		m := said[i]
		results := said[i+1:]
		if n := slices.IndexFunc(results, func(m llm.Message) bool { return m.Role != llm.Tool }); n >= 0 {
			results = results[:n]
		}
		switch {
		case m.Role == llm.User && (m.Text != "" || len(m.Images) > 0):
			kept = append(kept, m)
		case m.Role == llm.Assistant && len(kept) > 0:
			if len(m.Calls) > 0 && !answered(m.Calls, results) {
				m.Calls, m.Blob = nil, nil
			}
			switch {
			case len(m.Calls) > 0:
				kept = append(append(kept, m), results...)
			case m.Text != "" && kept[len(kept)-1].Role != llm.Assistant:
				kept = append(kept, m)
			}
			i += len(results)
		}
	}
	return kept
}

// answered reports whether each call has an id of its own and one result.
func answered(calls []llm.ToolCall, results []llm.Message) bool {
	open := map[string]bool{}
	for _, c := range calls {
		open[c.ID] = true
	}
	if len(open) != len(calls) || len(results) != len(calls) || open[""] {
		return false
	}
	for _, r := range results {
		if !open[r.CallID] {
			return false
		}
		delete(open, r.CallID)
	}
	return true
}
