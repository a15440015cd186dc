// Package gateway admits senders as Owners, puts their messages in the inbox,
// wakes sessions, and drains the outbox to channels. Nothing comes in or goes
// out by another way.
package gateway

import (
	"context"
	"errors"
	"time"

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
	// A Delivery with a Bubble replaces that message instead.
	// repeat asks for the words of RepeatLabel in front, because an earlier
	// try may have arrived. The error's kind decides what happens next:
	// Transient and Denied are tried again (not before RetryAfter), anything
	// wrapping ErrUnsure once more with the label, any other kind is given up. A
	// Transient error that wraps ErrUnsure is tried again, with the label, for as
	// long as it lasts: it probably did not arrive.
	// It is called for one Part of a chat at a time, for many chats at once.
	Send(ctx context.Context, to nacre.Delivery, repeat bool) (nacre.ExternalID, error)
}

// Typer is a Channel that can show that an answer is being made.
type Typer interface {
	// Typing shows the sign once, for a few seconds. Best effort; a Transient
	// error says when it may be shown next.
	Typing(ctx context.Context, chat nacre.Chat) error
}

// Bubble is an answer that is shown while it is made.
type Bubble struct {
	Chat nacre.Chat
	Turn nacre.TurnID     // whose answer it is
	ID   nacre.ExternalID // the message that shows it; empty before there is one, and where drafts leave none
}

// Streamer is a Channel that can show an answer while it is made.
type Streamer interface {
	// Stream shows the beginning of an answer, in Markdown as far as it got,
	// and returns the id of the message that shows it, if that is one which
	// the final part must replace. A Transient error means "not now": the
	// newest text is offered again after its RetryAfter. Best effort: any other
	// error ends the showing, never the answer.
	Stream(ctx context.Context, b Bubble, text string) (nacre.ExternalID, error)
}

// Prober is a Channel that can find out whether its network works.
type Prober interface {
	// Probe makes a harmless round trip; nil means that the network answers as
	// it should. It is called before a part is repeated whose first outcome is
	// unknown, so that the one repeat is not spent on a network that is down.
	Probe(ctx context.Context) error
}

// Resender is a Channel whose network may ask for a part again after it took it,
// as one does where messages are encrypted for each phone.
type Resender interface {
	// Resends is how long after a send the network may ask.
	Resends() time.Duration
}

// Numberer is a Channel that shows a Reply's Options as numbered lines. A
// message that is nothing but a number then chooses, if the newest thing that
// was said in the chat is a question that is open.
type Numberer interface {
	// Numbers reports whether it does.
	Numbers() bool
}

// Fetcher is a Channel whose messages can have attachments.
type Fetcher interface {
	// Fetch returns the bytes of an attachment. A larger one than most is
	// Invalid, one that the network no longer has NotFound; both are sentences
	// for the person.
	Fetch(ctx context.Context, ref string, most int64) ([]byte, error)
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

	// Knows reports whether the author of a message is admitted, so that they may
	// be shown that it was read.
	Knows(m *nacre.Message) bool

	// Own says that an address is the operator's own, which the channel knows
	// because whoever linked it to this machine had both in their hands. It stays
	// somebody else's if it is. A Transient error means that nothing is kept.
	Own(ctx context.Context, a nacre.Address) error

	// Press takes a button press. It returns the option that was chosen, when
	// the choice is stored, and now or by an earlier press settled the question;
	// Denied for a press by anybody but the person who was asked, NotFound for
	// a question that is no longer open. The channel shows the error's sentence
	// to whoever pressed.
	Press(ctx context.Context, p nacre.Press) (option string, err error)

	// Move says that a chat goes on under another id, as when a group becomes
	// a supergroup. What is stored for it and waits for it moves along.
	Move(ctx context.Context, from, to nacre.Chat) error

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
