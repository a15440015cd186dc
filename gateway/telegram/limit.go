package telegram

import (
	"strings"
	"sync"
	"time"

	"nacre"
)

// The least time between two requests that only show how an answer is coming
// along. Telegram counts all requests for a chat together, and keeps those out
// longer and longer who do not slow down. It lets 20 messages a minute into a
// group, and says of private chats only that one a second is much.
// See https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this.
const (
	draftEvery  = 500 * time.Millisecond
	editEvery   = 1500 * time.Millisecond
	typingEvery = 4 * time.Second
	groupEvery  = 3 * time.Second // anything, in a group
)

// limiter paces the requests for each chat. A message goes at once unless
// Telegram asked for a pause; all else gives way. The zero limiter is ready,
// and may be used from many goroutines.
type limiter struct {
	mu    sync.Mutex // guards all below
	chats map[nacre.ChatID]pace
	most  int // how many chats are kept before those at rest are forgotten
}

// pace is what a chat had of us lately.
type pace struct {
	sent      time.Time // when the last message went
	shown     time.Time // when a draft, an edit or typing last went, if no message came after it
	pause     time.Time // when the pause ends that Telegram asked for
	draftless bool      // drafts are not for this chat
}

// show asks to go ahead with a request after which every must pass before the
// next of its kind. The error is Transient and says how long it is too early.
func (l *limiter) show(chat nacre.ChatID, every time.Duration) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	p, now, spacing := l.chats[chat], time.Now(), editEvery
	if isGroup(chat) {
		every, spacing = max(every, groupEvery), groupEvery
	}
	early := max(p.pause.Sub(now), p.shown.Add(every).Sub(now), p.sent.Add(min(every, spacing)).Sub(now))
	if early > 0 {
		return &nacre.Error{Kind: nacre.Transient, Text: "too early for this chat", After: early}
	}
	p.shown = now
	l.keep(chat, p, now)
	return nil
}

// send asks to go ahead with a message. The error is Transient.
func (l *limiter) send(chat nacre.ChatID) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	p, now := l.chats[chat], time.Now()
	if left := p.pause.Sub(now); left > 0 {
		return &nacre.Error{Kind: nacre.Transient, Text: "Telegram asked for a pause in this chat", After: left}
	}
	p.sent, p.shown = now, time.Time{}
	l.keep(chat, p, now)
	return nil
}

// pause keeps everything from a chat for a while.
func (l *limiter) pause(chat nacre.ChatID, d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p, now := l.chats[chat], time.Now()
	p.pause = now.Add(d)
	l.keep(chat, p, now)
}

// refuseDrafts notes that a chat takes no drafts, for as long as it is kept.
func (l *limiter) refuseDrafts(chat nacre.ChatID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.chats[chat]
	p.draftless = true
	l.keep(chat, p, time.Now())
}

func (l *limiter) takesDrafts(chat nacre.ChatID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.chats[chat].draftless
}

// keep stores a chat's pace. So that there are never many more than are busy,
// it now and then forgets those that hold nothing up any more.
func (l *limiter) keep(chat nacre.ChatID, p pace, now time.Time) {
	if len(l.chats) >= l.most {
		for id, p := range l.chats {
			if p.rests(now) {
				delete(l.chats, id)
			}
		}
		l.most = max(64, 2*len(l.chats))
	}
	if l.chats == nil {
		l.chats = map[nacre.ChatID]pace{}
	}
	l.chats[chat] = p
}

func (p pace) rests(now time.Time) bool {
	return now.After(p.pause) && now.Sub(p.sent) > typingEvery && now.Sub(p.shown) > typingEvery
}

// isGroup tells groups from private chats: Telegram gives them negative ids.
func isGroup(chat nacre.ChatID) bool { return strings.HasPrefix(string(chat), "-") }
