package agent

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"nacre"
	"nacre/agent/llm"
	"nacre/agent/prompt"
)

// due is a message that Nacre put in the inbox by itself.
func due(m nacre.Message) bool { return m.Due != nil }

// sayDue says what is due, word for word and each in a turn of its own, and
// returns what else is pending. What people wrote waits for models, and a reminder
// must not: so it goes before all that, and is said in the middle of another turn
// too. History keeps turns in the order in which they were said.
//
// Reading the inbox and committing are one step while storing is held. So nothing
// is said twice, however many goroutines call this, and nothing that is forgotten
// meanwhile is said.
func (s *session) sayDue() (pending []nacre.Message, err error) {
	s.storing.Lock()
	defer s.storing.Unlock()
	pending, err = s.agent.opts.Journal.Pending(s.agent.turns, s.info, 0)
	if err != nil {
		return nil, err
	}
	for i := range pending {
		if !due(pending[i]) {
			continue
		}
		if err := s.sayOne(&pending[i]); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(pending, due), nil
}

// sayDueNow is sayDue beside a turn in progress. If it fails, the session itself
// says it once that turn is over.
func (s *session) sayDueNow() {
	err := safely(s.log, func() error { _, err := s.sayDue(); return err })
	if err != nil {
		s.log.Warn("what is due waits for the turn in progress", "kind", nacre.KindOf(err))
	}
}

// sayOne commits one message that is due as what the assistant says. Storing is
// held.
func (s *session) sayOne(m *nacre.Message) error {
	t := s.dueTurn(m)
	s.pass(t)
	list, err := s.agent.opts.Journal.Commit(context.Background(), s.record(t))
	if nacre.KindOf(err) == nacre.Conflict {
		t.log.Error("turn dropped, what was due was said before", "err", err)
		return nil
	}
	if err != nil {
		return err
	}
	s.agent.opts.Host.Post(list)
	s.question = ""
	if s.loaded {
		s.reminded = append(s.reminded, past{t.id, t.begins, t.said, true})
	}
	return nil
}

// pass lets memory know that something is said behind what it asked, before that is
// said: a "yes" that follows is none to an older question, in the next process
// neither. If memory fails, what is due is said all the same.
func (s *session) pass(t *turn) {
	notes := s.agent.opts.Notes
	if notes == nil {
		return
	}
	if err := safely(t.log, func() error { return notes.Passed(s.agent.turns, s.info) }); err != nil {
		t.log.Warn("a question of memory stays open behind what was due", "kind", nacre.KindOf(err))
	}
}

// lost is said in the place of words that nobody can read any more.
const lost = "Something was due here, but its words are not there any more."

// dueTurn is the turn in which a message is said that is due. Storing is held.
func (s *session) dueTurn(m *nacre.Message) *turn {
	t := &turn{id: nacre.TurnID(m.ID), begins: m.Seq, log: s.log.With("turn", m.ID), started: time.Now(),
		messages: []nacre.MessageID{m.ID}, outcome: nacre.Answered, answer: ownSegments(m)}
	for _, r := range s.forgets {
		if t.answer = r.text(t.answer); r.all {
			t.answer = ""
		}
	}
	if len(s.render(t, nacre.Reply{Chat: s.info.Chat, Text: t.answer})) == 0 {
		t.answer = lost
	}
	told := llm.Message{Role: llm.Assistant, Text: t.answer}
	if m.Due.Strange {
		told.Source = llm.FromWeb
	}
	why := nacre.Message{Segments: []nacre.Segment{{Provenance: nacre.BySystem, Text: occasion(m.Due, s.agent.opts.Zone(s.info.Owner))}}}
	t.said = []llm.Message{prompt.User(&why), told}
	return t
}

// ownSegments are the words that Nacre itself wrote in a message.
func ownSegments(m *nacre.Message) string {
	var parts []string
	for _, seg := range m.Segments {
		if seg.Provenance == nacre.BySystem && seg.Text != "" {
			parts = append(parts, seg.Text)
		}
	}
	return strings.Join(parts, "\n")
}

// occasion says to later prompts why the assistant said something unasked.
func occasion(d *nacre.Due, zone *time.Location) string {
	what := map[nacre.JobKind]string{
		nacre.Reminder:  "a reminder that was due on ",
		nacre.Task:      "about a task that was due on ",
		nacre.Heartbeat: "you looked after them by yourself on ",
	}[d.Kind]
	return cmp.Or(what, "something was due on ") + d.Slot.In(zone).Format("Mon 2 Jan 2006 15:04")
}

// unasked reports whether no person has a part in a stored turn.
func unasked(said []llm.Message) bool {
	return !slices.ContainsFunc(said, func(m llm.Message) bool { return m.Role == llm.User && m.Source != llm.FromSystem })
}

// beforeDue cuts messages before the first that came behind something due: it may
// answer that, and the turn in progress does not know of it.
func (s *session) beforeDue(messages []nacre.Message) []nacre.Message {
	s.storing.Lock()
	defer s.storing.Unlock()
	behind := func(m nacre.Message) bool {
		return due(m) || len(s.reminded) > 0 && m.Seq > s.reminded[0].first
	}
	if end := slices.IndexFunc(messages, behind); end >= 0 {
		return messages[:end]
	}
	return messages
}
