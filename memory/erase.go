package memory

import "nacre"

// Size is how much is forgotten.
type Size string

// The sizes.
const (
	SizeNote   Size = "note"   // the note in all its versions
	SizeSaid   Size = "said"   // and the owner's words that it rests on, wherever they are kept
	SizeAbout  Size = "about"  // everything that speaks of something
	SizeHidden Size = "hidden" // like SizeSaid, all notes of sensitive topics that are switched off
	SizeAll    Size = "all"    // everything that is kept of the owner
)

// Erasure is a forgetting, decided and ready to be carried out. It lies sealed
// in the ledger until it is done.
type Erasure struct {
	ID     string            `json:"id"` // UUIDv7
	Size   Size              `json:"size"`
	Writer Writer            `json:"writer"`
	Via    nacre.ChannelName `json:"via,omitempty"`
	Base   int64             `json:"base"`             // the version on which it was decided
	Notes  []nacre.NoteID    `json:"notes,omitempty"`  // whose Ops are erased
	Ops    []Op              `json:"ops,omitempty"`    // what the log keeps of it: an Erase for each note, or one for all
	Cited  []Evidence        `json:"cited,omitempty"`  // places in messages to be blanked; not for SizeNote
	Needle *Needle           `json:"needle,omitempty"` // what to look for everywhere; nil for SizeNote
}

// Swept is what an independent look for a forgotten value came to.
type Swept struct {
	Left    int      // places where it was found; 0 is what is meant
	Pending []string // what could not be looked at or cleaned yet, in words; tried again by itself
}
