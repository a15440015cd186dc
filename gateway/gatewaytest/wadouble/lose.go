package wadouble

import (
	"slices"

	"go.mau.fi/whatsmeow/types"
)

// Lose makes the phone lose a message that it shows and ask the companions of its
// author for it again, as after it was restored from an old backup. They have the
// words only if they remember what they sent.
func (a *Account) Lose(chat types.JID, id types.MessageID) {
	s := a.server
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.change()
	chat = s.chat(chat)
	i := slices.IndexFunc(a.shown[chat], func(m *Shown) bool { return m.ID == id })
	if i < 0 {
		return
	}
	author := s.account(a.shown[chat][i].From)
	a.shown[chat] = slices.Delete(a.shown[chat], i, i+1)
	delete(a.seen, id)
	p := parcel{to: chat, id: id}
	if chat.Server != types.GroupServer {
		p.to = a.lid
	}
	for _, p.from = range author.companions {
		p.askAgain(a)
	}
}
