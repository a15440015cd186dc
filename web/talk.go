package web

import (
	"context"
	"sync"
	"time"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/live"
)

const (
	usualPatience = 60  // seconds that a script waits for an answer if it does not say how long
	mostPatience  = 300 // seconds that it may wait
)

type (
	// chatRequest is a message of a script, or with an id alone a question for the
	// answer to one that it sent before.
	chatRequest struct {
		ID    string     `json:"id,omitempty"`   // the script's own, as live.SoundID wants it; empty for one of ours
		Text  string     `json:"text,omitempty"` // as on the page, commands included
		Files []enclosed `json:"files,omitempty"`
		Wait  *int       `json:"wait,omitempty"` // seconds to wait for the answer, up to mostPatience; nil: usualPatience
	}
	chatAnswer struct {
		ID string `json:"id"`
		Answer
	}
)

// sound reports what is wrong with a request, as a sentence.
func (q chatRequest) sound() error {
	switch {
	case q.ID != "" && !live.SoundID(q.ID):
		return nacre.Errorf(nacre.Invalid, "An id is 1 to 64 letters, digits and hyphens.")
	case q.Wait != nil && (*q.Wait < 0 || *q.Wait > mostPatience):
		return nacre.Errorf(nacre.Invalid, "One can wait from 0 to %d seconds for an answer.", mostPatience)
	case len(q.Text) > maxRequest:
		return nacre.Errorf(nacre.Invalid, "The message is too long; at most %d bytes are taken here.", maxRequest)
	case !q.says() && (q.ID == "" || q.Text != ""):
		return nacre.Errorf(nacre.Invalid, "The message was empty.")
	}
	return soundFiles(q.Files)
}

// says reports whether it is a message, and no question.
func (q chatRequest) says() bool { return live.Visible(q.Text) || len(q.Files) > 0 }

func (q chatRequest) patience() time.Duration {
	if q.Wait == nil {
		return usualPatience * time.Second
	}
	return time.Duration(*q.Wait) * time.Second
}

// talk is an owner's chat as scripts take part in it.
type talk struct {
	chat    *Chat
	owner   nacre.OwnerID
	history History
	still   func(context.Context) error // reports if who asks is not logged in any more
	stored  func()                      // is called once a message is, and its files are no longer needed
}

// talkRoute is where scripts talk with Nacre, in the chat of the page.
func talkRoute(c *Chat, d Desk, p *Porter) route {
	of := func(h Hand) talk {
		return talk{chat: c, owner: h.Owner, history: d.History(h), still: func(ctx context.Context) error { return p.still(ctx, h) }}
	}
	return route{"POST /api/chat", false, intake{asked(of, talk.say), make(chan struct{}, mostInside)}}
}

// say stores a message, unless one of its id is known, and waits for the answer.
func (t talk) say(ctx context.Context, q chatRequest) (chatAnswer, error) {
	if err := q.sound(); err != nil {
		return chatAnswer{}, err
	}
	if q.ID == "" {
		q.ID = nacre.NewID(time.Now())
	}
	_, err := t.history.Answer(ctx, nacre.ExternalID(q.ID))
	if nacre.KindOf(err) == nacre.NotFound && q.says() {
		err = t.chat.say(ctx, t.owner, request{T: frameSay, ID: q.ID, Text: q.Text}, q.Files)
	}
	if err != nil {
		return chatAnswer{}, err
	}
	q.Files = nil // the answer may take long
	t.stored()
	a, err := t.answer(ctx, nacre.ExternalID(q.ID), q.patience())
	if err == nil {
		err = t.still(ctx)
	}
	if err != nil {
		return chatAnswer{}, err
	}
	return chatAnswer{q.ID, a}, nil
}

// answer waits for the answer to a message; it is not done if that takes too long.
func (t talk) answer(ctx context.Context, id nacre.ExternalID, patience time.Duration) (Answer, error) {
	enough := time.After(patience)
	for {
		over := t.chat.turns.next()
		a, err := t.history.Answer(ctx, id)
		if err != nil || a.Done {
			return a, err
		}
		select {
		case <-over:
		case <-enough:
			return a, nil
		case <-ctx.Done():
			return a, ctx.Err()
		}
	}
}

// say stores a message with its files; all pages of the owner show it, also the one
// that sent it.
func (c *Chat) say(ctx context.Context, owner nacre.OwnerID, r request, files []enclosed) error {
	m := message(owner, r, time.Now())
	enclose(&m, files)
	err := c.hub.Call(func(host gateway.Host) error { return host.Receive(ctx, []nacre.Message{m}) })
	if err == nil {
		c.hub.Tell(chatOf(owner), frame{T: frameSaid, ID: r.ID, Text: r.Text, Files: fileNames(m.Attachments)})
	}
	return err
}

// turns tells who waits that turns are over.
type turns struct {
	mu   sync.Mutex
	over chan struct{} // guarded by mu; closed when the next turn is over
}

// next is closed when a turn is over that is not over yet.
func (t *turns) next() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.over
}

func (t *turns) turned() {
	t.mu.Lock()
	defer t.mu.Unlock()
	close(t.over)
	t.over = make(chan struct{})
}
