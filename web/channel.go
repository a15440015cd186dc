package web

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"nacre"
	"nacre/gateway"
)

const (
	// startWait is how long a page that came early waits for Run.
	startWait = 10 * time.Second
	// showWait is how long pages may take to acknowledge a part without a file.
	// Those that take longer are stopped or stuck, and are dropped.
	showWait = 10 * time.Second
)

// Chat is the gateway.Channel of the page. Each owner has one chat, on any
// number of open pages, which all show the same. Pages see an answer while it
// is made (gateway.Streamer, gateway.Typer); Chat says how many there are
// (gateway.Reporter).
type Chat struct {
	log     *slog.Logger
	started chan struct{} // closed by Run, after it set the next two
	ctx     context.Context
	host    gateway.Host

	mu      sync.Mutex // guards what follows
	stopped bool
	rooms   map[nacre.ChatID]*room // those with pages
	serving sync.WaitGroup         // pages that attached; added to under mu
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
	return &Chat{log: log, started: make(chan struct{}), rooms: map[nacre.ChatID]*room{}}
}

// Name is nacre.Web.
func (c *Chat) Name() nacre.ChannelName { return nacre.Web }

// Run lets pages attach until ctx ends; then it closes all of them, waits until
// none uses host, and returns nil. It is called once.
func (c *Chat) Run(ctx context.Context, host gateway.Host) error {
	c.ctx, c.host = ctx, host
	close(c.started)
	<-ctx.Done()
	c.mu.Lock()
	c.stopped = true
	for _, r := range c.rooms {
		r.drop()
	}
	c.mu.Unlock()
	c.serving.Wait()
	return nil
}

// attach waits for Run and then adds p to the pages of its owner.
func (c *Chat) attach(p *page) error {
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
	id := chatOf(p.owner).ID
	if c.rooms[id] == nil {
		c.rooms[id] = newRoom()
	}
	c.rooms[id].enter(p)
	return nil
}

// detach ends p.
func (c *Chat) detach(p *page) {
	p.drop()
	close(p.asks)
	c.mu.Lock()
	defer c.mu.Unlock()
	id := chatOf(p.owner).ID
	if c.rooms[id].leave(p) {
		delete(c.rooms, id)
	}
}

// logout drops the pages of a browser that is no longer logged in.
func (c *Chat) logout(login string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.rooms {
		for p := range r.pages {
			if p.login == login {
				p.drop()
			}
		}
	}
}

// in calls f with the room of a chat, nil if no page is open.
func (c *Chat) in(id nacre.ChatID, f func(*room)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f(c.rooms[id])
}

// Send gives a part to every page of the owner and returns, with the delivery's
// own id, when the first has shown it. Where none is open, or all leave or are
// dropped before one did, the error is gateway.ErrAway. A repeat is labelled by
// the pages themselves, unless they know the id.
func (c *Chat) Send(ctx context.Context, d nacre.Delivery, repeat bool) (nacre.ExternalID, error) {
	o := newOffer(partFrame(d, repeat))
	c.in(d.Chat.ID, func(r *room) { r.offer(d.ID, o) })
	for {
		select {
		case err := <-o.result:
			if err != nil {
				return "", err
			}
			return nacre.ExternalID(d.ID), nil
		case <-ctx.Done():
			late := nacre.Errorf(nacre.Transient, "the page had not shown the part yet: %w", ctx.Err())
			c.in(d.Chat.ID, func(r *room) { r.settle(d.ID, late) })
		case <-time.After(showWait + o.frame.patience() - writeWait):
			c.log.Info("dropped pages that do not answer", "delivery", d.ID)
			c.in(d.Chat.ID, func(r *room) { r.drop() })
		}
	}
}

// Stream shows an answer as far as it got on the owner's pages. It leaves no
// message to replace: the next part takes its place.
func (c *Chat) Stream(_ context.Context, b gateway.Bubble, text string) (nacre.ExternalID, error) {
	c.in(b.Chat.ID, func(r *room) { r.hint(frame{T: frameStream, Turn: b.Turn, Text: text}) })
	return "", nil
}

// Typing tells the owner's pages that an answer is being made.
func (c *Chat) Typing(_ context.Context, chat nacre.Chat) error {
	c.in(chat.ID, func(r *room) { r.hint(frame{T: frameTyping}) })
	return nil
}

// State says how many pages are open.
func (c *Chat) State() (ok bool, words string) {
	select {
	case <-c.started:
	default:
		return false, "not started"
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, r := range c.rooms {
		n += len(r.pages)
	}
	switch {
	case c.stopped:
		return false, "stopped"
	case n == 0:
		return true, "no page is open"
	case n == 1:
		return true, "1 page is open"
	}
	return true, fmt.Sprintf("%d pages are open", n)
}
