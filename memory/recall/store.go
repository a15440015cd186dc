package recall

import (
	"context"
	"time"

	"nacre"
	"nacre/memory"
)

// Key names a message in a Store. Stores mint it; it is unique for an owner, never
// 0, and opaque to all others.
type Key int64

// Authors that are no people's names.
const (
	ByOwner     = "owner"
	ByAssistant = "assistant"
)

// Doc is one message as the Index takes it in.
type Doc struct {
	Key      Key
	Session  nacre.SessionID
	Scope    memory.Scope
	Author   string // ByOwner, ByAssistant, or what others call the person
	Sent     time.Time
	Text     string
	Replaces Key // the earlier version of an edited message; 0 for none

	// Elsewhere is the other assistant to whom, or by whom, it was said, as people call
	// it; empty for what was said to Nacre, and by it.
	Elsewhere string
}

// Mark is a point in an owner's chats: everything stored by then has lower
// numbers. The zero Mark is before everything.
type Mark struct{ Said, Answered int64 }

// Text is one message as it is shown.
type Text struct {
	Doc
	Message nacre.MessageID // empty for an answer of Nacre's
	Turn    nacre.TurnID    // that answered it, or that it is the answer of; empty while it waits
	Strange bool            // may hold words of people who did not write it: forwarded ones, or what an answer repeats of a page
	Heard   bool            // holds words that a machine heard in a recording
}

// Store is where messages lie. All of it concerns one owner alone.
type Store interface {
	// Mark is the point behind everything that is stored now.
	Mark(ctx context.Context, owner nacre.OwnerID) (Mark, error)
	// Before hands over what was stored before a Mark, newest first, until yield
	// returns false; what was said elsewhere by when it was said. It is called in the
	// background and may take long.
	Before(ctx context.Context, owner nacre.OwnerID, m Mark, yield func(Doc) bool) error
	// Since hands over what was stored since a Mark, oldest first, and returns
	// the Mark behind it. It is called before every search. What was said elsewhere is
	// not among it: who stores that drops the index, so that it is built with it.
	Since(ctx context.Context, owner nacre.OwnerID, m Mark, yield func(Doc)) (Mark, error)
	// Texts reads messages by their keys; those that are not there any more, or
	// were replaced, are missing in the answer.
	Texts(ctx context.Context, owner nacre.OwnerID, keys []Key) (map[Key]Text, error)
	// Near reads a message of a scope with at most so many before and after it in
	// its session, in order; NotFound if there is no such message.
	Near(ctx context.Context, owner nacre.OwnerID, scope memory.Scope, key Key, each int) ([]Text, error)
}
