package whatsapp

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"go.mau.fi/whatsmeow/types"

	"nacre"
)

// WhatsApp tells no limits and bans accounts that write like machines. These are the
// ways of a busy person.
const (
	messageEvery = 3 * time.Second        // of the account, in the long run
	burst        = 8                      // messages of the account that may go sooner
	leastGap     = 400 * time.Millisecond // between messages in a chat
	mostGap      = 1200 * time.Millisecond
	longestWait  = 30 * time.Second // longest wait inside of one send
)

// pacer spaces what the account sends. The first message after quiet goes at once.
// The zero value is ready.
type pacer struct {
	mu    sync.Mutex // guards all below
	full  time.Time  // when the whole burst is allowed again
	chats map[types.JID]time.Time
}

// slot takes the next time at which a message may go to a chat, and tells how far it
// is. One that is further than most is not taken.
func (p *pacer) slot(to types.JID, most time.Duration) (wait time.Duration, taken bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	at := latest(now, p.chats[to], p.full.Add(-(burst-1)*messageEvery))
	if wait = at.Sub(now); wait > most {
		return wait, false
	}
	p.full = latest(p.full, at).Add(messageEvery)
	p.keep(to, at.Add(leastGap+rand.N(mostGap-leastGap)), now)
	return wait, true
}

// spare takes the present moment for something that only shows how an answer comes
// along. It leaves half of the burst to messages. The wait is how long it is too
// early; 0 if it is not.
func (p *pacer) spare(to types.JID) (wait time.Duration) {
	p.mu.Lock()
	wait = time.Until(p.full.Add(-burst / 2 * messageEvery))
	p.mu.Unlock()
	if wait > 0 {
		return wait
	}
	wait, _ = p.slot(to, 0)
	return wait
}

// keep stores when a chat may have the next message. So that there are never many
// more than are busy, it forgets those that hold nothing up any more.
func (p *pacer) keep(to types.JID, next, now time.Time) {
	if len(p.chats) >= 64 {
		for chat, at := range p.chats {
			if at.Before(now) {
				delete(p.chats, chat)
			}
		}
	}
	if p.chats == nil {
		p.chats = map[types.JID]time.Time{}
	}
	p.chats[to] = next
}

func latest(t time.Time, others ...time.Time) time.Time {
	for _, o := range others {
		if o.After(t) {
			t = o
		}
	}
	return t
}

// await waits until a message may go to a chat, and types meanwhile. Its error is
// Transient.
func (l *line) await(ctx context.Context, to types.JID) error {
	wait, taken := l.pace.slot(to, longestWait)
	switch {
	case !taken:
		return &nacre.Error{Kind: nacre.Transient, Text: "WhatsApp: other messages go first", After: wait}
	case wait <= 0:
		return nil
	}
	if err := l.compose(ctx, to); err != nil {
		l.log.Debug("typing not shown", "err", err)
	}
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return &nacre.Error{Kind: nacre.Transient, Text: "WhatsApp: cut off while waiting to send", Err: ctx.Err()}
	}
}
