package gatewaytest

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"nacre"
)

// Host is a gateway.Host that keeps what it is given, each message once, and
// fails when told to. Its methods may be called from any goroutine.
type Host struct {
	mu       sync.Mutex    // guards all below
	changed  chan struct{} // closed and replaced at every call of Receive
	fail     error
	offers   int
	known    map[messageKey]bool
	strange  map[nacre.Address]bool
	own      []nacre.Address
	messages []nacre.Message
	flushed  []nacre.Chat
	presses  []nacre.Press
	option   string
	refusal  error
	moves    [][2]nacre.Chat
}

type messageKey struct {
	chat     nacre.Chat
	external nacre.ExternalID
	revision int64
}

// NewHost returns a Host that stores everything.
func NewHost() *Host {
	return &Host{changed: make(chan struct{}), known: map[messageKey]bool{}, strange: map[nacre.Address]bool{}}
}

// Fail makes Receive return err and store nothing; nil mends it.
func (h *Host) Fail(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.fail = err
}

// Receive stores messages that are new.
func (h *Host) Receive(ctx context.Context, messages []nacre.Message) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.offers++
	defer func() {
		close(h.changed)
		h.changed = make(chan struct{})
	}()
	if h.fail != nil {
		return h.fail
	}
	for _, m := range messages {
		key := messageKey{m.Chat, m.External, m.Revision}
		if !h.known[key] {
			h.known[key] = true
			h.messages = append(h.messages, m)
		}
	}
	return nil
}

// Flush records the chat.
func (h *Host) Flush(chat nacre.Chat) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.flushed = append(h.flushed, chat)
}

// Offers is how often Receive was called.
func (h *Host) Offers() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.offers
}

// Messages returns what was stored, in order.
func (h *Host) Messages() []nacre.Message {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]nacre.Message(nil), h.messages...)
}

// Flushed returns the chats of every Flush, in order.
func (h *Host) Flushed() []nacre.Chat {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]nacre.Chat(nil), h.flushed...)
}

// Wait returns what was stored as soon as there are n messages. Its error is
// that of ctx.
func (h *Host) Wait(ctx context.Context, n int) ([]nacre.Message, error) {
	for {
		h.mu.Lock()
		changed, enough := h.changed, len(h.messages) >= n
		h.mu.Unlock()
		if enough {
			return h.Messages(), nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return h.Messages(), fmt.Errorf("waiting for %d messages: %w", n, ctx.Err())
		}
	}
}

// Press records a press; the option is what the test asked for with Answer.
func (h *Host) Press(_ context.Context, p nacre.Press) (string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.presses = append(h.presses, p)
	return h.option, h.refusal
}

// Answer sets what Press returns from now on.
func (h *Host) Answer(option string, refusal error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.option, h.refusal = option, refusal
}

// Presses returns every press so far.
func (h *Host) Presses() []nacre.Press {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.presses)
}

// Move records that a chat goes on elsewhere.
func (h *Host) Move(_ context.Context, from, to nacre.Chat) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.moves = append(h.moves, [2]nacre.Chat{from, to})
	return nil
}

// Knows is true for everybody but those named by Strange.
func (h *Host) Knows(m *nacre.Message) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return !h.strange[m.Author]
}

// Own makes an address the operator's.
func (h *Host) Own(_ context.Context, a nacre.Address) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.own = append(h.own, a)
	return nil
}

// Owned returns the addresses that were said to be the operator's, in order.
func (h *Host) Owned() []nacre.Address {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.own)
}

// Strange makes an address one of somebody who is not admitted.
func (h *Host) Strange(a nacre.Address) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.strange[a] = true
}

// Moves returns every move so far, from and to.
func (h *Host) Moves() [][2]nacre.Chat {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.moves)
}
