package style

import (
	"context"
	"log/slog"
	"time"

	"nacre"
	"nacre/agent/llm"
	"nacre/memory"
)

// Limits of what is read and written.
const (
	MaxText   = 500                 // characters of a description
	MaxMails  = 60                  // letters that a description rests on
	Reach     = 90 * 24 * time.Hour // how old a letter may be
	Between   = 7 * 24 * time.Hour  // from one description to the next
	MaxTokens = 20_000              // of all that one description may cost, about
)

// Mailbox is where an owner's sent mail lies. Errors are nacre errors: Denied where
// the owner took their consent back, Transient where it may work later, NotFound where
// no mailbox is connected.
type Mailbox interface {
	// Learned tells when the style was learned last; the zero time if it never was.
	// NotFound if no mailbox is connected.
	Learned(ctx context.Context, owner nacre.OwnerID) (time.Time, error)
	// Fresh reports whether anything was sent since the point up to which it was
	// learned from, and the point up to which that is known. Where the point is too
	// old to be compared with, it is fresh.
	Fresh(ctx context.Context, owner nacre.OwnerID) (fresh bool, upTo string, err error)
	// Sent hands over sent mails as they are stored, newest first, those sent after a
	// moment, until yield returns false.
	Sent(ctx context.Context, owner nacre.OwnerID, after time.Time, yield func(raw []byte) bool) error
	// Read notes that everything up to a point was learned from.
	Read(ctx context.Context, owner nacre.OwnerID, upTo string) error
}

// Options are what a Learner works with. All but Model are required.
type Options struct {
	Mailbox Mailbox
	Model   llm.Model // describes; nil for measured styles alone
	Library *memory.Library
	Logger  *slog.Logger
	Now     func() time.Time
}

// Learner learns writing styles. It may be used from many goroutines.
type Learner struct{ opts Options }

// New makes a Learner.
func New(o Options) *Learner { return &Learner{o} }

// Result is what became of learning; a code of closed vocabulary.
type Result string

// The results.
const (
	Early     Result = "early"       // learned less than Between ago
	Unchanged Result = "nothing new" // nothing was sent since
	TooFew    Result = "too few"     // not enough letters to tell
	Learned   Result = "learned"
	Same      Result = "same"    // it reads as before
	Kept      Result = "kept"    // what a model wrote could not be used, twice; the old note stays, and where there is none the style is measured
	Yours     Result = "yours"   // the owner said themselves how they write, and that stays
	Refused   Result = "refused" // memory takes none: saving is off, or the owner had it forgotten
)

// Flaw is why a description cannot be kept; empty if it can. It never repeats a word
// of it.
type Flaw string

// The flaws.
const (
	Empty     Flaw = "empty"
	TooLong   Flaw = "too long"
	Named     Flaw = "a name"     // of a person, a firm or a place
	Addressed Flaw = "an address" // of mail, web, post or telephone
	Numbered  Flaw = "a number"
	Dated     Flaw = "a date"
	Quoted    Flaw = "a quotation" // five words in a row of a letter, or quotation marks around more than a greeting
	Commanded Flaw = "an instruction"
	Telling   Flaw = "a fact"          // it says something of life, not of writing
	Shaped    Flaw = "more than prose" // other than one paragraph of letters and plain punctuation
)
