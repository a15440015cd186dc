package memory

import (
	"time"

	"nacre"
)

// OpID names an Op. Minted by the ledger, unique in an installation.
type OpID string

// OpKind says what an Op does. The list is closed: what is stored is read for
// ever.
type OpKind string

// The kinds of Ops.
const (
	Add     OpKind = "add"     // a new Note
	Revise  OpKind = "revise"  // a new Note in the place of another, which is archived
	Support OpKind = "support" // more evidence for a Note, which may raise its status
	Settle  OpKind = "settle"  // another status for a Note
	Erase   OpKind = "erase"   // a Note is forgotten, or messages without a Note are
	Lift    OpKind = "lift"    // a tombstone counts no more, by the owner's new words
	Pin     OpKind = "pin"
	Unpin   OpKind = "unpin"
	Switch  OpKind = "switch" // a setting of memory
	Undo    OpKind = "undo"   // an Op counts no more
	Intend  OpKind = "intend" // a forgetting begins
	Finish  OpKind = "finish" // a forgetting is done, and nothing of it was found any more
	Refuse  OpKind = "refuse" // what somebody wanted and was not done
)

// Op is one change of memory, or one refused change, appended to the ledger.
// Notes are what Fold makes of all Ops of an Owner.
type Op struct {
	Seq     int64     // the number of its leaf in the audit log; set by the Log
	ID      OpID      // set by the Log
	At      time.Time // set by the Log
	Writer  Writer
	Via     nacre.ChannelName // the channel that it came over; empty for none
	Kind    OpKind
	Version int64 // of memory after it, of a Refuse that on which it was decided; set by the Log
	Note    nacre.NoteID
	Reason  Reason  // why; a code
	Tag     Hash    // Add, Revise: of slot and text, for the ledger's own check against tombstones
	Payload Payload // zero once it is erased
}

// Changes reports whether the Op changes memory, and makes a version; what is
// only recorded does not.
func (o *Op) Changes() bool { return o.Kind != Refuse && o.Kind != Intend && o.Kind != Finish }

// Payload is what an Op says in words. It is sealed under a key of its own. What
// is empty says nothing.
type Payload struct {
	Act      string            `json:"act,omitempty"`      // the same in all Ops of one decision, which are undone together
	V        int               `json:"v"`                  // 1; a zero one is gone
	Body     *Body             `json:"body,omitempty"`     // Add, Revise
	Evidence []Evidence        `json:"evidence,omitempty"` // Add, Revise, Support
	Status   Status            `json:"status,omitempty"`   // Add, Revise, Support, Settle: that of the Note from now on
	Replaces nacre.NoteID      `json:"replaces,omitempty"` // Revise; Settle to a live status: the Note that is archived for it
	Against  nacre.NoteID      `json:"against,omitempty"`  // Add of a Candidate
	Tomb     *Tombstone        `json:"tomb,omitempty"`     // Erase; Settle to Rejected
	Revoked  []nacre.MessageID `json:"revoked,omitempty"`  // Erase: messages that support nothing new any more
	Lifts    []OpID            `json:"lifts,omitempty"`    // Lift, Undo: whose tombstones count no more
	Undoes   []OpID            `json:"undoes,omitempty"`   // Undo
	Setting  string            `json:"setting,omitempty"`  // Switch
	On       bool              `json:"on,omitempty"`       // Switch
}

// Tombstone is what remains of a forgotten or rejected value: keyed hashes, of
// which nobody can make words. See canon for how they are made.
type Tombstone struct {
	Exact       Hash   `json:"exact"`                 // of slot and value
	Value       Hash   `json:"value"`                 // of the value, wherever it stands
	Look        Hash   `json:"look"`                  // of what it looks like
	Slot        Hash   `json:"slot,omitzero"`         // frozen until the owner speaks anew; not of a rejection
	Stems       []Hash `json:"stems"`                 // of its words
	Distinctive bool   `json:"distinctive,omitempty"` // says enough to be recognised anywhere
	Names       []Hash `json:"names,omitempty"`       // of the words by which alone it is recognised; not of a rejection
	V           int    `json:"v,omitempty"`           // 1 since there are Names, 0 before
}

// Hash is a keyed hash.
type Hash = [32]byte

// Reason is why something was refused, waits or was done, as a code.
type Reason string

// The reasons of refusals.
const (
	NoQuote        Reason = "quote_not_in_owner_text" // the words are not there, or not the owner's own
	NoSource       Reason = "source_unknown"          // there is no such message
	SourceRevoked  Reason = "source_revoked"          // the owner had it forgotten
	ValueNotQuoted Reason = "value_not_in_quote"      // the note says more than the words do
	CutShort       Reason = "words_cut"               // a "not" right before the words was left out
	TombExact      Reason = "tombstone_exact"         // the same was forgotten or rejected in this place
	TombValue      Reason = "tombstone_value"         // it was forgotten or rejected in another place
	IsSecret       Reason = "secret"
	IsSensitive    Reason = "sensitive"    // of a topic that the owner has not allowed
	NoFlag         Reason = "flag_missing" // the writer did not say whether it is sensitive
	IsInstruction  Reason = "instruction"  // an order, not a fact
	TooLong        Reason = "too_long"     // text, or the message that it is from
	Full           Reason = "memory_full"  // MaxLive
	Paused         Reason = "saving_off"   // the owner stopped it
	GroupOff       Reason = "group_off"    // this group has no memory
	StatedKept     Reason = "stated_kept"  // writers that run by themselves change nothing that the owner stated
	NotAllowed     Reason = "not_allowed"  // this writer may not do that
	NotLegal       Reason = "not_legal"    // no way from the note's status to that
	NoNote         Reason = "note_unknown"
	Stale          Reason = "stale"       // it changed since they looked
	BadSlot        Reason = "bad_place"   // no area, or no slug
	Taken          Reason = "place_taken" // another note stands there
	NoText         Reason = "no_text"
	Unreadable     Reason = "unreadable" // the memory model's answer, twice
	TooMany        Reason = "too_many"   // notes of one answer
	Untrusted      Reason = "untrusted"  // asked for by words that are not the owner's
	NothingToUndo  Reason = "nothing_to_undo"
	NotUndone      Reason = "never_undone"    // a forgetting
	TombSlot       Reason = "tombstone_slot"  // waits: something in this place was forgotten
	TombStems      Reason = "tombstone_words" // waits: it resembles what was forgotten
	Forgotten      Reason = "was_forgotten"   // waits: the owner says anew what they had forgotten
	Spoken         Reason = "transcribed"     // waits: heard by a machine
	Contradicts    Reason = "conflict"        // waits: it contradicts another note
)

// The reasons of changes besides what their kind says.
const (
	Merged     Reason = "merged"     // another note says the same
	ByOwner    Reason = "owner"      // they asked for it
	Everything Reason = "everything" // all that is kept of them was forgotten
	Expired    Reason = "expired"    // it need not be kept any more, as it says itself
	Unrepeated Reason = "unrepeated" // a passing remark that nobody came back to; see Tidy
	Undecided  Reason = "undecided"  // a Candidate that waited too long
	Trimmed    Reason = "trimmed"    // the archive was full
	Recalled   Reason = "recalled"   // pinned, since it was needed again and again; see Promotions
	Unused     Reason = "unused"     // pinned no more, since it was not
)
