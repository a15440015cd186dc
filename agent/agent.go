// Package agent holds the Sessions: one goroutine per conversation that turns
// pending messages into a Turn through a bounded model-and-tools loop.
//
// All state of a Session is touched from its goroutine alone, which a bounded
// queue of one wake-up feeds: what waits lies in the inbox, so waking twice is
// waking once. A panic costs that Session one turn. What is due is said beside it,
// and an errand is a Session of its own that no conversation knows of.
package agent

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"time"

	"nacre"
	"nacre/agent/llm"
)

// Journal is where a Session finds its messages and leaves its turns.
type Journal interface {
	// Pending lists messages of a session that no turn has answered, in order,
	// with a sequence number above after.
	Pending(ctx context.Context, s nacre.SessionInfo, after int64) ([]nacre.Message, error)
	// Conversation reads what was said since the last fresh start.
	Conversation(ctx context.Context, s nacre.SessionInfo) (nacre.Conversation, error)
	// Compact puts head in the place of a session's turns up to through.
	Compact(ctx context.Context, s nacre.SessionInfo, through nacre.TurnID, head json.RawMessage) error
	// ChooseModel keeps which model answers a session; empty means the usual one.
	ChooseModel(ctx context.Context, s nacre.SessionInfo, name string) error
	// PutAttachment stores the bytes of a message's attachment, by its place.
	PutAttachment(ctx context.Context, owner nacre.OwnerID, message nacre.MessageID, place int, kind nacre.AttachmentKind, data []byte) error
	// Attachment returns them; NotFound if they are not there, or not any more.
	Attachment(ctx context.Context, owner nacre.OwnerID, message nacre.MessageID, place int) ([]byte, error)
	// PutReading stores what was made of an attachment.
	PutReading(ctx context.Context, owner nacre.OwnerID, message nacre.MessageID, place int, reading nacre.Reading) error
	// Reading returns it; NotFound if there is none.
	Reading(ctx context.Context, owner nacre.OwnerID, message nacre.MessageID, place int) (nacre.Reading, error)
	// Commit writes a turn durably, or not at all, and returns what is to be
	// delivered. Conflict means that its messages are answered already.
	Commit(ctx context.Context, turn nacre.Turn) ([]nacre.Delivery, error)
}

// Host is the way out: what the gateway does for sessions.
type Host interface {
	// Render cuts a reply into the parts that its channel will send.
	Render(nacre.Reply) []nacre.Part
	// Post delivers parts that are committed; it does not block.
	Post([]nacre.Delivery)
	// Progress shows that a turn is being answered: show takes the text so far
	// and does not block, stop is called before the turn is committed.
	Progress(nacre.Chat, nacre.TurnID) (show func(text string), stop func())
	// Fetch gets the bytes of an attachment, at most so many.
	Fetch(ctx context.Context, chat nacre.Chat, ref string, most int64) ([]byte, error)
}

// Media makes what a model can take of a file.
type Media interface {
	// Read makes an image, or a text, of an attachment's bytes; what that costs
	// is the owner's. An Invalid error is a sentence for the person: why this
	// file cannot be read. It honours ctx.
	Read(ctx context.Context, owner nacre.OwnerID, a nacre.Attachment, data []byte) (nacre.Reading, error)
}

// Choice is a model that may answer.
type Choice struct {
	Name   string // "provider/model"
	Model  llm.Model
	Window int  // tokens of prompt and answer together
	Blind  bool // takes no images
	Simple bool // cannot write a summary: the offline model
}

// Options configure Sessions.
type Options struct {
	Journal Journal
	Host    Host
	Media   Media
	Models  []Choice // to choose from; the first is the usual one

	// Usual names the model that answers an owner where no other was chosen; empty, or
	// a name that is not known, for the first. It does not block; nil for none.
	Usual func(owner nacre.OwnerID) string

	Memory   Choice                                   // writes summaries
	Notes    Memory                                   // nil for none
	Asks     []Asker                                  // besides Notes, which is asked first what a message answers
	Recall   Recaller                                 // nil for none
	Zone     func(owner nacre.OwnerID) *time.Location // where an owner lives
	Tools    []Tool
	Commands map[string]CommandFunc // besides those that the agent has itself
	Deadline time.Duration          // of one turn, tools included

	// Flush, if set, sees turns before a summary takes their place; again if no
	// summary came of it.
	Flush func(ctx context.Context, caller nacre.Caller, going []llm.Message) error

	// Turned, if set, hears of each turn that was committed, with how long it took. It
	// does not block.
	Turned func(outcome nacre.Outcome, took time.Duration)

	Idle time.Duration // a session without work ends after this
	Log  *slog.Logger
}

