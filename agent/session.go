package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"
	"unicode/utf16"

	"nacre"
	"nacre/agent/llm"
	"nacre/agent/prompt"
)

// Why a turn can be cut short.
var (
	errParked      = errors.New("the program is ending")
	errInterrupted = errors.New("interrupted by a command")
)

// session is one conversation. Everything above mu is touched by run alone.
type session struct {
	agent *Sessions
	info  nacre.SessionInfo
	log   *slog.Logger
	wake  chan struct{} // room for one

	loaded bool
	model  Choice        // which answers
	blind  bool          // it refused images
	head   []llm.Message // stands for what is older than past
	past   []past        // the turns since, oldest first
	gauge  gauge

	stopped bool // the newest turn was

	mu     sync.Mutex
	cancel context.CancelCauseFunc // guarded by mu; of the turn in progress
	first  int64                   // guarded by mu; inbox sequence of that turn's first message
	stop   int64                   // guarded by mu; sequence of the newest interrupting command
}

// past is one turn as later prompts see it.
type past struct {
	id       nacre.TurnID
	messages []llm.Message
	noted    bool // it was not answered
}

func newSession(a *Sessions, info nacre.SessionInfo) *session {
	return &session{agent: a, info: info, wake: make(chan struct{}, 1),
		log: a.opts.Log.With("session", info.ID, "owner", info.Owner)}
}

// interrupt ends the turn in progress, or the one about to begin, if its
// messages came before the command with this inbox sequence.
func (s *session) interrupt(seq int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop = max(s.stop, seq)
	if s.cancel != nil && s.first < s.stop {
		s.cancel(errInterrupted)
	}
}

// run works whenever woken and ends when idle or when the program does.
func (s *session) run() {
	for {
		select {
		case <-s.wake:
			s.work()
		case <-time.After(s.agent.opts.Idle):
			if s.agent.retire(s) {
				return
			}
		case <-s.agent.quit:
			return
		}
	}
}

// work answers everything that is pending. A failing database is tried again
// until it works or the program ends.
func (s *session) work() {
	const first = 100 * time.Millisecond
	for wait := first; ; {
		more, err := s.step()
		switch {
		case errors.Is(err, errParked):
			return
		case err != nil:
			s.log.Error("session cannot work, trying again", "err", err)
			if !s.sleep(wait) {
				return
			}
			wait = min(2*wait, 10*time.Second)
		case !more:
			return
		default:
			wait = first
		}
	}
}

// sleep returns false when the program ends first.
func (s *session) sleep(d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-s.agent.quit:
		return false
	}
}

// step takes the next thing to do from the inbox and does it: a command, or a
// turn over the messages before the next command. It returns false when
// nothing is pending.
func (s *session) step() (more bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(s.log, p)
		}
	}()
	select {
	case <-s.agent.quit:
		return false, errParked
	default:
	}
	if err := s.load(); err != nil {
		return false, err
	}
	pending, err := s.agent.opts.Journal.Pending(s.agent.turns, s.info, 0)
	if err != nil {
		return false, err
	}
	first := slices.IndexFunc(pending, loud)
	if first < 0 {
		return s.note(pending)
	}
	if c, args, ok := command(&pending[first]); ok {
		_, interrupted := untilCommand(pending[first+1:])
		return true, s.command(pending[:first+1], c, args, interrupted)
	}
	if wait := arriving(pending, time.Now()); wait > 0 {
		s.pause(wait)
		return true, nil
	}
	messages, interrupted := untilCommand(pending)
	t := s.begin(messages)
	if interrupted {
		t.end(nacre.Stopped, "")
		return true, s.commit(t)
	}
	return true, s.answer(t)
}

// maxQuiet is how many quiet messages wait for a turn that sees them.
const maxQuiet = 50

// note puts quiet messages into the conversation without an answer, when there
// are so many that they would get in the way of others.
func (s *session) note(quiet []nacre.Message) (more bool, err error) {
	if len(quiet) < maxQuiet {
		return false, nil
	}
	t := s.begin(quiet)
	t.outcome = nacre.Noted
	return true, s.commit(t)
}

// loud is a message that asks for a turn.
func loud(m nacre.Message) bool { return !m.Quiet }

// command reads the command of a message; an edit or a reaction is none.
func command(m *nacre.Message) (nacre.Command, string, bool) {
	if m.Quiet {
		return nacre.Command{}, "", false
	}
	return m.Command()
}

// current shows each message in its newest version: an edit takes the place of
// the message it edits where both are there. An edit alone brings its words and
// not its files, which came with the message.
func current(messages []nacre.Message) []nacre.Message {
	var list []nacre.Message
	at := map[nacre.ExternalID]int{}
	for _, m := range messages {
		if i, ok := at[m.External]; ok && m.Revision > 0 {
			list[i].Segments = m.Segments
			continue
		}
		if m.Revision > 0 {
			m.Attachments = nil
		}
		at[m.External] = len(list)
		list = append(list, m)
	}
	return list
}

