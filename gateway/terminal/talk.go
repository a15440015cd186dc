package terminal

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"time"
)

const (
	// typingWait is how long a typing sign holds; while an answer is being
	// made it comes again sooner.
	typingWait = 6 * time.Second
	// leaveWait is how long a person who leaves waits for the server to store
	// what they said.
	leaveWait = 3 * time.Second
)

const (
	greeting    = "Nacre, your assistant on this machine. /help shows what I can do, Ctrl-D leaves."
	awayNotice  = "Nacre is away. What you write is kept here and sent when it is back."
	backNotice  = "Nacre is back."
	errorNotice = "! "
)

// talk is a chat between a person at a screen and the server. One goroutine
// owns it; another waits for keys.
type talk struct {
	link    *link
	screen  *screen
	resized <-chan os.Signal // nil where the size is fixed
	size    func() (width, height int, err error)
	quiet   *time.Timer // ends the typing sign
}

func newTalk(l *link, s *screen) *talk {
	quiet := time.NewTimer(typingWait)
	quiet.Stop()
	return &talk{link: l, screen: s, quiet: quiet}
}

// run shows and sends until the person leaves or ctx ends. Then the screen is
// closed.
func (t *talk) run(ctx context.Context) error {
	t.fitScreen()
	t.screen.notice(greeting)
	messages := make(chan string)
	go t.screen.read(ctx, messages)
	for {
		select {
		case m, ok := <-messages:
			if !ok {
				t.screen.close(t.screen.open)
				return t.leave(ctx)
			}
			t.say(m)
		case e := <-t.link.events:
			if err := t.hear(e); err != nil {
				return err
			}
		case <-t.quiet.C:
			t.screen.setTyping(false)
		case <-t.resized:
			t.fitScreen()
		case <-ctx.Done():
			t.screen.close(true)
			return t.link.unsent(nil)
		}
	}
}

// fitScreen adapts to the terminal's size; some terminals say 0 for unknown.
func (t *talk) fitScreen() {
	if t.size == nil {
		return
	}
	if width, height, err := t.size(); err == nil && width > 0 {
		t.screen.resize(width, height)
	}
}

func (t *talk) say(message string) {
	if _, err := t.link.say(message); err != nil {
		t.screen.notice(errorNotice + err.Error())
	}
}

// hear shows what happened on the connection. It fails when the screen does.
func (t *talk) hear(e event) error {
	if !t.link.update(e) {
		return nil
	}
	switch {
	case e.lost:
		t.screen.setTyping(false)
		t.screen.notice(awayNotice)
	case e.frame.T == frameReady:
		t.screen.notice(backNotice)
	case e.frame.T == frameTyping:
		t.quiet.Reset(typingWait)
		t.screen.setTyping(true)
	case e.frame.T == frameError:
		t.screen.notice(errorNotice + e.frame.Text)
	case e.frame.T == framePart:
		t.screen.setTyping(false)
		if err := t.screen.show(cmp.Or(e.frame.pointer(), e.frame.words())); err != nil {
			return fmt.Errorf("show an answer: %w", err)
		}
		t.link.acknowledge(e.frame.ID)
	}
	return nil
}

// leave waits until the server has what was said, for a short while.
func (t *talk) leave(ctx context.Context) error {
	enough := time.After(leaveWait)
	for len(t.link.waiting) > 0 {
		select {
		case e := <-t.link.events:
			t.link.update(e)
		case <-enough:
			return t.link.unsent(nil)
		case <-ctx.Done():
			return t.link.unsent(nil)
		}
	}
	return nil
}
