package whatsapp

import (
	"maps"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types/events"

	"nacre"
)

// mostTimers is how many chats whose messages disappear are remembered. Beyond it all
// are forgotten; each tells again with its next message.
const mostTimers = 4096

// keepTimer notes that messages of a chat disappear after that many seconds; 0 means
// that they stay. What we write there must say so by itself.
func (m *memo) keepTimer(chat nacre.ChatID, seconds uint32) {
	if m.timer(chat) == seconds {
		return
	}
	m.change(func(f *facts) {
		timers := maps.Clone(f.Timers) // readers have the old one
		if timers == nil || len(timers) >= mostTimers {
			timers = map[nacre.ChatID]uint32{}
		}
		timers[chat] = seconds
		if seconds == 0 {
			delete(timers, chat)
		}
		f.Timers = timers
	})
}

// timer is after how many seconds what is sent to a chat now disappears; 0 for never.
func (m *memo) timer(chat nacre.ChatID) uint32 { return m.read().Timers[chat] }

// noteExpiry keeps what a message of somebody we know tells of its chat. Strangers get
// no room in memory.
func (l *line) noteExpiry(e *events.Message, env envelope) {
	seconds, told := expiration(e.Message)
	if !told {
		return
	}
	if m := blank(&e.Info, env); l.host.Knows(&m) {
		l.memo.keepTimer(env.chat.ID, seconds)
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
