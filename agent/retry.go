package agent

import (
	"slices"

	"nacre"
	"nacre/agent/prompt"
)

// lastAsked is the place of the newest turn that asked for an answer, -1 if
// there is none.
func (s *session) lastAsked() int {
	for i := len(s.past) - 1; i >= 0; i-- {
		if !s.past[i].noted {
			return i
		}
	}
	return -1
}

// retry answers what an earlier turn was asked once more, in its place. What
// stands behind the command, or came with it, is one more thing that the person
// says.
func (s *session) retry(t *turn, earlier past, more string) error {
	since := t.said[:len(t.said)-1] // without the command
	t.said = ownWords(slices.Clone(earlier.messages))
	t.instead, t.retried, t.answerable, t.fetch = earlier.id, len(t.said), true, nil
	t.said = append(t.said, since...)
	if m := t.last; more != "" || len(m.Attachments) > 0 {
		m.Segments = []nacre.Segment{{Provenance: nacre.ByOwner, Text: more}}
		t.fetch = []arrival{{m, len(t.said)}}
		t.said = append(t.said, prompt.User(&m))
	}
	return s.answer(t)
}
