package memory

import (
	"context"

	"nacre"
)

// Log keeps the Ops. The ledger implements it. Every method concerns one owner
// alone.
type Log interface {
	// Ops lists the Ops of an owner with a Seq above after, in order;
	// refusals only where asked for.
	Ops(ctx context.Context, owner nacre.OwnerID, after int64, refusals bool) ([]Op, error)
	// Append writes Ops with a leaf each, in one transaction, and fills in what
	// only the Log knows; a Mark, if there is one, moves in the same transaction,
	// also without any Op. Conflict means that memory is no longer at version
	// base, or that a value among them was forgotten: decide again.
	Append(ctx context.Context, owner nacre.OwnerID, base int64, ops []Op, mark *Mark) ([]Op, error)
	// Sources reads messages of an owner; those that do not exist or are not
	// theirs are missing in the answer.
	Sources(ctx context.Context, owner nacre.OwnerID, ids []nacre.MessageID) (map[nacre.MessageID]Source, error)
	// Recent reads the newest messages of a session before an inbox sequence, oldest
	// first, without those that Nacre wrote itself.
	Recent(ctx context.Context, s nacre.SessionInfo, before int64, most int) ([]Source, error)
	// TombKey is the secret under which an owner's tombstones are made.
	TombKey(owner nacre.OwnerID) (Hash, error)
	// Erase carries a forgetting out, but for what lies outside the database: it
	// records the intent, erases in one transaction what is known to say it,
	// destroys the keys, then looks through every record of the owner for more.
	// It returns how many records of each kind went ("notes", "messages",
	// "turns", "summaries", "replies", "files", "jobs", "settings" and so on) and
	// the Ops that it appended. A process that dies on the way finds the Erasure in
	// Unfinished and calls it again. Conflict is as for Append.
	Erase(ctx context.Context, owner nacre.OwnerID, e Erasure) (map[string]int, []Op, error)
	// Sweep looks everywhere for what an Erasure was to erase, without its plan:
	// in every record that can still be read, and in the bytes of every file of
	// the data directory. If nothing is left and nothing pending the Erasure is
	// finished, and its plan destroyed.
	Sweep(ctx context.Context, owner nacre.OwnerID, e Erasure) (Swept, error)
	// Unfinished lists forgettings that were begun and not finished, of all
	// owners.
	Unfinished(ctx context.Context) ([]Unfinished, error)
	// Count reports how many stored texts of each kind hold what an Erasure looks
	// for.
	Count(ctx context.Context, owner nacre.OwnerID, n *Needle) (map[string]int, error)
	// Hit counts that a note was recalled, once for each day (YYYY-MM-DD).
	Hit(ctx context.Context, owner nacre.OwnerID, day string, notes []nacre.NoteID) error
	// Hits counts the days on which each note was recalled.
	Hits(ctx context.Context, owner nacre.OwnerID) (map[nacre.NoteID]int, error)
	// Use tells of each note that was ever recalled how often, and when last.
	Use(ctx context.Context, owner nacre.OwnerID) (map[nacre.NoteID]Use, error)
}

// Mark is how far a reader of messages has come.
type Mark struct {
	Reader  string // its name
	Through int64  // inbox sequence of the newest message that it is done with
}

// Unfinished is a forgetting that was begun and not finished.
type Unfinished struct {
	Owner   nacre.OwnerID
	Erasure Erasure
}