// What an app sends as one, but in several messages: an album, and a paste that
// it cut where a message is full.
const (
	joinWithin = 600 * time.Millisecond // the next of them comes within this time
	fullText   = 4000                   // UTF-16 units; apps cut at 4,096
)

// arriving returns how long to wait for the rest of what ends pending. Nothing
// else waits.
func arriving(pending []nacre.Message, now time.Time) time.Duration {
	last := pending[len(pending)-1]
	if text := last.Text(); last.Album == "" && (len(text) < fullText || len(utf16.Encode([]rune(text))) < fullText) {
		return 0
	}
	wait := last.Received.Add(joinWithin).Sub(now)
	if wait > joinWithin {
		return 0 // the clock was set back meanwhile
	}
	return wait
}

// pause waits, but not longer than until something new is pending.
func (s *session) pause(d time.Duration) {
	select {
	case <-time.After(d):
	case <-s.wake:
	case <-s.agent.quit:
	}
}

// load reads the conversation so far, once.
func (s *session) load() error {
	if s.loaded {
		return nil
	}
	c, err := s.agent.opts.Journal.Conversation(s.agent.turns, s.info)
	if err != nil {
		return err
	}
	head, err := s.decode(c.Head)
	if err != nil {
		return err
	}
	turns := make([]past, 0, len(c.Turns))
	for _, p := range c.Turns {
		messages, err := s.decode(p.History)
		if err != nil {
			return err
		}
		turns = append(turns, past{p.ID, messages, p.Outcome == nacre.Noted})
	}
	s.head, s.past = head, turns
	s.setModel(s.agent.choice(c.Model))
	s.gauge = s.agent.gaugeOf(s.info.ID, s.gauge)
	s.loaded = true
	return nil
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

// setModel makes a model the one that answers.
func (s *session) setModel(c Choice) {
	s.model, s.blind, s.gauge = c, c.Blind, newGauge(c.Name, c.Window)
}

// history is the turns so far as one list, but for one whose place is taken.
func (s *session) history(taken nacre.TurnID) []llm.Message {
	var all []llm.Message
	for _, p := range s.past {
		if p.id != taken {
			all = append(all, p.messages...)
		}
	}
	return all
}

// untilCommand cuts the messages before the first command, and tells whether a
// command that interrupts stands anywhere behind them.
func untilCommand(pending []nacre.Message) (messages []nacre.Message, interrupted bool) {
	end := len(pending)
	for i := len(pending) - 1; i >= 0; i-- {
		if c, _, ok := command(&pending[i]); ok {
			end = i
			interrupted = interrupted || c.Interrupt
		}
	}
	return pending[:end], interrupted
}

func (s *session) caller(m *nacre.Message, id nacre.TurnID) nacre.Caller {
	return nacre.Caller{Owner: s.info.Owner, Operator: s.info.Operator, Session: s.info.ID, Chat: s.info.Chat,
		Private: s.info.Private, Author: m.Author, Turn: id}
}

// command answers the last of some messages, a command, as a turn of its own.
// The quiet ones before it end with the conversation, or are seen by a retry;
// else they wait for the next turn. Interrupted says that a command behind it
// stops whatever runs.
func (s *session) command(messages []nacre.Message, c nacre.Command, args string, interrupted bool) error {
	m := messages[len(messages)-1]
	if c.Name != "new" && c.Name != "retry" {
		messages = messages[len(messages)-1:]
	}
	t := s.begin(messages)
	if c.Name == "retry" && interrupted {
		t.end(nacre.Stopped, "")
		t.said = nil
		return s.commit(t)
	}
	if at := s.lastAsked(); c.Name == "retry" && at >= 0 {
		return s.retry(t, s.past[at], args)
	}
	t.outcome, t.said, t.fetch = nacre.Commanded, nil, nil
	ctx, end := context.WithTimeout(s.agent.turns, s.agent.opts.Deadline)
	defer end()
	var text string
	err := safely(t.log, func() (err error) { text, err = s.runCommand(ctx, s.caller(&m, t.id), c, args); return err })
	if err != nil {
		t.log.Warn("command failed", "command", c.Name, "kind", nacre.KindOf(err))
		text = sentence(err)
	}
	if err == nil && c.Interrupt && args != "" {
		text += "\n\nI did not read what stood behind /" + c.Name + "; please send it again by itself."
	}
	t.answer = text
	t.fresh = c.Name == "new"
	return s.commit(t)
}

func (s *session) runCommand(ctx context.Context, caller nacre.Caller, c nacre.Command, args string) (string, error) {
	if run := ownCommands[c.Name]; run != nil {
		return run(s, ctx, caller, args)
	}
	if run := s.agent.opts.Commands[c.Name]; run != nil {
		return run(ctx, caller, args)
	}
	return "", nacre.Errorf(nacre.NotFound, "I cannot do /%s here.", c.Name)
}

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
