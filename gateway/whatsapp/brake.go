package whatsapp

import (
	"sync"
	"time"

	"go.mau.fi/whatsmeow/types"

	"nacre"
)

// How long nothing is asked of WhatsApp after it refused a message.
const (
	firstHold       = time.Minute // of the account, after "too much"; doubles
	longestHold     = time.Hour
	firstBan        = time.Hour // of the account, after "banned for a time"; doubles
	longestBan      = 24 * time.Hour
	firstChatHold   = time.Hour // of a chat in which the account may not begin; doubles
	longestChatHold = 24 * time.Hour
	tellEvery       = 24 * time.Hour // between two notices of a kind
)

// pause is a time in which nothing is asked.
type pause struct {
	until time.Time
	step  time.Duration // how long it was
}

// extend begins the next pause, twice as long as the last. While one lasts, a further
// refusal is one of a message that had left before.
func (p *pause) extend(now time.Time, first, longest time.Duration) time.Duration {
	if !now.Before(p.until) {
		p.step = min(max(first, 2*p.step), longest)
		p.until = now.Add(p.step)
	}
	return p.until.Sub(now)
}

// brakes hold back what WhatsApp would refuse. The zero value is ready.
type brakes struct {
	mu     sync.Mutex // guards all below
	all    pause
	chats  map[types.JID]pause
	locked time.Time            // until when the account may begin no chats
	told   map[string]time.Time // the latest notices
}

// left is how long nothing may be asked for a chat.
func (b *brakes) left(to types.JID) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(0, time.Until(b.all.until), time.Until(b.chats[to].until))
}

// lockedFor is how long the account may begin no chats.
func (b *brakes) lockedFor() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(0, time.Until(b.locked))
}

// lock keeps the account from beginning chats; the zero time ends that.
func (b *brakes) lock(until time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.locked = until
}

// pauseAll holds everything back, and tells for how long.
func (b *brakes) pauseAll() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all.extend(time.Now(), firstHold, longestHold)
}

// suspend holds everything back for as long as a ban may last, and tells for how long.
func (b *brakes) suspend() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all.extend(time.Now(), firstBan, longestBan)
}

// pauseChat holds back what is for one chat, and tells for how long.
func (b *brakes) pauseChat(to types.JID) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.chats[to]
	left := p.extend(time.Now(), firstChatHold, longestChatHold)
	if b.chats == nil {
		b.chats = map[types.JID]pause{}
	}
	b.chats[to] = p
	return left
}

// release notes that a message was taken: the next pause is a first one again.
func (b *brakes) release(to types.JID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.chats, to)
	if !time.Now().Before(b.all.until) {
		b.all = pause{}
	}
}

// tells reports whether a notice is to be given, as if it then is.
func (b *brakes) tells(words string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if last, ok := b.told[words]; ok && now.Sub(last) < tellEvery {
		return false
	}
	if b.told == nil {
		b.told = map[string]time.Time{}
	}
	b.told[words] = now
	return true
}

func paused(left time.Duration) error {
	return &nacre.Error{Kind: nacre.Transient, Text: "WhatsApp: sending is paused", After: left}
}
