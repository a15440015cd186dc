package web

import (
	"context"
	"time"

	"nacre"
	"nacre/memory"
)

// Memory is an owner's memory as a person handles it, on the command line, on the
// page and by a script. Models have no way to it. A Change that is refused is an
// Outcome and no error; errors are sentences for the person. Its methods may be
// called from any goroutine.
type Memory interface {
	// Notes lists notes, by area and by slug.
	Notes(ctx context.Context, q NoteQuery) (Listing, error)
	// Note reads one note with the words that it rests on and its other
	// versions. NotFound means that there is none of that name.
	Note(ctx context.Context, n NoteName) (Sheet, error)
	// Log lists what happened to memory, oldest first, in codes and without a
	// word of content.
	Log(ctx context.Context, q LogQuery) ([]Entry, error)
	// Propose changes memory, as far as that is allowed.
	Propose(ctx context.Context, c Change) (Outcome, error)
	// Plan finds out what a forgetting would take, and changes nothing.
	Plan(ctx context.Context, f Forgetting) (Plan, error)
	// Forget carries out the plan that was shown, of which f.Base is the
	// version. Conflict means that memory has changed since. With f.Cut and no
	// size it only blanks out, in the owner's own prose, what was forgotten
	// before; NotFound means that nothing waits for that.
	Forget(ctx context.Context, f Forgetting) (memory.Receipt, error)
	// Verify checks the audit log of the whole installation.
	Verify(ctx context.Context, c Check) (Verification, error)
	// Rebuild makes everything anew that is made of the log, and compares.
	Rebuild(ctx context.Context) (Rebuilt, error)
	// Export renders the whole memory as one Markdown file.
	Export(ctx context.Context) (string, error)
	// Review lists what waits for the owner to decide, oldest first.
	Review(ctx context.Context) ([]Sheet, error)
	// Pinned is what is always in front of the model, and what would change of it.
	Pinned(ctx context.Context) (Pinned, error)
	// Search finds notes by their words, the best first.
	Search(ctx context.Context, q NoteSearch) ([]Note, error)
}

// Which says of what standing the notes are that somebody means.
type Which string

// The standings. AllNotes are all but the forgotten, of which nothing is left.
const (
	LiveNotes     Which = "live" // what models see; also meant by an empty Which
	WaitingNotes  Which = "waiting"
	ArchivedNotes Which = "archived"
	AllNotes      Which = "all"
)

// Statuses are those of the notes that are meant; none if there is no such
// standing.
func (w Which) Statuses() []memory.Status {
	live := []memory.Status{memory.Tentative, memory.Observed, memory.Stated}
	switch w {
	case LiveNotes, "":
		return live
	case WaitingNotes:
		return []memory.Status{memory.Candidate}
	case ArchivedNotes:
		return []memory.Status{memory.Archived}
	case AllNotes:
		return append(live, memory.Candidate, memory.Archived, memory.Rejected)
	}
	return nil
}

// NoteQuery says which notes to list. Dates are as memory.ParseDate reads them,
// and mean the end of what they name.
type NoteQuery struct {
	Which   Which       `json:"which,omitempty"`
	Area    memory.Area `json:"area,omitempty"`     // empty: all
	AsOf    string      `json:"as_of,omitempty"`    // what was true in the world then
	KnownAt string      `json:"known_at,omitempty"` // what was believed then
	After   int64       `json:"after,omitempty"`    // only what changed since this version of memory; see Listing.Partial
}

// Listing is memory at a glance.
type Listing struct {
	Version   int64  `json:"version"`   // counts changes
	Saving    bool   `json:"saving"`    // whether anything new is remembered
	Sensitive bool   `json:"sensitive"` // whether sensitive topics are
	Waiting   int    `json:"waiting"`   // notes that the owner has to decide on
	Folder    string `json:"folder"`    // where the owner's files lie
	Notes     []Note `json:"notes"`

	Since   time.Time      `json:"since,omitzero"`    // of the first change
	Partial bool           `json:"partial,omitempty"` // Notes are only those that changed after NoteQuery.After
	Gone    []nacre.NoteID `json:"gone,omitempty"`    // Partial: those that do not belong to what was asked for any more
}

