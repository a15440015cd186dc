package web

import (
	"context"
	"log/slog"
	"sync"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/live"
)

// Chat is the gateway.Channel of the page. Each owner has one chat, on any
// number of open pages, which all show the same. Pages see an answer while it
// is made (gateway.Streamer, gateway.Typer); Chat says how many there are
// (gateway.Reporter).
type Chat struct {
	log     *slog.Logger
	hub     *live.Hub[frame]
	readers readers   // of what changed
	buffers sync.Pool // for frames on their way out
	turns   turns     // for who waits for an answer
}

var (
	_ gateway.Channel  = (*Chat)(nil)
	_ gateway.Streamer = (*Chat)(nil)
	_ gateway.Typer    = (*Chat)(nil)
	_ gateway.Reporter = (*Chat)(nil)
)

// NewChat returns a Chat without pages. It logs to log what goes wrong with
// them, never their words.
func NewChat(log *slog.Logger) *Chat {
	return &Chat{log: log, hub: live.NewHub("page", frame{T: frameReady}, log),
		readers: newReaders(), turns: turns{over: make(chan struct{})}}
}

// Name is nacre.Web.
func (c *Chat) Name() nacre.ChannelName { return nacre.Web }

// Run lets pages attach until ctx ends; then it closes all of them, waits until
// none uses host, and returns nil. It is called once.
func (c *Chat) Run(ctx context.Context, host gateway.Host) error { return c.hub.Run(ctx, host) }

// logout drops the pages of a browser that is no longer logged in.
func (c *Chat) logout(login string) { c.hub.Logout(login) }

// Send gives a part to every page of the owner and returns, with the delivery's
// own id, when the first has shown it. Where none is open, or all leave or are
// dropped before one did, the error is gateway.ErrAway. A repeat is labelled by
// the pages themselves, unless they know the id.
func (c *Chat) Send(ctx context.Context, d nacre.Delivery, repeat bool) (nacre.ExternalID, error) {
	part := partFrame(d, repeat)
	return c.hub.Send(ctx, d, part, live.ShowWait+part.burden())
}

// Stream shows an answer as far as it got on the owner's pages. It leaves no
// message to replace: the next part takes its place.
func (c *Chat) Stream(_ context.Context, b gateway.Bubble, text string) (nacre.ExternalID, error) {
	c.hub.Hint(b.Chat, frame{T: frameStream, Turn: b.Turn, Text: text})
	return "", nil
}

// Typing tells the owner's pages that an answer is being made.
func (c *Chat) Typing(_ context.Context, chat nacre.Chat) error {
	c.hub.Hint(chat, frame{T: frameTyping})
	return nil
}

// State says how many pages are open.
func (c *Chat) State() (ok bool, words string) { return c.hub.State() }

// Changed tells an owner's pages, or everybody's where owner is empty, that
// something they show is different now. It does not block, and may be called any
// number of times: pages are told at once, but not more often than every 25 ms.
func (c *Chat) Changed(owner nacre.OwnerID, topic Topic) { c.readers.tell(owner, topic) }

// Pages counts the pages that are open.
func (c *Chat) Pages() int { return c.readers.pages() }

// Open reports whether a page of an owner is open.
func (c *Chat) Open(owner nacre.OwnerID) bool { return c.readers.open(owner) }

// Awaited waits until a page of an owner is open; false if ctx ends before. One
// goroutine may wait at a time.
func (c *Chat) Awaited(ctx context.Context, owner nacre.OwnerID) bool {
	return c.readers.awaited(ctx, owner)
}

// Turned is called after turns were committed, in whatever chat: one of them may be
// what somebody waits for. It does not block.
func (c *Chat) Turned() { c.turns.turned() }
