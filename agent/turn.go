package agent

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"time"

	"nacre"
	"nacre/agent/llm"
	"nacre/agent/prompt"
)

// turn is one turn in the making.
type turn struct {
	id         nacre.TurnID
	begins     int64 // inbox sequence of its first message
	first      int64 // and of the first that asks for an answer
	log        *slog.Logger
	started    time.Time
	messages   []nacre.MessageID
	last       nacre.Message   // the newest message, on whose behalf tools run
	heard      []nacre.Message // the messages as they came, oldest first, without those that an edit took the place of
	fetch      []arrival       // messages whose attachments are still with the network
	answerable bool            // there are words, or something else to go by
	said       []llm.Message   // what the history will keep of it
	answer     string          // what the person gets to read; empty for nothing
	place      int             // in said, of the model's words that are the answer
	tells      []string        // what tools tell them behind it
	asked      string          // what they had been asked last when it began
	question   string          // what they are asked behind that
	own        bool            // the model wrote that, and no tool
	options    []string        // what they can choose from
	files      []nacre.File    // what they get with it
	notes      []string        // sentences about what went wrong on the way
	show       func(string)    // takes the answer so far
	shown      bool            // something of it was made
	called     []string        // tools that the model called, by name
	ended      bool            // by a tool, of an errand
	outcome    nacre.Outcome
	fresh      bool
	instead    nacre.TurnID // the turn whose place it takes
	retried    int          // how much of said is from there
	forgets    []redaction  // what is taken out of all that it says
	blank      bool         // everything was forgotten: the history keeps nothing of it
	evidence   Evidence     // what was found for it
	recalled   bool         // that was looked for since the person's newest message
	meanwhile  []past       // what was said before it was committed, and after it began
	used       *llm.Counted // what its models used; nil before any was asked
}

// begin makes a turn over messages, which are taken from now on.
func (s *session) begin(messages []nacre.Message) *turn {
	id := nacre.TurnID(messages[0].ID)
	t := &turn{id: id, begins: messages[0].Seq, first: messages[max(0, slices.IndexFunc(messages, loud))].Seq, log: s.log.With("turn", id), started: time.Now(), outcome: nacre.Answered, asked: s.open()}
	s.take(t, messages)
	return t
}

// open is the question that typed words answer: none once something else was said,
// also because it was due.
func (s *session) open() string {
	s.storing.Lock()
	defer s.storing.Unlock()
	return s.question
}

func (s *session) take(t *turn, messages []nacre.Message) {
	for _, m := range messages {
		t.messages = append(t.messages, m.ID)
		t.last = m
		t.hear(m)
		t.answerable = t.answerable || m.Worded()
		if loud(m) || m.Worded() {
			t.evidence, t.recalled = Evidence{}, false
		}
	}
	for _, m := range current(messages) {
		if len(m.Attachments) > 0 {
			t.fetch = append(t.fetch, arrival{m, len(t.said)})
		}
		t.said = append(t.said, prompt.User(&m))
	}
}

// hear takes a message in for tools.
func (t *turn) hear(m nacre.Message) {
	if m.Revision > 0 {
		t.heard = slices.DeleteFunc(t.heard, func(old nacre.Message) bool { return old.External == m.External })
	}
	t.heard = append(t.heard, m)
}

// rehear puts a message with what its attachments hold in the place of the one
// that came.
func (t *turn) rehear(m nacre.Message) {
	if i := slices.IndexFunc(t.heard, func(old nacre.Message) bool { return old.ID == m.ID }); i >= 0 {
		t.heard[i] = m
	}
}

// caller is on whose behalf a turn runs tools and asks memory. What it holds is
// its own: a tool that does not end may look at it when the turn is long over.
func (s *session) caller(t *turn) nacre.Caller {
	c := nacre.Caller{Owner: s.info.Owner, Operator: s.info.Operator, Session: s.info.ID, Chat: s.info.Chat,
		Private: s.info.Private, Author: t.last.Author, Turn: t.id, Asked: t.asked, Said: slices.Clone(t.heard), Tainted: s.tainted(t)}
	if s.errand != nil {
		run := s.errand.Run
		c.Run, c.MayPlan = &run, s.errand.MayPlan
	}
	return c
}

// tainted reports whether the model sees words that are neither the person's nor
// its own: in this turn, or in what the prompt holds of those before.
func (s *session) tainted(t *turn) bool {
	return slices.ContainsFunc(s.head, byStrangers) || slices.ContainsFunc(t.said, byStrangers) ||
		slices.ContainsFunc(s.past, func(p past) bool { return p.id != t.instead && slices.ContainsFunc(p.messages, byStrangers) })
}

// byStrangers is a message with words of neither the person nor the model nor a tool.
func byStrangers(m llm.Message) bool { return m.Source == llm.FromWeb || m.Source == llm.FromOthers }

// draft makes the words that the model said last the answer, unless more come.
func (t *turn) draft(text string) { t.answer, t.place = text, len(t.said)-1 }

