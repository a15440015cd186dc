package web

import (
	"context"
	"io"
	"time"

	"nacre"
	"nacre/memory"
)

// Moving takes over what an owner brings from elsewhere, and gives them all that is
// here.
type Moving interface {
	// Import takes over a file, or an archive of them (zip), or only tells what would
	// become of it. body has Size bytes, or as many as it has where Size is 0. It is
	// read once, whole; what is in it may be larger than memory. Every note, message and
	// job has its own fate: nothing that is here already is changed or doubled, so that
	// an import that broke off is done by importing again. tell, which may be nil, hears
	// now and then how far it is. Invalid for what nobody can read; Conflict while another
	// import of the owner is under way. While too many of others are read it waits for its
	// turn.
	Import(ctx context.Context, w ImportWish, body io.Reader, tell func(ImportProgress)) (Imported, error)
	// Archive writes everything of the owner as a zip of JSON Lines; see
	// memory/moving/ARCHIVE.md.
	Archive(ctx context.Context, w io.Writer) error
}

// ImportWish says what is imported, and how.
type ImportWish struct {
	Name string `json:"name"`           // of the file, such as conversations.json; empty for pasted text
	Size int64  `json:"size,omitempty"` // bytes; 0 if not known
	Dry  bool   `json:"dry,omitempty"`  // change nothing
}

// ImportProgress is how far an import is.
type ImportProgress struct {
	Step ImportStep `json:"step"`
	Done int64      `json:"done"` // bytes
	All  int64      `json:"all"`  // 0 if not known
}

// ImportStep is what an import is at.
type ImportStep string

// The steps of an import.
const (
	ImportTakes ImportStep = "taking"  // it comes in
	ImportReads ImportStep = "reading" // it is read and stored
)

// Imported is what became of an import, or would.
type Imported struct {
	Dry     bool           `json:"dry,omitempty"`
	Sources []string       `json:"sources"` // what it comes from, for people: "ChatGPT"
	Lines   []ImportedLine `json:"lines"`   // notes and jobs, in the order of the files; at most 10,000
	Added   int            `json:"added"`   // notes
	Known   int            `json:"known"`   // notes and jobs that were there already
	Kept    int            `json:"left"`    // notes and jobs that were left out, for a reason

	Jobs     int            `json:"jobs"`           // that were made; they are paused
	Said     int            `json:"said"`           // messages that can be found from now on
	SaidHere int            `json:"said_here"`      // messages that were there already
	Chats    int            `json:"chats"`          // conversations that they are of
	First    time.Time      `json:"first,omitzero"` // when the first and the last of them were said
	Last     time.Time      `json:"last,omitzero"`
	Settings []string       `json:"settings,omitempty"`  // names of those that were set
	Left     []ImportedLeft `json:"left_out,omitempty"`  // all else that was left out; at most 1,000
	LeftMore int            `json:"left_more,omitempty"` // how many more
}

// ImportedLine is what became of one note or job.
type ImportedLine struct {
	File   string        `json:"file,omitempty"`
	Line   int           `json:"line"` // its number, from 1
	Area   memory.Area   `json:"area,omitempty"`
	Job    bool          `json:"job,omitempty"` // it is a job
	Text   string        `json:"text"`          // shortened
	What   ImportWhat    `json:"what"`
	Reason memory.Reason `json:"reason,omitempty"` // why it was left out
	Words  string        `json:"words,omitempty"`  // the reason, for people
	Note   nacre.NoteID  `json:"note,omitempty"`   // what was made of it
	Pinned bool          `json:"pinned,omitempty"`
}

// ImportedLeft is something else that was left out.
type ImportedLeft struct {
	File  string `json:"file,omitempty"`
	Line  int    `json:"line,omitempty"`
	What  string `json:"what"`
	Words string `json:"words"` // why, for people
}

// ImportWhat is what becomes of a line.
type ImportWhat string

// What becomes of lines.
const (
	ImportAdds  ImportWhat = "added"
	ImportKnown ImportWhat = "known"
	ImportLeft  ImportWhat = "left" // out
)
