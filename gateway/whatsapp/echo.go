package whatsapp

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"
	"sync"
	"time"

	"nacre"
)

// In the chat with oneself what we send may come back as if the person had typed
// it. It is known by its id or, because that may be another one, by its words, for a
// short time.

// echoTime is how long after a send its echo may come.
const echoTime = 15 * time.Second

// echoes remembers which sends have come back already, so that one who types the
// same words is heard. The zero value is ready.
type echoes struct {
	mu   sync.Mutex
	back []echo // guarded by mu; those of the last echoTime
}

type echo struct {
	id    nacre.ExternalID
	words [sha256.Size]byte // of its chat and words
	at    time.Time
}

// take reports whether the message is an echo of one of so many sends of the same
// words, and then counts it as such.
func (e *echoes) take(this echo, sends int) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.back = slices.DeleteFunc(e.back, func(old echo) bool { return this.at.Sub(old.at) > echoTime })
	for _, old := range e.back {
		if old.words == this.words && old.id == this.id {
			return true // offered again
		}
		if old.words == this.words {
			sends--
		}
	}
	if sends > 0 {
		e.back = append(e.back, this)
	}
	return sends > 0
}

// echoed reports whether a message is one of ours that came back. Its error is that
// of the outbox.
func (c *Channel) echoed(ctx context.Context, m *nacre.Message) (bool, error) {
	if c.intake.sent.has(string(m.External)) {
		return true, nil
	}
	_, err := c.opts.Sent.SentPart(ctx, nacre.WhatsApp, m.External)
	if nacre.KindOf(err) != nacre.NotFound {
		return err == nil, err
	}
	parts, err := c.opts.Sent.SentSince(ctx, m.Chat, m.Received.Add(-echoTime))
	if err != nil {
		return false, err
	}
	words, sends := strings.TrimSpace(m.Text()), 0
	for _, p := range parts {
		if strings.TrimSpace(p.Text) == words && (p.File != nil) == (len(m.Attachments) > 0) {
			sends++
		}
	}
	this := echo{id: m.External, words: sha256.Sum256([]byte(string(m.Chat.ID) + "\x00" + words)), at: m.Received}
	return c.intake.echoes.take(this, sends), nil
}
