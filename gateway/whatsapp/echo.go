package whatsapp

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"
	"sync"
	"time"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"

	"nacre"
)

// In the chat with oneself what we send may come back as if the person had typed
// it. It is known by its id or, because that may be another one, by its words and its
// time.

const (
	echoTime   = 5 * time.Second // between the time of a send, by our clock, and that of its echo, by the server's
	mostEchoes = 256             // sends, and echoes, that are remembered
)

// echoes remembers what was sent here, parts of answers in the making too, and what
// of it has come back, so that one who types the same words is heard. The zero value
// is ready.
type echoes struct {
	mu   sync.Mutex // guards all below
	sent []saying
	back []saying
}

// saying is that words were sent, or came, at a time.
type saying struct {
	id    types.MessageID
	words [sha256.Size]byte
	at    time.Time
}

// newSaying is that of words which may have a file with them.
func newSaying(id types.MessageID, words string, file bool, at time.Time) saying {
	words = strings.TrimSpace(words)
	if file {
		words += "\x00file"
	}
	return saying{id, sha256.Sum256([]byte(words)), at}
}

// near reports whether the same words were said at about the same time.
func (s saying) near(other saying) bool {
	return s.words == other.words && s.at.Sub(other.at).Abs() <= echoTime
}

// noted is a list with one more saying, unless that is in it.
func noted(list []saying, s saying) []saying {
	if slices.ContainsFunc(list, func(old saying) bool { return old.id == s.id && old.near(s) }) {
		return list
	}
	if len(list) >= mostEchoes {
		list = slices.Delete(list, 0, 1)
	}
	return append(list, s)
}

func count(list []saying, s saying) (n int) {
	for _, old := range list {
		if old.near(s) && old.id != s.id {
			n++
		}
	}
	return n
}

// send notes what is sent now.
func (e *echoes) send(s saying) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sent = noted(e.sent, s)
}

// take reports whether what came is an echo, and then counts it as such: it is if it
// is known to be ours, or if the same words were sent more often than they came back.
// The outbox knows of so many sends.
func (e *echoes) take(s saying, ours bool, kept int) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	echo := ours || max(kept, count(e.sent, s)) > count(e.back, s)
	if echo {
		e.back = noted(e.back, s)
	}
	return echo
}

// remember notes a message that is sent now and may come back.
func (l *line) remember(id types.MessageID, m *waE2E.Message) {
	if !l.opts.Own {
		return
	}
	m = (&events.Message{RawMessage: m}).UnwrapRaw().Message
	if p := m.GetProtocolMessage(); p != nil {
		m = p.GetEditedMessage()
	}
	if c, ok := read(unwrap(m)); ok {
		l.intake.echoes.send(newSaying(id, c.words, c.file != nil, time.Now()))
	}
}

// echoed reports whether a message is one of ours that came back. Its own id is another
// one than the message's where it is an edit. That is known by these two alone, because
// people correct themselves to what we just said. The error is that of the outbox.
func (l *line) echoed(ctx context.Context, m *nacre.Message, own types.MessageID) (bool, error) {
	s := newSaying(string(m.External), m.Text(), len(m.Attachments) > 0, m.Sent)
	ours := l.ids.made(s.id) || l.ids.made(own)
	if ours || m.Revision != 0 {
		return ours && l.intake.echoes.take(s, true, 0), nil
	}
	parts, err := l.opts.Sent.SentBetween(ctx, m.Chat, m.Sent.Add(-echoTime), m.Sent.Add(echoTime))
	if err != nil {
		return false, err
	}
	kept := 0
	for _, p := range parts {
		if newSaying("", p.Text, p.File != nil, s.at).words == s.words {
			kept++
		}
	}
	return l.intake.echoes.take(s, false, kept), nil
}