// Note is a memory.Note as it is shown.
type Note struct {
	ID       nacre.NoteID  `json:"id"`
	Path     string        `json:"path"`            // area/slug
	Scope    memory.Scope  `json:"scope,omitempty"` // the group where it applies; empty for private chats
	Text     string        `json:"text"`
	Abstract string        `json:"abstract,omitempty"`
	Kind     memory.Kind   `json:"kind,omitempty"`
	Entities []string      `json:"entities,omitempty"`
	Topic    string        `json:"topic,omitempty"` // empty unless it is sensitive
	Status   memory.Status `json:"status"`
	Origin   memory.Origin `json:"origin"`
	From     string        `json:"from,omitempty"` // since when it is true; dates are as memory.ParseDate reads them
	To       string        `json:"to,omitempty"`   // until when; empty means that nobody knows
	Event    string        `json:"event,omitempty"`
	Expires  string        `json:"expires,omitempty"`
	Recorded time.Time     `json:"recorded"`            // since when it was believed
	Until    time.Time     `json:"until,omitzero"`      // until when; zero means still
	Waits    memory.Reason `json:"waits,omitempty"`     // why the owner has to decide
	WaitsFor string        `json:"waits_for,omitempty"` // Waits in words
	Against  nacre.NoteID  `json:"against,omitempty"`   // which note it contradicts
	Replaces nacre.NoteID  `json:"replaces,omitempty"`  // which note it corrects
	Pinned   bool          `json:"pinned,omitempty"`
	Hits     int           `json:"hits"` // days on which it was recalled
	Hash     string        `json:"hash"` // of what is decided on; see memory.Note.Hash
}

// NoteName names a note: by its path, such as "about/bike", or by its id. Of
// several notes at a path it means the live one, else the newest; Which says
// among which.
type NoteName struct {
	Name  string `json:"name"`
	Which Which  `json:"which"`
}

// Sheet is everything about one note.
type Sheet struct {
	Version  int64   `json:"version"` // of memory, when it was read
	Note     Note    `json:"note"`
	Against  *Note   `json:"against,omitempty"` // the note that it contradicts
	Pin      string  `json:"pin,omitempty"`     // why it is pinned, in words
	Said     []Quote `json:"said"`              // newest first
	Versions []Note  `json:"versions"`          // with the note itself, oldest first
}

// Quote is words of the owner that a note rests on, as they were said.
type Quote struct {
	Message nacre.MessageID   `json:"message"`
	Sent    time.Time         `json:"sent"`
	Channel nacre.ChannelName `json:"channel"`
	Spoken  bool              `json:"spoken,omitempty"` // transcribed
	Text    string            `json:"text"`
}

// Change is what the owner's hand wants changed.
type Change struct {
	Do        memory.Verb  `json:"-"`                   // said by the path
	Note      nacre.NoteID `json:"note,omitempty"`      // which; not for Learn, Set and TakeBack
	Hash      string       `json:"hash,omitempty"`      // of that note, as it was shown; where there is a Note it has to be there
	Path      string       `json:"path,omitempty"`      // Learn: area/slug
	Text      string       `json:"text,omitempty"`      // Learn, Edit
	Sensitive bool         `json:"sensitive,omitempty"` // keep it though its topic is off
	Forgotten bool         `json:"forgotten,omitempty"` // keep it though it was forgotten
	Setting   string       `json:"setting,omitempty"`   // Set
	On        bool         `json:"on,omitempty"`        // Set
}

// Outcome is what became of a Change.
type Outcome struct {
	Note    *Note         `json:"note,omitempty"`    // what was made, changed or already there
	Refused memory.Reason `json:"refused,omitempty"` // empty if it was done
	Same    bool          `json:"same,omitempty"`    // nothing changed
	Words   string        `json:"words,omitempty"`   // why it was refused, for people
	Undone  []string      `json:"undone,omitempty"`  // TakeBack: what is different now, a line each
}

