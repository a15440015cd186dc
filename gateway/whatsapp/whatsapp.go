// Package whatsapp is a gateway.Channel over WhatsApp's protocol for linked
// devices, which the library whatsmeow speaks; its types stop here. The account
// is linked once by a person (Link); what that needs to be remembered lies in a
// file of its own in the data directory, which no other process may open.
//
// A message is acknowledged only after the gateway has stored it. People have two
// identities, a phone number and a LID; chats and authors go by the LID where it is
// known, and whoever is admitted by either is admitted.
package whatsapp

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"nacre"
	"nacre/gateway"
)

// Options say where the account's file lies and whose number it is.
type Options struct {
	// Dir is the data directory; the file is whatsapp.db in it.
	Dir string

	// Own says that the linked number is the operator's own. Then only what they
	// write to themselves is a message for us, and nothing is ever said to
	// anybody else. Otherwise the number is one of the assistant's own.
	Own bool

	// Transport carries all requests, the one that becomes the socket included;
	// nil is http.DefaultTransport.
	Transport http.RoundTripper

	// Sent tells what we sent. It is the ledger.
	Sent Sent

	// Notice tells the operator, elsewhere than on WhatsApp, that the channel
	// waits for them and why. It does not block for long; nil tells nobody.
	Notice func(ctx context.Context, words string)

	// Log takes what an operator may want to know; nil discards it.
	Log *slog.Logger
}

// Sent is what the outbox knows of parts that were sent.
type Sent interface {
	// SentPart is the part that was sent to a chat as a message of ours; NotFound if
	// there is no such message, or its words are gone.
	SentPart(ctx context.Context, chat nacre.Chat, id nacre.ExternalID) (nacre.Part, error)
	// Wanted reports whether a part is still to be sent, and was not forgotten since
	// Send was asked for it.
	Wanted(ctx context.Context, id nacre.DeliveryID) (bool, error)
	// SentBetween lists the parts that were, or are being, sent to a chat between
	// two times, the newest first.
	SentBetween(ctx context.Context, chat nacre.Chat, from, to time.Time) ([]nacre.Part, error)
}

// Channel is one linked account, or the place for one. It is a gateway.Channel, a
// gateway.Typer, a gateway.Streamer, a gateway.Fetcher, a gateway.Prober, a
// gateway.Resender, a gateway.Numberer and a gateway.Reporter, and its methods may
// be called from many goroutines; Run from one at a time.
type Channel struct {
	opts Options
	log  *slog.Logger

	file    accountFile
	custody custody
	version version
	panics  panics

	intake intake
	memo   *memo

	residue residue
	ailment ailment

	pace     pacer
	brakes   brakes
	bubbles  bubbles
	outcomes outcomes
	hand     hand
	presence presence

	mu    sync.Mutex // guards all below
	ok    bool
	words string
	host  gateway.Host // nil before the first Run
	line  *line        // nil while there is no connection
}

// New returns a Channel that has not opened anything yet.
func New(o Options) *Channel {
	log := o.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Channel{
		opts:    o,
		log:     log.With("channel", nacre.WhatsApp),
		file:    newAccountFile(o.Dir),
		memo:    newMemo(o.Dir, log),
		custody: custody{held: make(chan struct{}, 1)},
		words:   "not connected yet",
	}
}

// Name is nacre.WhatsApp.
func (c *Channel) Name() nacre.ChannelName { return nacre.WhatsApp }

// State says whether messages arrive, in words for the operator.
func (c *Channel) State() (ok bool, words string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ok, c.words
}

// Linked reports whether an account is linked. While it is linked or unlinked it is
// not.
func (c *Channel) Linked() bool {
	is, err := c.file.exists()
	return (is || err != nil) && !c.custody.isClaimed()
}

func (c *Channel) setState(ok bool, words string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ok, c.words = ok, words
}

func (c *Channel) setHost(host gateway.Host) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.host = host
}

// setLine notes the connection that is up, of which account; nil that there is none
// any more, before anybody knows why.
func (c *Channel) setLine(l *line, number string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.line = l
	if l == nil {
		c.ok, c.words = false, lost.words
		return
	}
	whose := "a number of its own"
	if c.opts.Own {
		whose = "own number"
	}
	c.ok, c.words = true, "connected as +"+number+" ("+whose+")"
}

// Numbers is true: WhatsApp shows buttons of linked devices to nobody.
func (c *Channel) Numbers() bool { return true }

// Resends is how long a phone may be away before it asks for a message that it
// could not decrypt.
func (c *Channel) Resends() time.Duration { return 7 * 24 * time.Hour }

// current is the connection that is up; a Transient error, which says why, while
// there is none.
func (c *Channel) current() (*line, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.line == nil {
		return nil, nacre.Errorf(nacre.Transient, "WhatsApp: %s", c.words)
	}
	return c.line, nil
}
