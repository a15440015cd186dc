package nacre

import (
	"encoding/json"
	"time"
)

// Turn is one run of the model-and-tools loop over the pending Messages of a
// Session, as it is committed. Commit writes it together with its replies and
// marks its messages done, in one transaction.
type Turn struct {
	ID       TurnID
	Session  SessionID
	Owner    OwnerID
	Messages []MessageID // every message that this turn answers, in order
	Outcome  Outcome
	Started  time.Time

	// History is what later prompts see of this turn, in the session's own
	// encoding; sealed by the ledger and opaque to it. Empty for commands.
	History json.RawMessage

	// Fresh starts a new history after this turn (/new).
	Fresh bool

	// Instead is the turn that this one takes the place of (/retry), which is no
	// part of the conversation any longer.
	Instead TurnID

	Replies []RenderedReply
}

// RenderedReply is a Reply with the parts its channel made of it.
type RenderedReply struct {
	ID      ReplyID
	Chat    Chat
	Parts   []Part
	Text    string   // what is asked, if there are Options
	Options []string // what the person is asked to choose from, if anything
}

// Conversation is what prompts need of a Session since its last fresh start.
type Conversation struct {
	Head  json.RawMessage // stands for the turns before Turns, in the session's own encoding; empty if there are none
	Turns []PastTurn      // oldest first
	Model string          // which model answers it; empty means the usual one
}

// PastTurn is a committed Turn as later prompts see it.
type PastTurn struct {
	ID      TurnID
	First   int64 // inbox sequence of its first message
	Outcome Outcome
	History json.RawMessage
}

// Outcome says how a Turn ended.
type Outcome string

// The outcomes. A turn that failed has told the person so in one sentence.
const (
	Answered  Outcome = "answered"
	Commanded Outcome = "command" // a command, answered without a model
	Stopped   Outcome = "stopped" // by /stop or /new
	Failed    Outcome = "failed"
	Noted     Outcome = "noted" // quiet messages, which ask for no answer
)

// SessionInfo is what the ledger knows of a Session.
type SessionInfo struct {
	ID       SessionID
	Owner    OwnerID
	Operator bool
	Chat     Chat
	Private  bool
}
