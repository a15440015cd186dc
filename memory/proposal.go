package memory

import (
	"strings"

	"nacre"
)

// Writer is who wants a change. The list is closed: there is no other way to
// change memory, and a test counts them.
type Writer string

// The writers.
const (
	ByChat    Writer = "chat"    // the chat model, through memory_learn
	ByCommand Writer = "command" // the owner in a chat: /remember, /undo, a button
	ByPage    Writer = "page"    // the owner on the page
	ByFile    Writer = "file"    // the owner in MEMORY.md
	ByShell   Writer = "shell"   // the owner on the command line
	ByImport  Writer = "import"
	ByReflect Writer = "reflect" // the memory model, reading back unasked
	ByRepair  Writer = "repair"  // rules that run by themselves
	ByStyle   Writer = "style"   // the writing style of sent mail
	ByRestore Writer = "restore" // a backup put back
)

// Writers are all of them.
var Writers = []Writer{ByChat, ByCommand, ByPage, ByFile, ByShell, ByImport, ByReflect, ByRepair, ByStyle, ByRestore}

// Owner reports whether the writer is the owner's own hand.
func (w Writer) Owner() bool {
	switch w {
	case ByCommand, ByPage, ByFile, ByShell:
		return true
	}
	return false
}

// Verb is what a Proposal wants.
type Verb string

// The verbs.
const (
	Learn     Verb = "learn"   // a Draft
	Edit      Verb = "edit"    // the Draft in the place of Note
	Confirm   Verb = "confirm" // a Note is as the owner says; of a Candidate: accept
	Keep      Verb = "keep"    // a Candidate beside the Note that it contradicts
	Archive   Verb = "archive"
	Bring     Verb = "restore" // back from the archive
	Reject    Verb = "reject"
	PinNote   Verb = "pin"
	UnpinNote Verb = "unpin"
	Set       Verb = "set"    // a Setting
	TakeBack  Verb = "undo"   // the owner's last change
	Decline   Verb = "refuse" // nothing; records Why, which was decided before Review
)

// Proposal is one change that somebody wants.
type Proposal struct {
	Writer Writer
	Via    nacre.ChannelName
	Scope  Scope
	Do     Verb

	Note nacre.NoteID // all but Learn, Set and TakeBack
	Hash string       // of the Note as the person was shown it, if they were; see Note.Hash

	Draft     Draft  // Learn, Edit
	Cites     []Cite // Learn: the words that it rests on; none where the owner's hand writes; of ByImport those of the channel nacre.Elsewhere alone
	Asked     bool   // Learn: the cited message itself asks to remember it; computed from its words, never taken from a model
	Sensitive *bool  // Learn: what the writer says; nil is invalid but from the owner's hand
	Consent   Consent

	Setting string // Set
	On      bool   // Set

	Why Reason // Decline; Archive, PinNote and UnpinNote: why, where a writer runs by itself
}

// Draft is a Note as a writer wants it. Dates are as ParseDate reads them; an
// optional detail that is invalid is left out, and not the Note.
type Draft struct {
	Area     Area
	Slug     string // made into a legal one; may be empty if Replaces is not
	Text     string
	Abstract string
	Kind     Kind
	Entities []string
	From, To string // when it is true in the world
	Event    string
	Expires  string
	Replaces []string // slots of notes that it corrects, as "area/slug"
	Pinned   bool     // it was at the top of another assistant's memory; of ByImport alone
}

// Cite is words of a message.
type Cite struct {
	Message nacre.MessageID
	Quote   string // at most MaxQuote characters; a longer one is left out
}

// Consent is what the owner said yes to, for this Proposal alone.
type Consent struct {
	Sensitive bool // keep just this, though its topic is off
	Forgotten bool // remember again what was forgotten
}

// The settings of memory. That of a group is GroupSetting.
const (
	Saving      = "saving"      // on unless the owner stopped it
	Sensitive   = "sensitive"   // sensitive topics; off unless the owner allows them
	Checkpoints = "checkpoints" // a daily checkpoint of the audit log to the owner's own chat; off unless they want it
)

// GroupSetting is whether a group has a memory; off unless the owner allows it.
func GroupSetting(s Scope) string { return "group/" + string(s) }

// Outcome is what became of a Proposal.
type Outcome struct {
	Note    *Note  // what was made, changed or already there; nil if none
	Refused Reason // empty if it was done
	Same    bool   // nothing changed: it was known already
}

// Waits reports that a note was stored as a Candidate, which the owner has to
// decide on, and why.
func (o Outcome) Waits() (Reason, bool) {
	if o.Note == nil || o.Note.Status != Candidate || o.Refused != "" {
		return "", false
	}
	return o.Note.Waits, true
}

func isGroupSetting(name string) bool {
	scope, ok := strings.CutPrefix(name, GroupSetting(""))
	return ok && scope != ""
}
