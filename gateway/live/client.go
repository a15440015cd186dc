package live

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"nacre"
	"nacre/gateway"
)

const (
	// Queue is how many frames may wait for a client before it counts as too
	// slow.
	Queue = 64
	// Window is how many requests a client sends ahead of their answers. The
	// server has room for as many, so that it never stops reading.
	Window = 16
	// firstRetry and lastRetry bound the doubling pauses between tries to store.
	firstRetry = 100 * time.Millisecond
	lastRetry  = 5 * time.Second
)

// Client is the server's view of one connection to a chat. Three goroutines
// serve it: one reads, one carries out what was asked, one writes.
type Client[F any] struct {
	hub   *Hub[F]
	chat  nacre.Chat
	login string
	out   chan F           // to be written
	asks  chan func() bool // to be carried out; closed when the reader ended
	gone  chan struct{}    // closed by drop
	drop  func()           // cuts the connection; may be called by anyone, often
}

func newClient[F any](h *Hub[F], chat nacre.Chat, login string, conn io.Closer) *Client[F] {
	gone := make(chan struct{})
	return &Client[F]{
		hub: h, chat: chat, login: login, gone: gone,
		out:  make(chan F, Queue),
		asks: make(chan func() bool, Window),
		drop: sync.OnceFunc(func() {
			close(gone)
			conn.Close()
		}),
	}
}

// Serve is the client's time from Attach to its end, which is when read
// returns; it returns read's error. read takes in what the client sends until
// the connection ends. write, in another goroutine, sends what comes from Out
// until Gone is closed or the connection takes no more. Serve is called once,
// for every client that attached.
func (c *Client[F]) Serve(read func() error, write func()) error {
	defer c.hub.serving.Done()
	var work sync.WaitGroup
	defer work.Wait()
	work.Go(func() {
		defer c.drop()
		write()
	})
	work.Go(c.carryOut)
	c.hub.host.Flush(c.chat)

	err := read()
	c.drop()
	close(c.asks)
	c.hub.detach(c)
	return err
}

// Out has the frames to write.
func (c *Client[F]) Out() <-chan F { return c.out }

// Gone is closed when the client is dropped.
func (c *Client[F]) Gone() <-chan struct{} { return c.gone }

// Send queues a frame. It does not block: a client whose queue is full is
// dropped.
func (c *Client[F]) Send(f F) {
	select {
	case c.out <- f:
	default:
		c.drop()
	}
}

// hint queues a frame that nobody misses where there is no room.
func (c *Client[F]) hint(f F) {
	select {
	case c.out <- f:
	default:
	}
}

// Tell sends a frame to all clients of the chat.
func (c *Client[F]) Tell(f F) { c.hub.Tell(c.chat, f) }

// TellOthers sends a frame to all other clients of the chat.
func (c *Client[F]) TellOthers(f F) {
	c.hub.in(c.chat, func(r *room[F]) { r.tell(c, f) })
}

// Shown notes that the client shows a part now.
func (c *Client[F]) Shown(id nacre.DeliveryID) {
	c.hub.in(c.chat, func(r *room[F]) { r.settle(id, nil) })
}

// Ask queues something that the client asked; only read calls it. It may block,
// and returns false when the client was dropped meanwhile. do returns false if
// it could not be done now.
func (c *Client[F]) Ask(do func() (ok bool)) (ok bool) {
	select {
	case c.asks <- do:
		return true
	case <-c.gone:
		return false
	}
}

// carryOut does what the client asked, in order. What was asked while leaving
// counts. It stops at what cannot be done now, because what was said later must
// not overtake it; the client will ask again.
func (c *Client[F]) carryOut() {
	for do := range c.asks {
		if !do() {
			return
		}
	}
}

// Insist calls the host until it succeeds or refuses for good. ok is false when
// the host stays unable and either side left.
func (c *Client[F]) Insist(call func(context.Context, gateway.Host) error) (err error, ok bool) {
	ctx := c.hub.ctx
	for pause := firstRetry; ; pause = min(2*pause, lastRetry) {
		err := call(ctx, c.hub.host)
		if err == nil {
			return nil, true
		}
		if ctx.Err() != nil {
			return err, false
		}
		c.hub.log.Log(ctx, gravity(err), "request not carried out", "channel", c.chat.Channel, "chat", c.chat.ID, "err", err)
		if nacre.KindOf(err) != nacre.Transient {
			return err, true
		}
		select {
		case <-time.After(max(pause, nacre.RetryAfter(err))):
		case <-c.gone: // at the latest when Run ends
			return err, false
		}
	}
}

// gravity is how much the operator cares for what was not carried out: what the host
// refuses, as anybody can ask for it, they need not know of.
func gravity(err error) slog.Level {
	switch nacre.KindOf(err) {
	case nacre.Internal, nacre.Transient:
		return slog.LevelWarn
	}
	return slog.LevelDebug
}

// Refusal is what the person reads about a request that the host refused; fault
// where the reason is not for them.
func Refusal(err error, fault string) string {
	var e *nacre.Error
	if errors.As(err, &e) && e.Kind != nacre.Internal {
		return e.Text
	}
	return fault
}
