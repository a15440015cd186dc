package terminal

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"time"

	"nacre"
	"nacre/gateway"
)

const (
	// startWait is how long a chat that came early waits for Run.
	startWait = 10 * time.Second
	// showWait is how long a chat may take to acknowledge a part. One that
	// takes longer is stopped or stuck, and is dropped.
	showWait = 10 * time.Second
)

// Channel is the gateway.Channel to which chats attach. It also says that an
// answer is being made (gateway.Typer) and how it is (gateway.Reporter).
type Channel struct {
	log     *slog.Logger
	started chan struct{} // closed by Run, after it set the next two
	ctx     context.Context
	host    gateway.Host

	mu      sync.Mutex // guards what follows
	stopped bool
	clients map[*client]struct{}
	offers  map[nacre.DeliveryID]offer
	serving sync.WaitGroup // calls of Serve that attached; added to under mu
}

// offer is a part that waits for the first chat to show it.
type offer struct {
	frame  frame
	result chan error // holds one
}

var (
	_ gateway.Channel  = (*Channel)(nil)
	_ gateway.Typer    = (*Channel)(nil)
	_ gateway.Reporter = (*Channel)(nil)
)

// New returns a Channel without chats. It logs to log what goes wrong with
// them, never their words.
func New(log *slog.Logger) *Channel {
	return &Channel{
		log:     log,
		started: make(chan struct{}),
		clients: map[*client]struct{}{},
		offers:  map[nacre.DeliveryID]offer{},
	}
}

// Name is nacre.Terminal.
func (c *Channel) Name() nacre.ChannelName { return nacre.Terminal }

// Run lets Serve work until ctx ends; then it closes the connections of all
// chats, waits until none of them uses host, and returns nil. It is called once.
func (c *Channel) Run(ctx context.Context, host gateway.Host) error {
	c.ctx, c.host = ctx, host
	close(c.started)
	<-ctx.Done()
	c.mu.Lock()
	c.stopped = true
	c.dropAll()
	c.mu.Unlock()
	c.serving.Wait()
	return nil
}

// Serve is one chat, from its arrival to its end. The handler of the control
// socket calls it, in a goroutine of its own, with the connection that it took
// over and with the reader to use, which may have bytes of it already; both
// may be the same. Serve closes conn. It returns nil when the chat left or Run
// ended, else a sentence on why the chat was not served, for the log.
func (c *Channel) Serve(conn net.Conn, in io.Reader) error {
	defer conn.Close()
	conn.SetDeadline(time.Time{}) // forget those of the handshake
	cl := newClient(conn)
	if err := c.attach(cl); err != nil {
		writeFrame(conn, frame{T: frameError, Text: err.Error()})
		return err
	}
	defer c.serving.Done()

	var work sync.WaitGroup
	defer work.Wait()
	work.Go(cl.write)
	work.Go(func() { c.receive(cl) })
	c.host.Flush(localChat)

	err := c.read(cl, in)
	c.detach(cl)
	return err
}

// attach waits for Run and then adds cl to the chats that get every part, also
// those that are on their way just now.
func (c *Channel) attach(cl *client) error {
	select {
	case <-c.started:
	case <-time.After(startWait):
		return nacre.Errorf(nacre.Transient, "Nacre is still starting; try again in a moment.")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return nacre.Errorf(nacre.Transient, "Nacre is stopping; try again when it has started anew.")
	}
	c.serving.Add(1)
	c.clients[cl] = struct{}{}
	cl.send(frame{T: frameReady})
	for _, o := range c.offers {
		cl.send(o.frame)
	}
	return nil
}

// detach ends cl. When it was the last chat, parts on their way find nobody.
func (c *Channel) detach(cl *client) {
	cl.drop()
	close(cl.says)
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.clients, cl)
	if len(c.clients) > 0 {
		return
	}
	for id := range c.offers {
		c.settle(id, gateway.ErrAway)
	}
}

// dropAll cuts the connections of all chats. c.mu is held.
func (c *Channel) dropAll() {
	for cl := range c.clients {
		cl.drop()
	}
}

// settle ends the offer of a part, if it still stands. c.mu is held.
func (c *Channel) settle(id nacre.DeliveryID, result error) {
	if o, ok := c.offers[id]; ok {
		delete(c.offers, id)
		o.result <- result
	}
}

// shown notes that a chat has a part on its screen.
func (c *Channel) shown(id nacre.DeliveryID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settle(id, nil)
}

// Send gives a part to every attached chat and returns, with the delivery's own
// id, when the first has shown it. Where nobody is attached, or all leave or
// are dropped before one did, the error is gateway.ErrAway. repeat is ignored:
// a chat shows an id only once, and one that was opened since has shown
// nothing yet, so that no reader sees a part twice.
func (c *Channel) Send(ctx context.Context, d nacre.Delivery, repeat bool) (nacre.ExternalID, error) {
	result, err := c.offer(d, repeat)
	if err != nil {
		return "", err
	}
	for {
		select {
		case err := <-result:
			if err != nil {
				return "", err
			}
			return nacre.ExternalID(d.ID), nil
		case <-ctx.Done():
			c.mu.Lock()
			c.settle(d.ID, nacre.Errorf(nacre.Transient, "the chat had not shown the part yet: %w", ctx.Err()))
			c.mu.Unlock()
		case <-time.After(showWait):
			c.log.Info("dropped chats that do not answer", "delivery", d.ID)
			c.mu.Lock()
			c.dropAll()
			c.mu.Unlock()
		}
	}
}

// offer hands a part to all chats and returns where its fate will be told.
func (c *Channel) offer(d nacre.Delivery, repeat bool) (<-chan error, error) {
	o := offer{frame{T: framePart, ID: string(d.ID), Text: d.Part.Text, Repeat: repeat}, make(chan error, 1)}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.clients) == 0 {
		return nil, gateway.ErrAway
	}
	c.offers[d.ID] = o
	for cl := range c.clients {
		cl.send(o.frame)
	}
	return o.result, nil
}

// Typing tells every attached chat that an answer is being made.
func (c *Channel) Typing(context.Context, nacre.Chat) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for cl := range c.clients {
		cl.hint(frame{T: frameTyping})
	}
	return nil
}

// State says how many chats are attached.
func (c *Channel) State() (ok bool, words string) {
	select {
	case <-c.started:
	default:
		return false, "not started"
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch n := len(c.clients); {
	case c.stopped:
		return false, "stopped"
	case n == 1:
		return true, "1 chat is open"
	case n > 1:
		return true, fmt.Sprintf("%d chats are open", n)
	}
	return true, "no chat is open"
}
