// Package gateway admits senders as Owners, puts their messages in the inbox,
// wakes sessions, and drains the outbox to channels. Nothing comes in or goes
// out by another way.
package gateway

import (
	"context"
	"errors"

	"nacre"
)

// Channel is one way to talk with people. It converts between its network's
// messages and ours and says when it is broken; it decides nothing else.
type Channel interface {
	// Name is constant.
	Name() nacre.ChannelName

	// Run receives until ctx ends or the channel is broken for good. It hands
	// what it received to host.Receive and tells its network that it has a
	// message only after Receive returned nil. It reconnects by itself; a
	// returned error is final (credentials refused, logged out) and is a
	// sentence for the operator. After ctx ended it returns nil, soon.
	Run(ctx context.Context, host Host) error

	// Render cuts a Reply into Parts within the platform's limit, in order,
	// none empty; a Reply without visible text gives none. It is pure.
	Render(nacre.Reply) []nacre.Part

	// Send hands one Part to the network and returns the network's id of it.
	// repeat asks for the words of RepeatLabel in front, because an earlier
	// try may have arrived. The error's kind decides what happens next:
	// Transient is tried again (not before its RetryAfter), anything wrapping
	// ErrUnsure once more with the label, Denied (our credentials were refused)
	// waits for the next start, any other kind is given up.
	// It is called for one Part of a chat at a time, for many chats at once.
	Send(ctx context.Context, to nacre.Delivery, repeat bool) (nacre.ExternalID, error)
}

// Typer is a Channel that can show that an answer is being made.
type Typer interface {
	// Typing shows the sign once, for a few seconds. Best effort.
	Typing(ctx context.Context, chat nacre.Chat) error
}

// Reporter is a Channel that can say how it is. State is a few words such as
// "connected as @name" or a sentence on what is broken.
type Reporter interface {
	State() (ok bool, words string)
}

// Host is what a Channel may ask of the gateway.
type Host interface {
	// Receive admits and stores messages in order and returns when they are
	// durable; then the channel may acknowledge. Messages already known are
	// ignored. A Transient error means that nothing of the call is promised:
	// offer the same again. It may block.
	Receive(ctx context.Context, messages []nacre.Message) error

	// Flush tries what waits in the outbox for a chat at once, because the
	// chat became reachable. It does not block.
	Flush(chat nacre.Chat)
}

// ErrUnsure marks a send whose outcome is unknown: the request had left, the
// answer never came.
var ErrUnsure = errors.New("it is not known whether the message arrived")

// ErrAway marks a send to a chat where nobody is connected now; the part waits
// until the channel calls Flush. It counts as no attempt.
var ErrAway = errors.New("nobody is connected to this chat")

// RepeatLabel begins a part that may have arrived before.
const RepeatLabel = "(This may be a repeat.) "
