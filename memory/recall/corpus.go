package recall

import "time"

// docID numbers the messages of one scope of one owner in the order in which they
// were stored: those that came after its index began count up from 0, those before
// it down from -1. It means nothing once that index is gone.
type docID int32

// Numbers of the authors that are no people's names, for traits.
const (
	fromOwner     uint16 = 0
	fromAssistant uint16 = 1
)

// term is one thing that is asked for. A message has it if it has one of the
// alternatives, which are as package terms makes them and share one weight: the
// rarity of all of them together, times weight.
type term struct {
	alternatives []string
	weight       float64
}

// filter is what a search is about. What it excludes takes part in nothing.
type filter struct {
	from, to time.Time // sent; zero for ever
	here     bool      // not said elsewhere
	away     bool      // said elsewhere
}

// hit is a message with its score. Hits are sorted by falling score, of equal ones
// the newer first.
type hit struct {
	doc   docID
	score float64
}

// corpus is what a query is ranked over: the messages of one scope that its filter
// lets through, as they were at one moment. One goroutine at a time may call its
// methods.
type corpus interface {
	// top returns the n best messages by BM25, with exact scores.
	top(asked []term, n int) []hit
	// size counts the messages, with those that were replaced: rarity does not
	// change from page to page.
	size() int
	// frequency counts the messages that have a term, likewise; cheap enough for
	// any word of a query.
	frequency(word string) int
	// traits are those of a message that top or neighbour returned.
	traits(d docID) traits
	// spans are the days that a message speaks of.
	spans(d docID) []span
	// neighbour is the message that stands offset places after (or, negative,
	// before) another in its session; false if the filter excludes it or there is
	// none near.
	neighbour(d docID, offset int) (docID, bool)
	// authors are the names of who wrote the messages, by number; ByOwner and
	// ByAssistant come first, whether or not they wrote anything.
	authors() []string
	// vocabulary hands over every term with a prefix that a message has, some
	// more than once, until yield returns false. The bytes are valid during the
	// call only.
	vocabulary(prefix string, yield func(word []byte) bool)
	// during are the newest n messages that were sent from one time, in whole
	// minutes, until before another.
	during(from, to time.Time, n int) []docID
}
