package whatsapp

import (
	"cmp"
	"context"
	"sync"
	"time"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"

	"nacre"
)

const (
	againTime  = 10 * time.Second // for looking up what was sent
	settleTime = 5 * time.Second  // from the end of a send until the outbox knows of it
)

// mayGoAgain decides whether a phone that could not decrypt a message gets it again.
// The library remembers the latest that it sent, and forgetting does not reach
// there: so only what has no words, what the outbox still holds, and what it cannot
// know yet.
func (l *line) mayGoAgain(receipt *events.Receipt, id types.MessageID, _ int, m *waE2E.Message) bool {
	if wordless(m) || l.hand.has(id) || l.bubbles.isOpen(id) {
		return true
	}
	ctx, cancel := context.WithTimeout(l.life, againTime)
	defer cancel()
	_, _, err := l.sent(ctx, receipt.Chat, id)
	if err != nil {
		l.log.Info("a phone asks for a message again that is not kept", "message", id, "err", err)
	}
	return err == nil
}

// wordless reports whether a message only takes another one back.
func wordless(m *waE2E.Message) bool {
	if toSelf := m.GetDeviceSentMessage(); toSelf != nil {
		m = toSelf.GetMessage()
	}
	p := m.GetProtocolMessage()
	return p != nil && p.GetType() == waE2E.ProtocolMessage_REVOKE
}

// again is the message that a phone could not decrypt, made anew from the outbox
// because the library does not remember it; nil if its words are gone, or it held a
// file, whose key is.
func (l *line) again(_, to types.JID, id types.MessageID) *waE2E.Message {
	ctx, cancel := context.WithTimeout(l.life, againTime)
	defer cancel()
	chat := chatOf(to)
	if _, err := l.recipient(chat); err != nil {
		return nil
	}
	part, edited, err := l.sent(ctx, to, id)
	switch {
	case err != nil:
		l.log.Info("a phone asks for a message again that is not kept", "message", id, "err", err)
		return nil
	case part.File != nil:
		l.log.Info("a phone asks for a file again", "message", id)
		return nil
	}
	m := textMessage(part.Text, l.memo.timer(chat.ID))
	if edited != "" {
		m = l.client.BuildEdit(to, edited, m)
	}
	return m
}

// sent is the part that was sent to a chat under an id of ours. If it was sent as the
// edit of a message, edited is that one; the outbox knows the part by it.
func (l *line) sent(ctx context.Context, to types.JID, id types.MessageID) (part nacre.Part, edited types.MessageID, err error) {
	part, err = l.kept(ctx, to, id)
	original := l.ids.counterpart(id)
	if nacre.KindOf(err) != nacre.NotFound || original == "" {
		return part, "", err
	}
	part, err = l.kept(ctx, to, original)
	return part, original, err
}

// kept is the part that the outbox knows by an id, in the chat with somebody by
// either of their identities.
func (l *line) kept(ctx context.Context, to types.JID, id types.MessageID) (nacre.Part, error) {
	part, err := l.opts.Sent.SentPart(ctx, chatOf(to), nacre.ExternalID(id))
	if nacre.KindOf(err) != nacre.NotFound {
		return part, err
	}
	p, unread := personOf(to).completed(ctx, l.client.Store.LIDs)
	other := p.lid
	if folded(to) == p.lid {
		other = p.number
	}
	if unread != nil || other.IsEmpty() {
		return part, cmp.Or(unread, err)
	}
	return l.opts.Sent.SentPart(ctx, chatOf(other), nacre.ExternalID(id))
}

// hand holds the messages that are being sent, or just were. The zero value is ready.
type hand struct {
	mu    sync.Mutex
	until map[types.MessageID]time.Time // guarded by mu; zero while one is being sent
}

// take takes a message until a moment after release.
func (h *hand) take(id types.MessageID) (release func()) {
	h.keep(id, time.Time{})
	return func() { h.keep(id, time.Now().Add(settleTime)) }
}

// keep holds a message until a time, and lets go of those whose time is over.
func (h *hand) keep(id types.MessageID, until time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for old, until := range h.until {
		if over(until) {
			delete(h.until, old)
		}
	}
	if h.until == nil {
		h.until = map[types.MessageID]time.Time{}
	}
	h.until[id] = until
}

func (h *hand) has(id types.MessageID) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	until, ok := h.until[id]
	return ok && !over(until)
}

func over(until time.Time) bool { return !until.IsZero() && !time.Now().Before(until) }
