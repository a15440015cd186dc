// Package notebook is memory as a conversation meets it: the tools of the
// model, the commands of people, the questions that memory asks, and the part of
// the prompt that memory fills.
//
// Nothing here decides what may be remembered; that is Review's. What is decided
// here is whose wish it is. A model can name messages to learn from and words to
// forget, and never more: to forget or to switch something the owner's own words
// have to ask for it, or the owner says yes to exactly what they were shown.
// Whose memory it is comes from the Caller alone.
package notebook

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/distill"
	"nacre/memory"
	"nacre/memory/recall/keys"
)

// Log is where messages are read and recalls are counted, and where questions
// wait. The ledger implements it.
type Log interface {
	// Sources, Recent, TombKey, Hit and Hits are those of memory.Log.
	Sources(ctx context.Context, owner nacre.OwnerID, ids []nacre.MessageID) (map[nacre.MessageID]memory.Source, error)
	Recent(ctx context.Context, s nacre.SessionInfo, before int64, most int) ([]memory.Source, error)
	TombKey(owner nacre.OwnerID) (memory.Hash, error)
	Hit(ctx context.Context, owner nacre.OwnerID, day string, notes []nacre.NoteID) error
	Hits(ctx context.Context, owner nacre.OwnerID) (map[nacre.NoteID]int, error)
	// PutAsk keeps what is asked in a session, in the place of what was asked
	// before, until it expires.
	PutAsk(ctx context.Context, s nacre.SessionInfo, content json.RawMessage, expires time.Time) error
	// Asked returns it; NotFound if nothing is asked, or no longer.
	Asked(ctx context.Context, s nacre.SessionInfo) (json.RawMessage, error)
	// DropAsk ends it. It is no error if nothing is asked.
	DropAsk(ctx context.Context, s nacre.SessionInfo) error
}

// Distiller finds in messages what to remember. It writes nothing; a
// distill.Distiller is one.
type Distiller interface {
	// Learn is called once for a save, and may take as long as a model does.
	Learn(ctx context.Context, in distill.Input) ([]memory.Proposal, error)
}

// Options are what a Notebook works with. All but Person, Keys and Selected are
// required.
type Options struct {
	Library   *memory.Library
	Log       Log
	Distiller Distiller
	Zone      func(owner nacre.OwnerID) *time.Location // where an owner lives
	Person    func(owner nacre.OwnerID) string         // how they want to be spoken to in private; see prompt.Person
	Voice     func(owner nacre.OwnerID) string         // who the assistant is to them; empty means the built-in voice
	Logger    *slog.Logger
	Keys      keys.Options // how a name that is not quite right leads to a note

	// Selected tells what was found for the last answer of a session, besides what
	// is always before the model; nil where nothing is ever looked for. It is
	// called for /why alone.
	Selected func(ctx context.Context, c nacre.Caller) (Selected, error)
}

// Notebook has the tools and the commands of memory, and implements
// agent.Memory. It may be used from many goroutines.
type Notebook struct {
	opts Options

	asking sync.Mutex // held while a question takes the place of another, or ends

	mu     sync.Mutex
	asks   map[nacre.SessionID]*question // guarded by mu; nil for a session where nothing is asked
	fronts map[nacre.SessionID]front     // guarded by mu; of those where a model was asked
	keys   *keys.Set                     // guarded by mu; of the notes that were looked through last, nil for none
}

// New makes a Notebook.
func New(o Options) *Notebook {
	return &Notebook{opts: o, asks: map[nacre.SessionID]*question{}, fronts: map[nacre.SessionID]front{}}
}

// Tools are the tools of the model, in the order in which it is told of them.
func (n *Notebook) Tools() []agent.Tool {
	return []agent.Tool{
		agent.Func{About: learnSpec, Run: n.learn},
		agent.Func{About: forgetSpec, Run: n.forget},
		agent.Func{About: controlSpec, Run: n.control},
		agent.Func{About: readSpec, Run: n.read},
		agent.Func{About: findSpec, Run: n.find},
	}
}

// Commands are the commands of people, by name.
func (n *Notebook) Commands() map[string]agent.CommandFunc {
	return map[string]agent.CommandFunc{
		"memory":   n.memoryCommand,
		"context":  n.contextCommand,
		"why":      n.whyCommand,
		"remember": n.rememberCommand,
		"forget":   n.forgetCommand,
		"undo":     n.undoCommand,
		"export":   n.exportCommand,
	}
}

func (n *Notebook) book(c nacre.Caller) *memory.Book { return n.opts.Library.Book(c.Owner) }

// scope is the memory that a session may touch.
func scope(c nacre.Caller) memory.Scope {
	if c.Private {
		return memory.Private
	}
	return memory.GroupScope(c.Chat)
}

// closed reports whether a session is in a group that has no memory.
func closed(st *memory.State, c nacre.Caller) bool {
	return !c.Private && !st.On(memory.GroupSetting(scope(c)))
}

// visible lists the notes that the model may see in a session.
func visible(st *memory.State, c nacre.Caller, now time.Time) []*memory.Note {
	if closed(st, c) {
		return nil
	}
	return st.Select(memory.Query{Scope: scope(c), Now: now})
}

func session(c nacre.Caller) nacre.SessionInfo {
	return nacre.SessionInfo{ID: c.Session, Owner: c.Owner, Operator: c.Operator, Chat: c.Chat, Private: c.Private}
}

// proposal begins what the owner wants, by their own hand in this chat.
func proposal(c nacre.Caller, do memory.Verb) memory.Proposal {
	return memory.Proposal{Writer: memory.ByCommand, Via: c.Chat.Channel, Scope: scope(c), Do: do}
}

// decline records that something was wanted and not done.
func (n *Notebook) decline(ctx context.Context, c nacre.Caller, why memory.Reason) error {
	p := proposal(c, memory.Decline)
	p.Writer, p.Why = memory.ByChat, why
	_, err := n.book(c).Propose(ctx, p)
	return err
}

// errPrivate answers in groups what would touch more than the group's memory.
var errPrivate = nacre.Errorf(nacre.Denied, "That concerns all that I remember of you; ask me in our private chat.")
