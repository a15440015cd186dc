package agent

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"
	"unicode/utf16"

	"nacre"
	"nacre/agent/llm"
)

// ErrParked is why a turn or an errand is cut short when the program ends: nothing
// came of it, and the next process does it again.
var ErrParked = errors.New("the program is ending")

var errInterrupted = errors.New("interrupted by a command")

// session is one conversation. Everything above mu is touched by run alone.
type session struct {
	agent  *Sessions
	info   nacre.SessionInfo
	log    *slog.Logger
	wake   chan struct{} // room for one; nil for an errand
	tools  toolbox
	errand *Errand // what is done apart from any conversation; nil in one

	loaded bool          // written while storing is held
	chosen string        // the name of the model that was chosen here; empty for the usual one
	model  Choice        // which answers
	blind  bool          // it refused images
	head   []llm.Message // stands for what is older than past
	past   []past        // the turns since, oldest first
	gauge  gauge
	frozen Frozen    // what prompts hold of memory
	asked  time.Time // when the model was asked last; zero if its cache knows nothing of this conversation

	stopped bool // the newest turn was

	mu     sync.Mutex
	cancel context.CancelCauseFunc // guarded by mu; of the turn in progress
	first  int64                   // guarded by mu; inbox sequence of that turn's first message
	stop   int64                   // guarded by mu; sequence of the newest interrupting command

	storing  sync.Mutex  // held while something of the conversation is stored
	forgets  []redaction // guarded by storing; what run has not forgotten yet
	reminded []past      // guarded by storing; what was said because it was due, and past does not hold yet
	question string      // guarded by storing; what the person was asked last, if nothing was said to them since
}

// past is one turn as later prompts see it.
type past struct {
	id       nacre.TurnID
	first    int64 // inbox sequence of its first message
	messages []llm.Message
	noted    bool // nobody asked for an answer
}

func newSession(a *Sessions, info nacre.SessionInfo) *session {
	return &session{agent: a, info: info, wake: make(chan struct{}, 1), tools: a.tools,
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
		case errors.Is(err, ErrParked):
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

// step takes the next thing to do from the inbox and does it: what is due, then a
// command, or a turn over the messages before the next command. It returns false
// when nothing is pending.
func (s *session) step() (more bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(s.log, p)
		}
	}()
	select {
	case <-s.agent.quit:
		return false, ErrParked
	default:
	}
	s.forget(nil)
	pending, err := s.sayDue()
	if err != nil {
		return false, err
	}
	first := slices.IndexFunc(pending, loud)
	if first < 0 && len(pending) < maxQuiet {
		return false, nil
	}
	if err := s.load(); err != nil {
		return false, err
	}
	if first < 0 {
		return true, s.note(pending)
	}
	if c, args, ok := command(&pending[first]); ok {
		_, interrupted := untilCommand(pending[first+1:])
		return true, s.command(pending[:first+1], c, args, interrupted)
	}
	return true, s.converse(pending, first)
}

// converse makes a turn over the messages before the next command; first is the
// place of the one that asks for it. What memory asked is answered in a turn of
// its own.
func (s *session) converse(pending []nacre.Message, first int) error {
	if wait := arriving(pending, time.Now()); wait > 0 {
		s.pause(wait)
		return nil
	}
	messages, interrupted := untilCommand(pending)
	if interrupted {
		t := s.begin(messages)
		t.end(nacre.Stopped, "")
		return s.commit(t)
	}
	if took, err := s.offer(pending[first:]); took || err != nil {
		return err
	}
	return s.answer(s.begin(messages))
}

// maxQuiet is how many quiet messages wait for a turn that sees them.
const maxQuiet = 50

// note puts quiet messages into the conversation without an answer, when there
// are so many that they would get in the way of others.
func (s *session) note(quiet []nacre.Message) error {
	t := s.begin(quiet)
	t.outcome = nacre.Noted
	return s.commit(t)
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

// load reads the conversation so far, once, and later what was said in it
// because it was due, and which model is the usual one by now.
func (s *session) load() error {
	s.storing.Lock()
	defer s.storing.Unlock()
	if s.loaded {
		s.past, s.reminded = append(s.past, s.reminded...), nil
		if c := s.agent.choice(s.info.Owner, s.chosen); c.Name != s.model.Name {
			s.setModel(c)
		}
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
		turns = append(turns, past{p.ID, p.First, messages, p.Outcome == nacre.Noted || unasked(messages)})
	}
	s.head, s.past = head, turns
	s.chosen = c.Model
	s.setModel(s.agent.choice(s.info.Owner, s.chosen))
	s.gauge = s.agent.gaugeOf(s.info.ID, s.gauge)
	s.loaded = true
	return nil
}

// setModel makes a model the one that answers.
func (s *session) setModel(c Choice) {
	s.model, s.blind, s.gauge, s.asked = c, c.Blind, newGauge(c.Name, c.Window), time.Time{}
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
