package terminal

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"slices"
	"testing"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/gatewaytest"
)

func TestConformance(t *testing.T) {
	gatewaytest.Conformance(t, func(t *testing.T) gatewaytest.Fixture { return newFixture(t) })
}

// fixture is a person in front of one chat, which outlives the channels that
// it attaches to. Everything happens in one goroutine, which takes from do.
type fixture struct {
	do      chan func()
	link    *link
	channel *Channel
	said    int
	shown   []string
}

func newFixture(t *testing.T) *fixture {
	f := &fixture{do: make(chan func())}
	f.link = newLink(f.dial)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{}, 2)
	go func() { f.link.run(ctx, nil); ended <- struct{}{} }()
	go func() { f.live(ctx); ended <- struct{}{} }()
	t.Cleanup(func() { cancel(); <-ended; <-ended })
	return f
}

func (f *fixture) live(ctx context.Context) {
	for {
		select {
		case e := <-f.link.events:
			if f.link.update(e) && e.frame.T == framePart {
				f.shown = append(f.shown, e.frame.Text)
				f.link.acknowledge(e.frame.ID)
			}
		case run := <-f.do:
			run()
		case <-ctx.Done():
			return
		}
	}
}

// ask runs a function where the state belongs and waits for it.
func (f *fixture) ask(run func()) {
	done := make(chan struct{})
	f.do <- func() { run(); close(done) }
	<-done
}

func (f *fixture) dial(context.Context) (net.Conn, error) {
	var c *Channel
	f.ask(func() { c = f.channel })
	if c == nil {
		return nil, errors.New("no server")
	}
	here, there := net.Pipe()
	go c.Serve(there, there)
	return here, nil
}

func (f *fixture) Open() gateway.Channel {
	c := New(slog.New(slog.DiscardHandler))
	f.ask(func() { f.channel = c })
	return c
}

func (f *fixture) Chat() nacre.Chat { return nacre.Chat{Channel: nacre.Terminal, ID: "local"} }

func (f *fixture) Say(text string) {
	f.ask(func() {
		f.said++
		f.link.say(text)
	})
}

func (f *fixture) Acknowledged() (n int) {
	f.ask(func() { n = f.said - len(f.link.waiting) })
	return n
}

func (f *fixture) Shown() (texts []string) {
	f.ask(func() { texts = slices.Clone(f.shown) })
	return texts
}

func (f *fixture) Accepts(text string) bool { return text != "" && len([]rune(text)) <= 16_000 }

func (f *fixture) KnowsRepeats() bool { return true }

// Break refuses: a chat is attached or it is not, and that is ErrAway, which
// the tests of Send cover.
func (f *fixture) Break(gatewaytest.Trouble) bool { return false }
