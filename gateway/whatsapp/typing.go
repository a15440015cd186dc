package whatsapp

import (
	"context"
	"errors"
	"sync"
	"time"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/types"

	"nacre"
)

const (
	typingEvery = 8 * time.Second // apps show the sign for longer
	onlineEvery = time.Minute     // between two signs of being online
	offlineTime = 2 * time.Minute // without a turn, before the account is offline again
	signTime    = 10 * time.Second
)

// presence is what others see of the account. The zero value is ready.
type presence struct {
	mu     sync.Mutex // guards all below
	typed  map[types.JID]time.Time
	online time.Time
	leave  *time.Timer // shows the account offline; nil before it was online
}

// early is how long it is too early to type in a chat; 0 begins the next time.
func (p *presence) early(to types.JID) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if left := p.typed[to].Add(typingEvery).Sub(now); left > 0 {
		return left
	}
	for chat, at := range p.typed {
		if now.Sub(at) > typingEvery {
			delete(p.typed, chat)
		}
	}
	if p.typed == nil {
		p.typed = map[types.JID]time.Time{}
	}
	p.typed[to] = now
	return 0
}

// appear reports whether the account has to say that it is online, and has leave
// called when it typed nowhere for a while.
func (p *presence) appear(leave func()) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.leave == nil {
		p.leave = time.AfterFunc(offlineTime, leave)
	} else {
		p.leave.Reset(offlineTime)
	}
	if time.Since(p.online) < onlineEvery {
		return false
	}
	p.online = time.Now()
	return true
}

// Typing shows that an answer is being made. With the operator's own number it shows
// nothing, since it would be they who type.
func (c *Channel) Typing(ctx context.Context, chat nacre.Chat) error {
	l, to, err := c.open(ctx, chat)
	if err != nil || c.opts.Own {
		return err
	}
	if left := c.presence.early(to); left > 0 {
		return &nacre.Error{Kind: nacre.Transient, Text: "too early for this chat", After: left}
	}
	return l.compose(ctx, to)
}

// compose shows the sign of typing. Apps show it only of who is online. The error is
// Transient.
func (l *line) compose(ctx context.Context, to types.JID) error {
	if l.opts.Own {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, signTime)
	defer cancel()
	if l.presence.appear(l.Channel.disappear) {
		if err := l.show(ctx, types.PresenceAvailable); err != nil {
			return err
		}
	}
	return signError(l.client.SendChatPresence(ctx, to, types.ChatPresenceComposing, types.ChatPresenceMediaText))
}

// disappear shows the account offline, so that the phone's own notices come again.
func (c *Channel) disappear() {
	l, err := c.current()
	if err != nil {
		return // who is not connected is offline
	}
	ctx, cancel := context.WithTimeout(l.life, signTime)
	defer cancel()
	if err := l.show(ctx, types.PresenceUnavailable); err != nil {
		l.log.Debug("not shown as offline", "err", err)
	}
}

// show says whether the account is online. One without a name cannot, which does no
// harm.
func (l *line) show(ctx context.Context, p types.Presence) error {
	err := l.client.SendPresence(ctx, p)
	if errors.Is(err, whatsmeow.ErrNoPushName) {
		return nil
	}
	return signError(err)
}

func signError(err error) error {
	if err == nil {
		return nil
	}
	return &nacre.Error{Kind: nacre.Transient, Text: "WhatsApp: the sign was not shown", Err: err}
}
