package whatsapp

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"

	"go.mau.fi/whatsmeow/types"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/markup"
)

// Each edit is a message of its own to the network, and the apps say "edited".
const (
	editEvery   = 8 * time.Second
	mostEdits   = 5                // of an answer in the making
	editTime    = 15 * time.Minute // apps leave later edits out
	mostBubbles = 64               // remembered
)

// Stream shows the beginning of an answer in a message, and then edits that. It shows
// no more than one message holds; the parts of the answer bring the rest.
func (c *Channel) Stream(ctx context.Context, b gateway.Bubble, text string) (nacre.ExternalID, error) {
	l, to, err := c.open(ctx, b.Chat)
	if err != nil {
		return b.ID, err
	}
	parts := markup.WhatsApp(text)
	if len(parts) == 0 {
		return b.ID, nil
	}
	if b.ID == "" {
		return l.begin(ctx, to, b, parts[0].Text)
	}
	return b.ID, l.goOn(ctx, to, b, parts[0].Text)
}

// begin shows the first words. If it is not known whether they arrived, the next try
// is the same message.
func (l *line) begin(ctx context.Context, to types.JID, b gateway.Bubble, text string) (nacre.ExternalID, error) {
	if wait := l.pace.spare(to); wait > 0 {
		return "", early(wait)
	}
	id := l.ids.id(string(b.Turn))
	if err := l.deliver(ctx, to, id, textMessage(text, l.memo.timer(b.Chat.ID))); err != nil {
		return "", err
	}
	l.bubbles.shown(id, text)
	return nacre.ExternalID(id), nil
}

// goOn edits a bubble, unless that shows the words already. One that another process
// began is as old as its turn at most.
func (l *line) goOn(ctx context.Context, to types.JID, b gateway.Bubble, text string) error {
	id := types.MessageID(b.ID)
	l.bubbles.adopt(id, nacre.Minted(string(b.Turn)))
	seen, ok := l.bubbles.look(id)
	switch {
	case !ok:
		return nacre.Errorf(nacre.Invalid, "WhatsApp: the message is too old for an edit")
	case seen.words == sha256.Sum256([]byte(text)):
		return nil
	case seen.edits >= mostEdits:
		return early(editTime)
	}
	wait := time.Until(seen.at.Add(editEvery))
	if wait <= 0 {
		wait = l.pace.spare(to)
	}
	if wait > 0 {
		return early(wait)
	}
	return l.edit(ctx, to, id, l.ids.id(l.client.GenerateMessageID()), text)
}

// edit makes a text what a bubble shows.
func (l *line) edit(ctx context.Context, to types.JID, bubble, id types.MessageID, text string) error {
	m := l.client.BuildEdit(to, bubble, textMessage(text, l.memo.timer(chatOf(to).ID)))
	err := l.deliver(ctx, to, id, m)
	if err == nil {
		l.bubbles.shown(bubble, text)
	}
	return err
}

func early(wait time.Duration) error {
	return &nacre.Error{Kind: nacre.Transient, Text: "too early for this chat", After: wait}
}

// bubbles remember how answers in the making look. The zero value is ready.
type bubbles struct {
	mu  sync.Mutex // guards all below
	all map[types.MessageID]glimpse
}

// glimpse is what a bubble shows.
type glimpse struct {
	began, at time.Time // the message, its latest edit
	edits     int
	words     [sha256.Size]byte
	done      bool // the answer stands
}

// look tells how a bubble looks; false for one that can be edited no more, or of
// which that is not known.
func (b *bubbles) look(id types.MessageID) (glimpse, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	g, ok := b.all[id]
	return g, ok && time.Since(g.began) < editTime
}

// isOpen reports whether a bubble shows an answer that is still being made.
func (b *bubbles) isOpen(id types.MessageID) bool {
	g, ok := b.look(id)
	return ok && !g.done
}

// close notes that the answer stands, or that something better has replaced it.
func (b *bubbles) close(id types.MessageID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if g, ok := b.all[id]; ok {
		g.done = true
		b.all[id] = g
	}
}

// adopt remembers a bubble that another process began, not before a time; unless it
// is known, or may be too old for edits. How it looks is not known.
func (b *bubbles) adopt(id types.MessageID, began time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, known := b.all[id]; !known && time.Since(began) < editTime {
		b.put(id, glimpse{began: began})
	}
}

// shown remembers what a bubble shows now.
func (b *bubbles) shown(id types.MessageID, text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	g, again := b.all[id]
	g.at, g.words = time.Now(), sha256.Sum256([]byte(text))
	if again {
		g.edits++
	} else {
		g.began = g.at
	}
	b.put(id, g)
}

func (b *bubbles) put(id types.MessageID, g glimpse) {
	if _, known := b.all[id]; !known {
		b.clear()
	}
	if b.all == nil {
		b.all = map[types.MessageID]glimpse{}
	}
	b.all[id] = g
}

// clear makes room for one more: of those that are too old, else of the oldest.
func (b *bubbles) clear() {
	if len(b.all) < mostBubbles {
		return
	}
	var oldest types.MessageID
	for id, g := range b.all {
		if time.Since(g.began) >= editTime {
			delete(b.all, id)
		} else if oldest == "" || g.began.Before(b.all[oldest].began) {
			oldest = id
		}
	}
	if len(b.all) >= mostBubbles {
		delete(b.all, oldest)
	}
}
