package telegram

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"strconv"
	"sync"

	"nacre"
	"nacre/gateway"
)

// Typing shows that an answer is being made. A call that comes too early is
// Transient.
func (c *Channel) Typing(ctx context.Context, chat nacre.Chat) error {
	if err := c.limits.show(chat.ID, typingEvery); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	p := params{"chat_id": string(chat.ID), "action": "typing"}
	if chat.Thread != "" {
		p["message_thread_id"] = string(chat.Thread) // General too, unlike with messages
	}
	var done bool
	err := c.api.call(ctx, "sendChatAction", p, &done)
	if f, ok := errors.AsType[*failure](err); ok {
		return c.failed(chat.ID, f)
	}
	return err
}

// Stream shows the beginning of an answer: as a draft, which Telegram has in
// private chats, else as a message that is edited. It shows no more than one
// message holds; the parts of the answer bring the rest.
func (c *Channel) Stream(ctx context.Context, b gateway.Bubble, text string) (nacre.ExternalID, error) {
	parts := texts(text)
	if len(parts) == 0 {
		return b.ID, nil
	}
	part := parts[0]
	where := string(b.Chat.ID) + "/" + string(b.Turn)
	if c.glimpses.has(where, part.Text) {
		return b.ID, nil
	}
	id, err := b.ID, error(nil)
	if id == "" && c.takesDrafts(b.Chat.ID) {
		err = c.draft(ctx, b, part)
	} else {
		id, err = c.bubble(ctx, b, part)
	}
	if err == nil {
		c.glimpses.keep(where, part.Text)
	}
	return id, err
}

func (c *Channel) takesDrafts(chat nacre.ChatID) bool {
	return !isGroup(chat) && !c.draftless.Load() && c.limits.takesDrafts(chat)
}

// draft shows a part as a draft, which has no id and disappears when a message
// comes. A server or a chat that takes none is remembered, and the error is
// then that of a moment later, when it is shown as a message.
// See https://core.telegram.org/bots/api#sendmessagedraft.
func (c *Channel) draft(ctx context.Context, b gateway.Bubble, part nacre.Part) error {
	if err := c.limits.show(b.Chat.ID, draftEvery); err != nil {
		return err
	}
	p := glimpse(part)
	p.method, p.params["draft_id"] = "sendMessageDraft", draftID(b.Turn)
	var done bool
	err := c.ask(ctx, &b.Chat, p, &done)
	f, _ := errors.AsType[*failure](err)
	switch {
	case f != nil && f.code == 404:
		c.draftless.Store(true)
		c.log.Info("this server has no drafts; showing answers by edits")
	case refused(err, "textdraft_peer_invalid"):
		c.limits.refuseDrafts(b.Chat.ID)
	default:
		return repeatable(err)
	}
	return &nacre.Error{Kind: nacre.Transient, Text: "drafts are not taken", After: editEvery}
}

// draftID is the number that a turn's drafts have in common; it is not 0.
func draftID(turn nacre.TurnID) string {
	sum := sha256.Sum256([]byte(turn))
	return strconv.FormatUint(binary.BigEndian.Uint64(sum[:8])>>1|1, 10)
}

// bubble shows a part in a message: a new one the first time, the same
// afterwards. If it is not known whether the first arrived, there is none.
func (c *Channel) bubble(ctx context.Context, b gateway.Bubble, part nacre.Part) (nacre.ExternalID, error) {
	if err := c.limits.show(b.Chat.ID, editEvery); err != nil {
		return b.ID, err
	}
	if b.ID == "" {
		return c.send(ctx, &b.Chat, glimpse(part))
	}
	return b.ID, c.edit(ctx, &b.Chat, b.ID, glimpse(part))
}

// glimpse is a post that is not tried again without its markup: there will be
// another.
func glimpse(part nacre.Part) *post {
	p := newPost(part)
	p.plain = ""
	return p
}

// glimpses remember how the latest answers in the making look, so that none is
// shown again as it is. The zero value is ready.
type glimpses struct {
	mu   sync.Mutex // guards all below
	ring [64]struct {
		where string
		look  [sha256.Size]byte
	}
	next int
}

func (g *glimpses) has(where, text string) bool {
	look := sha256.Sum256([]byte(text))
	g.mu.Lock()
	defer g.mu.Unlock()
	for i := range g.ring {
		if g.ring[i].where == where {
			return g.ring[i].look == look
		}
	}
	return false
}

func (g *glimpses) keep(where, text string) {
	look := sha256.Sum256([]byte(text))
	g.mu.Lock()
	defer g.mu.Unlock()
	at := g.next
	for i := range g.ring {
		if g.ring[i].where == where {
			at = i
		}
	}
	if at == g.next {
		g.next = (g.next + 1) % len(g.ring)
	}
	g.ring[at].where, g.ring[at].look = where, look
}
