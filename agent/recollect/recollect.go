// Package recollect brings what is remembered, and what was said long ago, before
// the model when it matters: as evidence at the end of a request, through the tool
// history_search, and by a check of the answer against what was found.
//
// Whose memory and whose chats it looks into comes from the Caller alone. What it
// shows is data: a line for each note and message, with its date and whose words
// they are, escaped so that nothing in it can pass for anything else. A model that
// selects may name records that it was shown, and nothing else of what it says goes
// any further. A model that checks sees the same records and the draft, and its
// correction counts only while it keeps the code and the links of the draft.
package recollect

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
	"nacre/memory"
	"nacre/memory/recall"
	"nacre/memory/recall/terms"
)

// Index finds messages of an owner. A recall.Index is one.
type Index interface {
	Search(ctx context.Context, owner nacre.OwnerID, q recall.Query) (recall.Result, error)
}

// Store reads messages of an owner. It is that of the Index.
type Store interface {
	// KeyOf names a stored message.
	KeyOf(m nacre.Message) recall.Key
	// Near is that of recall.Store.
	Near(ctx context.Context, owner nacre.OwnerID, scope memory.Scope, key recall.Key, each int) ([]recall.Text, error)
}

// Hits counts recalls. A memory.Log is one.
type Hits interface {
	// Hit counts that notes were recalled, once for each day (YYYY-MM-DD).
	Hit(ctx context.Context, owner nacre.OwnerID, day string, notes []nacre.NoteID) error
}

// Options are what a Recollector works with. Those from Index to Hits are required,
// and Terms, Zone and Log.
type Options struct {
	Index   Index
	Store   Store
	Library *memory.Library
	Hits    Hits
	Model   llm.Model                                // the memory model; nil for none, and then nothing asks one
	Window  int                                      // tokens that Model takes; 0 if that is not known
	Select  bool                                     // let Model select what matters of what was found
	Check   bool                                     // let Model check answers against what was selected
	Terms   *terms.Analyzer                          // reads requests and texts, as for the Index
	Lag     time.Duration                            // evidence may miss what was said so shortly before
	Zone    func(owner nacre.OwnerID) *time.Location // where an owner lives
	Log     *slog.Logger
}

// Recollector implements agent.Recaller, and has the tool history_search. It may be
// used from many goroutines.
type Recollector struct {
	opts  Options
	rests atomic.Int64 // until when the model is left alone, in Unix milliseconds

	mu      sync.Mutex
	fronts  map[nacre.SessionID]held // guarded by mu
	drawers map[drawer]cards         // guarded by mu
	forgets int                      // guarded by mu; counts calls of Forgotten
}

// New makes a Recollector.
func New(o Options) *Recollector {
	return &Recollector{opts: o, fronts: map[nacre.SessionID]held{}, drawers: map[drawer]cards{}}
}

// Tools are the tools of the model.
func (r *Recollector) Tools() []agent.Tool { return []agent.Tool{historySearch{r}} }

// earlierBy is a search in the chats of a session, as they were before the messages that
// are being answered: what is asked is no answer, and its words need not be used
// anywhere else.
func (r *Recollector) earlierBy(c nacre.Caller, text string) recall.Query {
	q := recall.Query{Text: text, Scope: scope(c), Now: time.Now(), Limit: recall.MaxLimit}
	if len(c.Said) > 0 {
		q.Before = r.opts.Store.KeyOf(c.Said[0])
	}
	return q
}

// scope is the memory, and the chats, that a session may look into.
func scope(c nacre.Caller) memory.Scope {
	if c.Private {
		return memory.Private
	}
	return memory.GroupScope(c.Chat)
}