// text is all that the person reads of a turn.
func (t *turn) text() string {
	text := t.answer
	for _, more := range []string{strings.Join(t.tells, "\n"), t.question, strings.Join(t.notes, "\n")} {
		text = strings.TrimSpace(text + "\n\n" + more)
	}
	return text
}

// within makes a turn interruptible and bounds its time.
func (s *session) within(t *turn) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(s.observed(s.agent.turns, t))
	ctx, stopClock := context.WithTimeoutCause(ctx, s.agent.opts.Deadline, context.DeadlineExceeded)
	s.mu.Lock()
	s.cancel, s.first = cancel, t.first
	if s.first < s.stop {
		cancel(errInterrupted)
	}
	s.mu.Unlock()
	return ctx, func() {
		s.mu.Lock()
		s.cancel = nil
		s.mu.Unlock()
		stopClock()
		cancel(nil)
	}
}

// answer runs a turn and commits it, whatever became of it.
func (s *session) answer(t *turn) error {
	ctx, end := s.within(t)
	defer end()
	show, stopShowing := s.agent.opts.Host.Progress(s.info.Chat, t.id)
	defer stopShowing()
	t.show = show
	err := s.try(ctx, t)
	switch {
	case errors.Is(err, ErrParked):
		return ErrParked // nothing of it is done; the next process takes it all again
	case errors.Is(err, errInterrupted):
		t.end(nacre.Stopped, "")
	case err != nil:
		t.log.Warn("turn failed", "err", err)
		t.end(nacre.Failed, sentence(err))
	}
	stopShowing()
	return s.commit(t)
}

// try thinks, and tells why nothing came of it.
func (s *session) try(ctx context.Context, t *turn) error {
	err := safely(t.log, func() error { return s.think(ctx, t) })
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	if errors.Is(err, context.DeadlineExceeded) && !t.shown && !usedTools(t.said) {
		return errSilent
	}
	return err
}

// end makes a turn one that came to nothing but a sentence. One that was to
// take another's place leaves that where it was, and keeps what was said since.
func (t *turn) end(outcome nacre.Outcome, answer string) {
	t.outcome, t.said, t.answer, t.question, t.options, t.files = outcome, ownWords(t.said), answer, "", nil, nil
	if outcome == nacre.Stopped {
		t.notes = nil
	}
	if t.instead != "" {
		t.instead, t.said = "", t.said[t.retried:]
	}
	if len(t.said) > 0 {
		t.said = append(t.said, llm.Message{Role: llm.Assistant, Text: unanswered[outcome]})
	}
}

// unanswered is what later prompts see in the place of an answer that did not
// come, so that nobody does again what was given up.
var unanswered = map[nacre.Outcome]string{
	nacre.Stopped: "[I was told to stop before I had answered that.]",
	nacre.Failed:  "[I could not answer that.]",
}

func usedTools(said []llm.Message) bool {
	return slices.ContainsFunc(said, func(m llm.Message) bool { return m.Role == llm.Tool })
}

// ownWords keeps of an unfinished turn what people said: half an exchange with
// tools would break later prompts.
func ownWords(said []llm.Message) []llm.Message {
	return slices.DeleteFunc(said, func(m llm.Message) bool { return m.Role != llm.User })
}

// commit writes the turn until that succeeds, since the model must not be
// asked again, and hands its replies on.
func (s *session) commit(t *turn) error {
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 10*time.Second) {
		list, err := s.store(t)
		if err == nil {
			s.agent.opts.Host.Post(list)
			break
		}
		if nacre.KindOf(err) == nacre.Conflict {
			t.log.Error("turn dropped, its messages were answered before", "err", err)
			return nil
		}
		t.log.Error("turn not committed, trying again", "err", err)
		select {
		case <-time.After(wait):
		case <-s.agent.turns.Done():
			return ErrParked
		}
	}
	took := time.Since(t.started)
	t.report("turn committed", took)
	if heard := s.agent.opts.Turned; heard != nil {
		heard(t.outcome, took)
	}
	s.advance(t)
	return nil
}

// store writes a turn without what is to be forgotten by then; who wants
// something forgotten waits meanwhile.
func (s *session) store(t *turn) ([]nacre.Delivery, error) {
	s.storing.Lock()
	defer s.storing.Unlock()
	s.forgetHeld(t)
	list, err := s.agent.opts.Journal.Commit(context.Background(), s.record(t))
	if err == nil {
		t.meanwhile, s.reminded, s.question = s.reminded, nil, ""
		if t.options != nil {
			s.question = t.question
		}
	}
	return list, err
}

// advance makes a committed turn the newest of the conversation.
func (s *session) advance(t *turn) {
	s.stopped = t.outcome == nacre.Stopped
	if t.fresh {
		s.head, s.past, s.frozen = nil, nil, Frozen{}
		s.setModel(s.model)
		return
	}
	s.past = append(slices.DeleteFunc(s.past, func(p past) bool { return p.id == t.instead }), t.meanwhile...)
	if len(t.said) > 0 {
		s.past = append(s.past, past{t.id, t.begins, t.said, t.outcome == nacre.Noted})
	}
}
