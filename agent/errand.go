package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"nacre"
	"nacre/agent/llm"
	"nacre/agent/prompt"
)

// Errand is something that a model does by itself, apart from any conversation: a
// task or a heartbeat that is due. Nothing of it is stored or shown, and nobody is
// asked anything; what came of it is for the caller to deliver.
type Errand struct {
	Info    nacre.SessionInfo // whose it is, and for which conversation
	Run     nacre.Run         // which of their jobs this is
	MayPlan bool              // that job may make jobs
	Text    string            // what is to be done
	Tools   []string          // names of those that it may use; nil for all that need nobody
	Extra   []Tool            // and these
	Model   string            // empty, or a name that is not known, for the usual one
	Steps   int               // how often it may call the model; 0 for as often as a turn
	Silent  bool              // no words are an answer too, no reason to ask the model again, and all that comes of too many steps or of an answer that was cut off
}

// ErrandResult is what came of an Errand.
type ErrandResult struct {
	Text    string   // what the model said in the end; may be empty for one that may be Silent, or where everything was forgotten
	Strange bool     // it may repeat words of strangers
	Called  []string // names of the tools that the model called, in order; also in vain
}

// needPerson are tools for which somebody has to be there: to be asked, to get a
// file, or to have said what memory is to do.
var needPerson = []string{askUser, sendFile, "memory_learn", "memory_forget", "memory_control"}

// errNobody is for the model.
var errNobody = nacre.Errorf(nacre.Denied, "nobody is there to be asked, so this was not done; do what can be done without, and say what is open")

// Run does an errand. It returns when that is done or ctx ends, and ErrParked when
// the program ends first. Any other error is a nacre.Error with a sentence for the
// person, Transient if trying later makes sense. What is forgotten while it runs is
// in nothing that it returns. It may be called for several errands at once.
func (a *Sessions) Run(ctx context.Context, e Errand) (ErrandResult, error) {
	s := a.newErrand(&e)
	if !a.enter(s) {
		return ErrandResult{}, ErrParked
	}
	defer a.leave(s)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(a.turns, func() { cancel(ErrParked) })()
	t := s.beginErrand()
	err := s.try(s.observed(ctx, t), t)
	if e.Silent && (errors.Is(err, errEmpty) || errors.Is(err, errTooManySteps)) {
		err = nil
	}
	if err != nil {
		t.outcome = nacre.Failed
	}
	t.report("errand ended", time.Since(t.started))
	if err != nil {
		return ErrandResult{}, errandError(err)
	}
	return s.result(t), nil
}

// newErrand makes the session of an errand. Each owner has one name for all of
// them, so that what others keep for a session does not grow.
func (a *Sessions) newErrand(e *Errand) *session {
	info := e.Info
	info.ID = nacre.SessionID("errand:" + info.Owner)
	s := &session{agent: a, info: info, errand: e, loaded: true,
		log: a.opts.Log.With("job", e.Run.Job, "owner", info.Owner)}
	s.tools = a.tools.only(func(name string) bool {
		if e.Tools != nil {
			return slices.Contains(e.Tools, name)
		}
		return !slices.Contains(needPerson, name)
	}, e.Extra)
	s.setModel(a.choice(info.Owner, e.Model))
	return s
}

// enter makes an errand known to Forget and Drain; false if none begins any more.
func (a *Sessions) enter(s *session) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closing {
		return false
	}
	a.errands[s] = true
	a.running.Add(1)
	return true
}

func (a *Sessions) leave(s *session) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.errands, s)
	a.running.Done()
}

// What tells the model that it works alone, and what becomes of what it says.
const (
	scheduled = "This is a scheduled run: nobody wrote just now, and nobody can answer you, so ask nothing."
	toBeSent  = " What you say in the end is sent to the person. Say what came of it, and nothing of how you went about it."
	toBeDone  = " This is to be done:"
)

// beginErrand makes the turn of an errand. It has the same id whenever this slot of
// the job is tried, so that tools do nothing twice.
func (s *session) beginErrand() *turn {
	run := &s.errand.Run
	id := fmt.Sprintf("%s:%d", run.Job, run.Slot.UnixMilli())
	now := time.Now()
	m := nacre.Message{ID: nacre.MessageID(id), Chat: s.info.Chat, Private: s.info.Private, Sent: now, Received: now,
		Segments: []nacre.Segment{{Provenance: nacre.BySystem, Text: s.errand.Text}}}
	t := &turn{id: nacre.TurnID(id), log: s.log.With("turn", id), started: now, last: m, heard: []nacre.Message{m},
		answerable: true, show: func(string) {}, outcome: nacre.Answered}
	t.said = []llm.Message{s.errand.order()}
	return t
}

// order is the errand as the model is told of it. Its text stands as it is, since
// nobody else has a word in here.
func (e *Errand) order() llm.Message {
	why := scheduled
	if !e.Silent {
		why += toBeSent
	}
	m := prompt.User(&nacre.Message{Segments: []nacre.Segment{{Provenance: nacre.BySystem, Text: why + toBeDone}}})
	m.Text += "\n" + e.Text
	return m
}

// result is what came of an errand, without what is forgotten by now.
func (s *session) result(t *turn) ErrandResult {
	s.forget(t)
	r := ErrandResult{Strange: slices.ContainsFunc(t.said, byStrangers), Called: t.called}
	if !t.blank {
		r.Text = strings.TrimSpace(t.text())
	}
	return r
}

// errandError is the error of an errand as its caller needs it.
func errandError(err error) error {
	if errors.Is(err, ErrParked) {
		return err
	}
	out := &nacre.Error{Kind: nacre.KindOf(err), Text: sentence(err), Err: err}
	m, ofModel := errors.AsType[*llm.Error](err)
	if ofModel {
		out.After = m.After
	}
	switch {
	case unreachable(err), errors.Is(err, errSilent), errors.Is(err, errEmpty):
		out.Kind = nacre.Transient
	case ofModel, errors.Is(err, errTooManySteps), errors.Is(err, errRefused), errors.Is(err, errTooLarge):
		out.Kind = nacre.Invalid
	}
	return out
}
