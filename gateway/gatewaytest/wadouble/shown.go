package wadouble

import (
	"slices"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
)

// Shown is a message that the phone shows.
type Shown struct {
	ID         types.MessageID
	From       types.JID // without device, by LID
	Text       string    // or the caption
	File       []byte
	MIME, Name string
	Quoted     types.MessageID // the message that it answers
	Expiration uint32          // seconds; 0 stays
	Edits      int
	Revoked    bool
}

// Shown is what the phone shows in a chat, by either identity, oldest first, each
// message once and with its edits and revocation applied.
func (a *Account) Shown(chat types.JID) (list []Shown) {
	a.server.mu.Lock()
	defer a.server.mu.Unlock()
	for _, m := range a.shown[a.server.chat(chat)] {
		list = append(list, *m)
	}
	return list
}

// show is a message, decrypted, on the phone. It returns false if it says nothing
// new.
func (a *Account) show(chat, from types.JID, id types.MessageID, m *waE2E.Message) bool {
	s := words(m)
	target := s.edits + s.revokes
	if a.seen[id] < 0 || target == "" && s.text == "" && s.file == nil {
		return false
	}
	a.seen[id] = -1
	if target == "" {
		shown := &Shown{ID: id, From: from}
		shown.say(s, a.server.media)
		a.shown[chat] = append(a.shown[chat], shown)
		return true
	}
	i := slices.IndexFunc(a.shown[chat], func(m *Shown) bool { return m.ID == target && m.From == from })
	if i < 0 {
		return true
	}
	old := a.shown[chat][i]
	if s.revokes != "" {
		old.Text, old.File, old.Revoked = "", nil, true
	} else if !old.Revoked {
		old.say(s, a.server.media)
		old.Edits++
	}
	return true
}

// say takes the words of a message. A file that cannot be opened is not shown.
func (m *Shown) say(s said, media *mediaStore) {
	m.Text = s.text
	m.Quoted, m.Expiration = s.quoted, s.expiration
	if s.file != nil {
		m.MIME, m.Name = s.mime, s.name
		m.File, _ = media.open(s.file)
	}
}
