package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"

	"nacre"
	"nacre/memory/canon"
)

// Area is one of the five drawers of memory.
type Area string

// The areas.
const (
	About       Area = "about"       // who the owner is and how they live
	Preferences Area = "preferences" // what they like, and how they want to be answered
	People      Area = "people"      // whom they know
	Routines    Area = "routines"    // what they do again and again
	Lessons     Area = "lessons"     // what was learned the hard way
)

// Areas are all of them, in the order in which people read them.
var Areas = []Area{About, Preferences, People, Routines, Lessons}

// Slot is where a Note stands: one live Note in each.
type Slot struct {
	Scope Scope  `json:"scope,omitempty"`
	Area  Area   `json:"area"`
	Slug  string `json:"slug"` // lower-case letters and digits of any script with single dashes between, at most 64 characters
}

// String is the slot as people and models write it: "about/bike".
func (s Slot) String() string { return string(s.Area) + "/" + s.Slug }

// Scope is where a Note may be seen: Private, or the one group that it is of.
type Scope string

// Private is an owner's private chats on every channel.
const Private Scope = ""

// GroupScope is the memory of one group, which its sessions alone see.
func GroupScope(c nacre.Chat) Scope { return Scope(string(c.Channel) + ":" + string(c.ID)) }

// Kind says what sort of statement a Note is, because a plan is no event and a
// preference no fact.
type Kind string

// The kinds.
const (
	KindFact       Kind = "fact"
	KindPlan       Kind = "plan"
	KindEvent      Kind = "event"
	KindPossession Kind = "possession"
	KindPreference Kind = "preference"
	KindStyle      Kind = "style"
)

// Status is how far a Note is trusted.
type Status string

// The statuses. Only Tentative, Observed and Stated are live: seen by a model.
const (
	Candidate Status = "candidate" // waits for the owner
	Tentative Status = "tentative" // inferred from one message
	Observed  Status = "observed"  // from two or more independent messages, or from sent mail
	Stated    Status = "stated"    // the owner asked to remember it, or confirmed it
	Archived  Status = "archived"  // no longer believed, or merged into another
	Rejected  Status = "rejected"  // the owner said no
	Erased    Status = "erased"    // forgotten; nothing is left but its place
)

// Live reports whether a model may see notes of that status.
func (s Status) Live() bool { return s == Tentative || s == Observed || s == Stated }

// Origin says where a Note came from.
type Origin string

// The origins.
const (
	FromWords     Origin = "stated"   // the owner asked to remember it
	FromInference Origin = "inferred" // taken from what the owner said
	FromEmail     Origin = "email"    // the writing style of sent mail
	FromImport    Origin = "imported"
	FromHand      Origin = "hand" // written or edited on the page, in a file or on the command line
)

// Body is what a Note says. It never changes; a correction is another Note.
type Body struct {
	Slot     Slot        `json:"slot"`
	Text     string      `json:"text"`               // one declarative fact, at most MaxText characters
	Abstract string      `json:"abstract,omitempty"` // one line for when space is short
	Kind     Kind        `json:"kind,omitempty"`
	Entities []string    `json:"entities,omitempty"` // names in it
	Topic    canon.Topic `json:"topic,omitempty"`    // empty unless it is sensitive
	Valid    Span        `json:"valid,omitzero"`     // when it is true in the world
	Event    Date        `json:"event,omitzero"`     // when it happens, if it is about one moment
	Expires  Date        `json:"expires,omitzero"`   // when it need not be kept any more
	Origin   Origin      `json:"origin"`
	Allowed  bool        `json:"allowed,omitempty"` // the owner allowed this one, though its Topic is off
}

// Note is one belief, as one version of it. What Fold returns is shared and
// must not be changed.
type Note struct {
	ID nacre.NoteID
	Body
	Status     Status
	Evidence   []Evidence
	Recorded   Time         // when it was believed
	Replaces   nacre.NoteID // the Note that it corrects
	ReplacedBy nacre.NoteID
	Against    nacre.NoteID // of a Candidate: the Note that it contradicts
	Waits      Reason       // of a Candidate: why the owner has to decide
	Decided    Writer       // who made it what it is
	was        Status       // what it was before, if the owner decided that last; see Case.again

	Pinned   bool      // always at hand
	PinnedBy Writer    // who pinned it; empty if it is not
	PinnedAt time.Time // zero if it is not
	Held     bool      // whether it is pinned is the owner's decision, which nothing that runs by itself changes

	lazy *lazyForm // nil in a Note that Fold did not make
}

// lazyForm is what is made of a note's words when it is first needed, once for all
// copies of the note.
type lazyForm struct {
	once sync.Once // for form
	form string    // the canonical form of its text
	read sync.Once // for face
	face face      // as people look for it
}

// form is the canonical form of the note's text.
func (n *Note) form() string {
	if n.lazy == nil {
		return canon.Form(n.Text)
	}
	n.lazy.once.Do(func() { n.lazy.form = canon.Form(n.Text) })
	return n.lazy.form
}

// Hash names what somebody decides about: the exact text, and how far it is
// trusted. So what is approved is what was shown, and a decision is of no effect on
// what was decided otherwise meanwhile.
func (n *Note) Hash() string { return n.as(n.Status) }

// as is the Hash of a note of another status.
func (n *Note) as(s Status) string {
	sum := sha256.Sum256([]byte(n.Slot.String() + "\n" + string(n.Slot.Scope) + "\n" + string(s) + "\n" + n.Text))
	return hex.EncodeToString(sum[:8])
}

// Limits of a Note.
const (
	MaxText     = 4000 // characters
	MaxAbstract = 200
	MaxQuote    = 400 // a longer one is dropped, and the fact kept
	MaxEntities = 12
	MaxEntity   = 100
)

// Time is when something was believed: from when until when; a zero To means
// still.
type Time struct{ From, To time.Time }

// At reports whether it was believed at an instant.
func (t Time) At(at time.Time) bool {
	return !at.Before(t.From) && (t.To.IsZero() || at.Before(t.To))
}