// Sessions runs all conversations. It implements gateway.Waker.
type Sessions struct {
	opts  Options
	tools toolbox

	mu      sync.Mutex
	live    map[nacre.SessionID]*session // guarded by mu
	errands map[*session]bool            // guarded by mu; under way
	gauges  map[nacre.SessionID]gauge    // guarded by mu; of sessions that are not live
	closing bool                         // guarded by mu

	running sync.WaitGroup
	quit    chan struct{}           // closed: start no further turn
	turns   context.Context         // ends when turns in progress shall be parked
	park    context.CancelCauseFunc // ends turns
}

// New makes Sessions; Wake starts them one by one. A tool whose schema is none
// is a mistake in the program, and panics.
func New(o Options) *Sessions {
	a := &Sessions{opts: o, tools: newToolbox(o.Tools), live: map[nacre.SessionID]*session{}, errands: map[*session]bool{}, gauges: map[nacre.SessionID]gauge{}, quit: make(chan struct{})}
	a.turns, a.park = context.WithCancelCause(context.Background())
	return a
}

// choice is the model of that name, else the one that an owner usually wants, else
// the first.
func (a *Sessions) choice(owner nacre.OwnerID, name string) Choice {
	names := []string{name}
	if a.opts.Usual != nil {
		names = append(names, a.opts.Usual(owner))
	}
	for _, name := range names {
		if i := slices.IndexFunc(a.opts.Models, func(c Choice) bool { return c.Name == name }); i >= 0 {
			return a.opts.Models[i]
		}
	}
	return a.opts.Models[0]
}

// Wake says that a message waits in a session. A /stop or /new acts on the
// running turn at once, and what is due is said beside it. It does not block.
func (a *Sessions) Wake(info nacre.SessionInfo, m nacre.Message) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closing {
		return // it stays pending for the next process
	}
	s := a.live[info.ID]
	if s == nil {
		s = newSession(a, info)
		a.live[info.ID] = s
		a.running.Go(s.run)
	}
	if c, _, ok := command(&m); ok && c.Interrupt {
		s.interrupt(m.Seq)
	}
	if due(m) {
		a.running.Go(s.sayDueNow)
	}
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Drain starts no further turn and no errand, waits for those in progress until ctx
// ends, and parks the rest: their messages stay pending and the turn is repeated by
// the next process.
func (a *Sessions) Drain(ctx context.Context) {
	a.mu.Lock()
	if !a.closing {
		a.closing = true
		close(a.quit)
	}
	a.mu.Unlock()
	done := make(chan struct{})
	go func() { a.running.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
		a.opts.Log.Warn("turns are parked, the next start repeats them")
	}
	a.park(ErrParked)
	select {
	case <-done:
	case <-time.After(parkTime):
		a.opts.Log.Error("a turn does not end; going on without it")
	}
}

// parkTime is how long a parked turn has to notice.
const parkTime = time.Second

// retire takes an idle session down, unless something woke it just now.
func (a *Sessions) retire(s *session) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(s.wake) > 0 {
		return false
	}
	delete(a.live, s.info.ID)
	if s.loaded {
		a.gauges[s.info.ID] = s.gauge
	}
	return true
}

// gaugeOf is what was learned in a session before it retired, if that was about
// the same model as fresh.
func (a *Sessions) gaugeOf(id nacre.SessionID, fresh gauge) gauge {
	a.mu.Lock()
	defer a.mu.Unlock()
	if g, ok := a.gauges[id]; ok && g.model == fresh.model {
		return g
	}
	return fresh
}
