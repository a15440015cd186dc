// Package live is what Channels have in common whose people are connected while
// they talk. Any number of clients attach to a chat; a part goes to all of them
// and is sent when the first says that it showed it; what a client asks is
// carried out in order and answered when it is durable. Nobody is waited for: a
// client that is too slow is dropped, and comes back when it can.
//
// A Channel keeps what is its own: how frames look and how they travel.
package live

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"nacre"
	"nacre/gateway"
)

const (
	// StartWait is how long a client that came early waits for Run.
	StartWait = 10 * time.Second
	// ShowWait is how long clients may take to show a part that is no burden to
	// the connection. Those that take longer are stopped or stuck.
	ShowWait = 10 * time.Second
)

// Hub keeps the clients of a Channel that speaks in frames F.
type Hub[F any] struct {
	noun    string
	ready   F
	log     *slog.Logger
	started chan struct{} // closed by Run, after it set the next two
	ctx     context.Context
	host    gateway.Host

	mu      sync.Mutex // guards what follows
	stopped bool
	rooms   map[nacre.ChatID]*room[F] // those with clients
	serving sync.WaitGroup            // who uses host; added to under mu
}

// NewHub returns a Hub without clients. noun is what people call one, ready the
// first frame that each gets. What goes wrong with them is logged to log, never
// their words.
func NewHub[F any](noun string, ready F, log *slog.Logger) *Hub[F] {
	return &Hub[F]{noun: noun, ready: ready, log: log, started: make(chan struct{}), rooms: map[nacre.ChatID]*room[F]{}}
}

// Run lets clients attach until ctx ends; then it drops all of them, waits
// until none uses host, and returns nil. It is called once.
func (h *Hub[F]) Run(ctx context.Context, host gateway.Host) error {
	h.ctx, h.host = ctx, host
	close(h.started)
	<-ctx.Done()
	h.mu.Lock()
	h.stopped = true
	for _, r := range h.rooms {
		r.drop()
	}
	h.mu.Unlock()
	h.serving.Wait()
	return nil
}

// Attach waits for Run and then adds a client to a chat. It gets every part,
// also those that are on their way just now. The caller goes on with
// Client.Serve. login is what Logout asks for, conn is closed to drop the
// client. The error is a sentence for the person.
func (h *Hub[F]) Attach(chat nacre.Chat, login string, conn io.Closer) (*Client[F], error) {
	if err := h.await(); err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.begin(); err != nil {
		return nil, err
	}
	if h.rooms[chat.ID] == nil {
		h.rooms[chat.ID] = newRoom[F]()
	}
	c := newClient(h, chat, login, conn)
	c.Send(h.ready)
	h.rooms[chat.ID].enter(c)
	return c, nil
}

// Call waits for Run and then calls the host for somebody who is no client. The
// error is that of do, or a sentence for the person.
func (h *Hub[F]) Call(do func(gateway.Host) error) error {
	if err := h.await(); err != nil {
		return err
	}
	h.mu.Lock()
	err := h.begin()
	h.mu.Unlock()
	if err != nil {
		return err
	}
	defer h.serving.Done()
	return do(h.host)
}

// await waits for Run.
func (h *Hub[F]) await() error {
	select {
	case <-h.started:
		return nil
	case <-time.After(StartWait):
		return nacre.Errorf(nacre.Transient, "Nacre is still starting; try again in a moment.")
	}
}

// begin lets Run wait for one more who uses the host. mu is held.
func (h *Hub[F]) begin() error {
	if h.stopped {
		return nacre.Errorf(nacre.Transient, "Nacre is stopping; try again when it has started anew.")
	}
	h.serving.Add(1)
	return nil
}

// detach removes a client.
func (h *Hub[F]) detach(c *Client[F]) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.rooms[c.chat.ID].leave(c) {
		delete(h.rooms, c.chat.ID)
	}
}

// Logout drops the clients that attached with a login.
func (h *Hub[F]) Logout(login string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.rooms {
		for c := range r.clients {
			if c.login == login {
				c.drop()
			}
		}
	}
}

// in calls f with the room of a chat, unless nobody is there.
func (h *Hub[F]) in(chat nacre.Chat, f func(*room[F])) (found bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r, found := h.rooms[chat.ID]
	if found {
		f(r)
	}
	return found
}

// Send gives a part, as a frame, to every client of its chat and returns, with
// the delivery's own id, when the first has shown it. All are dropped if none
// has within patience. Where nobody is attached, or all leave or are dropped
// before one showed it, the error is gateway.ErrAway.
func (h *Hub[F]) Send(ctx context.Context, d nacre.Delivery, part F, patience time.Duration) (nacre.ExternalID, error) {
	o := offer[F]{part, make(chan error, 1)}
	if !h.in(d.Chat, func(r *room[F]) { r.offer(d.ID, o) }) {
		return "", gateway.ErrAway
	}
	for {
		select {
		case err := <-o.result:
			if err != nil {
				return "", err
			}
			return nacre.ExternalID(d.ID), nil
		case <-ctx.Done():
			late := nacre.Errorf(nacre.Transient, "the %s had not shown the part yet: %w", h.noun, ctx.Err())
			h.in(d.Chat, func(r *room[F]) { r.settle(d.ID, late) })
		case <-time.After(patience):
			h.log.Info("dropped clients that do not answer", "channel", d.Chat.Channel, "delivery", d.ID)
			h.in(d.Chat, func(r *room[F]) { r.drop() })
		}
	}
}

// Tell sends a frame to all clients of a chat.
func (h *Hub[F]) Tell(chat nacre.Chat, f F) {
	h.in(chat, func(r *room[F]) { r.tell(nil, f) })
}

// Hint gives a frame that nobody misses to the clients of a chat that have room
// for it.
func (h *Hub[F]) Hint(chat nacre.Chat, f F) {
	h.in(chat, func(r *room[F]) {
		for c := range r.clients {
			c.hint(f)
		}
	})
}

// State says how many clients are attached, as gateway.Reporter wants it.
func (h *Hub[F]) State() (ok bool, words string) {
	select {
	case <-h.started:
	default:
		return false, "not started"
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	n := 0
	for _, r := range h.rooms {
		n += len(r.clients)
	}
	switch {
	case h.stopped:
		return false, "stopped"
	case n == 0:
		return true, fmt.Sprintf("no %s is open", h.noun)
	case n == 1:
		return true, fmt.Sprintf("1 %s is open", h.noun)
	}
	return true, fmt.Sprintf("%d %ss are open", n, h.noun)
}
