package whatsapp

import (
	"sync"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types/events"

	"nacre"
)

// expiries are the chats whose messages disappear, and after how many seconds. What
// we write there must say so by itself. The zero value is ready.
type expiries struct {
	mu    sync.Mutex
	chats map[nacre.Chat]uint32 // guarded by mu
}

// mostExpiries is how many chats are remembered. Beyond it all are forgotten; each
// tells again with its next message.
const mostExpiries = 4096

// keep notes that messages of a chat disappear after that many seconds; 0 means
// that they stay.
func (e *expiries) keep(chat nacre.Chat, seconds uint32) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if seconds == 0 {
		delete(e.chats, chat)
		return
	}
	if e.chats == nil || len(e.chats) >= mostExpiries {
		e.chats = map[nacre.Chat]uint32{}
	}
	e.chats[chat] = seconds
}

// of is after how many seconds what is sent to a chat now disappears; 0 for never.
func (e *expiries) of(chat nacre.Chat) uint32 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.chats[chat]
}

// noteExpiry keeps what a message of somebody we know tells of its chat. Strangers get
// no room in memory.
func (l *line) noteExpiry(e *events.Message, env envelope) {
	seconds, told := expiration(e.Message)
	if !told {
		return
	}
	if m := blank(&e.Info, env); l.host.Knows(&m) {
		l.expiry.keep(env.chat, seconds)
	}
}

// expiration is what a message tells of its chat: the seconds after which messages
// disappear. False for one that does not tell, such as a reaction.
func expiration(m *waE2E.Message) (seconds uint32, told bool) {
	if p := m.GetProtocolMessage(); p != nil {
		return p.GetEphemeralExpiration(), p.GetType() == waE2E.ProtocolMessage_EPHEMERAL_SETTING
	}
	c, ok := read(unwrap(m))
	return c.context.GetExpiration(), ok && !c.quiet
}
