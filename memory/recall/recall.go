package recall

import (
	"log/slog"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/recall/terms"
)

// Options are what an Index works with.
type Options struct {
	Terms *terms.Analyzer // reads messages and queries, in the owners' languages; nil for one of its own
	// Zone is where an owner lives: whose days "yesterday" counts in; nil for UTC. It
	// does not block. When it tells another of an owner, Drop theirs.
	Zone     func(nacre.OwnerID) *time.Location
	Memory   int64    // bytes that all owners' indexes may take together; 0 for 128 MiB
	Embedder Embedder // nil for none
	Vectors  Vectors  // where its vectors are kept; required with an Embedder
	Log      *slog.Logger
}

// Order is how hits are sorted.
type Order string

// The orders.
const (
	ByRelevance Order = "relevance"
	Newest      Order = "newest"
)

// Query is one search. Owner and scope, the times, Here and Away are filters: what they
// exclude takes no part in the ranking, not even in its statistics of order.
type Query struct {
	Text   string // any text; with Newest it may be empty, for all messages
	Scope  memory.Scope
	From   time.Time     // sent at or after; zero for ever
	To     time.Time     // sent before; zero for ever
	Here   bool          // nothing that was said to another assistant, or by one
	Away   bool          // nothing but that; not along with Here
	Order  Order         // empty means ByRelevance
	Except Except        // messages that are no hits, though they say what others are about
	Before Key           // only what was stored before this message, which is one of the newest; 0 for all
	Lag    time.Duration // what was stored so shortly before, and after Except.Since, may be missing: for searches that nobody asked for
	Now    time.Time     // when it is asked
	Limit  int           // hits wanted, at most MaxLimit
	Cursor string        // Next of the page before; empty for the first
}

// Except is what was stored in a session since one of its messages, that included;
// nothing if it is not among the newest of the owner. By relevance it is left out
// before any text is read.
type Except struct {
	Session nacre.SessionID
	Since   Key // 0 for nothing
}

// MaxLimit bounds the hits of one page.
const MaxLimit = 50

// Hit is one message that was found, with its text.
type Hit struct {
	Text
	Score float64 // comparable within one search alone
	Share float64 // of the weight of the query's words that this message has itself, 0 to 1
	Meant bool    // with an Embedder: it is one of those closest to the query in meaning, and close
	Dated bool    // the query names days, and this message was sent then, or soon after, or speaks of them
}

// Result is a page of hits.
type Result struct {
	Hits     []Hit
	Total    int    // messages with any of the words
	Next     string // cursor of the next page; empty if there is none
	Complete bool   // every message of the owner was searched
}