// Forgetting is what the owner wants forgotten.
type Forgetting struct {
	Size  memory.Size  `json:"size"`
	Note  nacre.NoteID `json:"note,omitempty"`  // SizeNote, SizeSaid
	Words string       `json:"words,omitempty"` // SizeAbout
	Base  int64        `json:"base,omitempty"`  // Forget: the version of the plan that was shown
	Cut   bool         `json:"cut,omitempty"`   // Forget: blank it out in the owner's own prose too
}

// Plan is what a forgetting would take.
type Plan struct {
	Base   int64          `json:"base"` // the version of memory on which it was made
	Size   memory.Size    `json:"size"`
	Notes  []Note         `json:"notes"`
	Counts map[string]int `json:"counts,omitempty"` // stored texts that say it, by kind
}

// LogQuery says what of the log to list.
type LogQuery struct {
	Name     string `json:"name,omitempty"`     // of one note, by path or id; empty for all
	Refusals bool   `json:"refusals,omitempty"` // also what was refused
}

// Entry is one change of memory, or one refused change.
type Entry struct {
	Leaf    int64             `json:"leaf"` // its number in the audit log
	At      time.Time         `json:"at"`
	Writer  memory.Writer     `json:"writer"`
	Via     nacre.ChannelName `json:"via,omitempty"`
	Kind    memory.OpKind     `json:"kind"`
	Status  memory.Status     `json:"status,omitempty"`  // what the note became
	Setting string            `json:"setting,omitempty"` // which setting changed
	On      bool              `json:"on,omitempty"`      // and to what
	Note    nacre.NoteID      `json:"note,omitempty"`
	Path    string            `json:"path,omitempty"` // of a note that is live now, or waits
	Reason  memory.Reason     `json:"reason,omitempty"`
	Words   string            `json:"words,omitempty"` // the reason, for people
	Version int64             `json:"version"`         // of memory afterwards
}

// Check says how to verify the audit log.
type Check struct {
	Checkpoints []string `json:"checkpoints,omitempty"` // signed ones, from where they were kept
	Sign        bool     `json:"sign,omitempty"`        // if all is well, sign a new one
}

// Verification is what became of a Check.
type Verification struct {
	OK       bool     `json:"ok"`
	Size     int64    `json:"size"`     // entries of the log
	Root     string   `json:"root"`     // the hash over all of them, base64
	Anchored int64    `json:"anchored"` // entries that the checkpoints prove
	Findings []string `json:"findings"` // what is wrong, in sentences
	Omitted  int64    `json:"omitted,omitempty"`
	Signed   string   `json:"signed,omitempty"` // a checkpoint to be kept elsewhere
}

// Pinned is what is always in front of the model.
type Pinned struct {
	Notes []PinnedNote `json:"notes"`
	Next  []Promotion  `json:"next"` // what the next hourly round would do
	Used  int          `json:"used"` // characters that the pinned notes take
	Room  int          `json:"room"` // that there are for them
}

// PinnedNote is a pinned note and why it is, in words.
type PinnedNote struct {
	Note Note   `json:"note"`
	Why  string `json:"why"`
	Hand bool   `json:"hand,omitempty"` // the owner pinned it
}

// Promotion is a note that would be pinned, or not any more, and why, in words.
type Promotion struct {
	Note Note   `json:"note"`
	Pin  bool   `json:"pin"`
	Why  string `json:"why"`
}

// NoteSearch says which notes to find.
type NoteSearch struct {
	Words string `json:"words"`
	Which Which  `json:"which,omitempty"`
	Most  int    `json:"most,omitempty"` // 0: 50; at most 200
}

// Rebuilt is what a rebuilding did.
type Rebuilt struct {
	Version int64  `json:"version"`         // of memory
	Notes   int    `json:"notes"`           // that were made anew, of any status
	Same    bool   `json:"same"`            // what was in use was equal to them
	Edits   string `json:"edits,omitempty"` // what the owner is told of their edits of MEMORY.md that were found
}
