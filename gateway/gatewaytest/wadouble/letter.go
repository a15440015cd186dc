package wadouble

import (
	"time"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
)

// Opts are unusual ways to send.
type Opts struct {
	ID       types.MessageID // instead of a new one
	Device   uint16          // the person's device that sends; 0 is the phone
	ByNumber bool            // people are named by number, not by LID
	NoAlt    bool            // their other identity is not told
	NoSender bool            // nobody is named at all
	Garble   bool            // the ciphertext is damaged, but not when it is asked for again
	At       time.Time       // instead of now
	Times    int             // delivered so often; 0 is once
}

// letter is a message of a phone.
type letter struct {
	from *Account
	to   types.JID
	m    *waE2E.Message
	Opts
}

// Say sends a text from the phone to a person, by either identity, or a group.
func (a *Account) Say(to types.JID, text string) types.MessageID {
	return a.Send(to, Text(text), Opts{})
}

// Send sends a message from the phone: to a person, to the account itself, to a
// group, to status@broadcast or, as a post, to a newsletter. The account's own
// companions get it too.
func (a *Account) Send(to types.JID, m *waE2E.Message, o Opts) types.MessageID {
	s := a.server
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.change()
	if o.ID == "" {
		o.ID = s.next("3A")
	}
	if o.At.IsZero() {
		o.At = time.Now()
	}
	l := letter{a, to, m, o}
	a.wrote[o.ID] = l
	for _, reader := range s.audience(a, to) {
		reader.show(l.chat(reader), a.lid, o.ID, m)
		for _, d := range reader.companions {
			n := l.stanza(d, nil)
			for range max(1, o.Times) {
				d.deliver(n)
			}
		}
	}
	return o.ID
}

// audience is who gets what an account sends, the account itself included.
func (s *Server) audience(from *Account, to types.JID) []*Account {
	if to.Server == types.BroadcastServer || to.Server == types.NewsletterServer {
		return s.accounts
	}
	if g := s.groups[to]; g != nil {
		return g.members
	}
	if other := s.account(to); other != nil && other != from {
		return []*Account{other, from}
	}
	return []*Account{from}
}

// chat is where a reader's phone files the letter.
func (l *letter) chat(reader *Account) types.JID {
	if chat := reader.server.chat(l.to); chat != reader.lid {
		return chat
	}
	return l.from.lid
}

// stanza is the letter for a companion. With a bundle a new session is opened, as
// after the companion could not decrypt.
func (l *letter) stanza(d *companion, fresh *bundle) node {
	n := node{Tag: "message", Attrs: l.address(d)}
	n.Attrs["id"], n.Attrs["t"], n.Attrs["type"] = l.ID, l.At.Unix(), kind(l.m)
	if l.from.name != "" {
		n.Attrs["notify"] = l.from.name
	}
	switch {
	case l.to.Server == types.NewsletterServer:
		n.Content = []node{{Tag: "plaintext", Content: marshal(l.m)}}
	case l.to.Server == types.GroupServer && fresh == nil:
		n.Content = l.forGroup(d)
	case l.from == d.account && !l.toMany():
		n.Content = []node{l.encrypt(d, fresh, deviceSent(l.to, l.m))}
	default:
		n.Content = []node{l.encrypt(d, fresh, l.m)}
	}
	if l.Garble && fresh == nil {
		garble(n)
	}
	return n
}

// address names the people that a letter is from and to.
func (l *letter) address(d *companion) attrs {
	me, alt, mode, suffix := withDevice(l.from.lid, l.Device), l.from.pn, "lid", "_pn"
	if l.ByNumber {
		me, alt, mode, suffix = withDevice(l.from.pn, l.Device), l.from.lid, "pn", "_lid"
	}
	a, role := attrs{"from": me}, "sender"
	switch {
	case l.to.Server == types.NewsletterServer:
		return attrs{"from": l.to, "server_id": 100}
	case l.toMany():
		a, role = attrs{"from": l.to, "participant": me, "addressing_mode": mode}, "participant"
	case l.from == d.account:
		role = "peer_recipient"
		a["recipient"], alt = l.recipient()
	}
	if !l.NoAlt {
		a[role+suffix] = alt
	}
	if l.NoSender {
		delete(a, "from")
		delete(a, "participant")
	}
	return a
}

// toMany says whether the letter goes to a group or is a status.
func (l *letter) toMany() bool {
	return l.to.Server == types.GroupServer || l.to.Server == types.BroadcastServer
}

// recipient names who gets the letter, for the writer's own companions.
func (l *letter) recipient() (by, alt types.JID) {
	other := l.from.server.account(l.to)
	switch {
	case other == nil:
		return l.to, l.to
	case l.ByNumber:
		return other.pn, other.lid
	}
	return other.lid, other.pn
}

// kind is how the network files a message.
func kind(m *waE2E.Message) string {
	m = unwrapped(m)
	switch {
	case m.GetReactionMessage() != nil:
		return "reaction"
	case m.GetPollCreationMessageV3() != nil:
		return "poll"
	case words(m).file != nil:
		return "media"
	}
	return "text"
}

// encrypt is a message for one companion.
func (l *letter) encrypt(d *companion, fresh *bundle, m *waE2E.Message) node {
	phone := l.from.phone(l.Device)
	if fresh == nil && !phone.hasSession(d.lid()) {
		fresh = d.bundle()
	}
	encType, data, err := phone.encrypt(d.lid(), fresh, marshal(m))
	must(err)
	return enc(encType, data)
}

func enc(encType string, data []byte) node {
	return node{Tag: "enc", Attrs: attrs{"v": 2, "type": encType}, Content: data}
}

// garble damages what is encrypted, but not the keys that come with it.
func garble(n node) {
	children := n.GetChildren()
	if data, ok := children[len(children)-1].Content.([]byte); ok {
		data[len(data)-1] ^= 0xff
	}
}
