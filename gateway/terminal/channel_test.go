package terminal

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/live"
)

func TestAcknowledgesAfterStoring(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := make(chan struct{})
		h := &host{receive: func(nacre.Message) error { <-disk; return nil }}
		c, _ := runChannel(t, h)
		p := attach(t, c)

		p.send(frame{T: frameSay, ID: "a-1", Text: "hello"})
		synctest.Wait()
		p.wantNone()
		close(disk)
		p.want(frame{T: frameStored, ID: "a-1"})
	})
}

func TestMessageOfALine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &host{}
		c, _ := runChannel(t, h)
		p := attach(t, c)
		p.send(frame{T: frameSay, ID: "a-1", Text: " two\nlines "})
		p.want(frame{T: frameStored, ID: "a-1"})

		m := h.stored[0]
		if m.Chat != (nacre.Chat{Channel: nacre.Terminal, ID: "local"}) || m.External != "a-1" || m.Revision != 0 {
			t.Errorf("the message is %v %q revision %d", m.Chat, m.External, m.Revision)
		}
		if m.Author != nacre.LocalAddress(nacre.Terminal) || !m.Private {
			t.Errorf("the author is %v, private %v", m.Author, m.Private)
		}
		if !m.Sent.Equal(time.Now()) || !m.Received.Equal(time.Now()) {
			t.Errorf("sent %v, received %v, want now", m.Sent, m.Received)
		}
		want := []nacre.Segment{{Provenance: nacre.ByOwner, Text: " two\nlines "}}
		if !slices.Equal(m.Segments, want) {
			t.Errorf("the segments are %q, want %q", m.Segments, want)
		}
	})
}

func TestRefusedMessageSaysWhy(t *testing.T) {
	for _, tc := range []struct {
		name string
		err  error
		want string
	}{
		{"for a reason", errors.Join(errors.New("admit"), nacre.Errorf(nacre.Denied, "Only the operator may speak here.")), "Only the operator may speak here."},
		{"by a fault", errors.New("ledger: row 7: secret words"), "Nacre could not store this message; its log says why."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := &host{receive: func(m nacre.Message) error {
					if m.Text() == "bad" {
						return tc.err
					}
					return nil
				}}
				c, _ := runChannel(t, h)
				p := attach(t, c)
				p.send(frame{T: frameSay, ID: "a-1", Text: "bad"})
				p.want(frame{T: frameError, ID: "a-1", Text: tc.want})
				p.send(frame{T: frameSay, ID: "a-2", Text: "good"})
				p.want(frame{T: frameStored, ID: "a-2"})
				if h.offered != 2 {
					t.Errorf("the host was asked %d times, want 2", h.offered)
				}
			})
		})
	}
}

func TestSend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &host{}
		c, _ := runChannel(t, h)
		synctest.Wait()

		if ok, words := c.State(); !ok || words != "no chat is open" || c.Name() != nacre.Terminal {
			t.Errorf("State of %s says %v %q", c.Name(), ok, words)
		}
		if _, err := c.Send(t.Context(), delivery("d-1", "hello"), false); !errors.Is(err, gateway.ErrAway) {
			t.Fatalf("Send to nobody returned %v, want ErrAway", err)
		}
		one, two := attach(t, c), attach(t, c)
		synctest.Wait()
		if ok, words := c.State(); !ok || words != "2 chats are open" {
			t.Errorf("State says %v %q", ok, words)
		}
		if !slices.Equal(h.flushed, []nacre.Chat{localChat, localChat}) {
			t.Errorf("flushed %v, want the chat each time somebody comes", h.flushed)
		}

		sent := goSend(t.Context(), c, delivery("d-1", "hello"))
		one.want(frame{T: framePart, ID: "d-1", Text: "hello"})
		two.want(frame{T: framePart, ID: "d-1", Text: "hello"})
		synctest.Wait()
		sent.wantNone(t)
		two.send(frame{T: frameShown, ID: "d-0"})
		synctest.Wait()
		sent.wantNone(t)
		two.send(frame{T: frameShown, ID: "d-1"})
		sent.want(t, nil)
	})
}

func TestStuckChatIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := runChannel(t, &host{})
		p := attach(t, c) // takes frames and acknowledges none
		begin := time.Now()
		sent := goSend(t.Context(), c, delivery("d-1", "hello"))
		sent.want(t, gateway.ErrAway)
		if got := time.Since(begin); got != live.ShowWait {
			t.Errorf("given up after %v, want %v", got, live.ShowWait)
		}
		p.wantEnd()
	})
}

func TestSlowChatIsDroppedAndOthersAreNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := runChannel(t, &host{})
		begin := time.Now()
		slow, quick := attachDeaf(t, c), attach(t, c)
		synctest.Wait()
		for n := range 2 * live.Queue {
			id := string(rune('a'+n%26)) + strings.Repeat("x", n/26)
			sent := goSend(t.Context(), c, delivery(id, "hello"))
			quick.want(frame{T: framePart, ID: id, Text: "hello"})
			quick.send(frame{T: frameShown, ID: id})
			sent.want(t, nil)
		}
		if err := <-slow.served; err != nil {
			t.Errorf("Serve returned %v for a slow chat, want nil", err)
		}
		if waited := time.Since(begin); waited > 0 {
			t.Errorf("the slow chat was waited for, %v", waited)
		}
		if _, words := c.State(); words != "1 chat is open" {
			t.Errorf("State says %q, want the quick chat alone", words)
		}
	})
}

func TestDeafChatIsDroppedInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := runChannel(t, &host{})
		begin := time.Now()
		deaf := attachDeaf(t, c)
		<-deaf.served
		if got := time.Since(begin); got != writeWait {
			t.Errorf("dropped after %v, want %v", got, writeWait)
		}
	})
}

func TestTypingIsAHint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := runChannel(t, &host{})
		synctest.Wait()
		if err := c.Typing(t.Context(), localChat); err != nil {
			t.Errorf("Typing to nobody returned %v", err)
		}
		p, deaf := attach(t, c), attachDeaf(t, c)
		synctest.Wait()
		for range 2 * live.Queue {
			c.Typing(t.Context(), localChat)
			p.want(frame{T: frameTyping})
		}
		go deaf.listen()
		deaf.want(frame{T: frameReady}) // it was not dropped for what it missed
	})
}

func TestRunEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &host{}
		c, stop := runChannel(t, h)
		p := attach(t, c)
		stop()
		p.wantEnd()
		if ok, words := c.State(); ok || words != "stopped" {
			t.Errorf("State says %v %q", ok, words)
		}
		late := attachDeaf(t, c)
		go late.listen()
		late.want(frame{T: frameError, Text: "Nacre is stopping; try again when it has started anew."})
		if err := <-late.served; nacre.KindOf(err) != nacre.Transient {
			t.Errorf("Serve returned %v after Run, want a Transient error", err)
		}
	})
}

// The handler of the socket has read the request through a buffer, which may
// hold the first frames; and the HTTP server's deadlines are still set.
func TestServeTakesOverAConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &host{}
		c, _ := runChannel(t, h)
		here, there := net.Pipe()
		there.SetDeadline(time.Now().Add(time.Second))
		p := &peer{t: t, conn: here, frames: make(chan frame, 10), served: make(chan error, 1)}
		early := strings.NewReader(`{"t":"say","id":"a-1","text":"early"}` + "\n")
		go func() { p.served <- c.Serve(there, readers{early, there}) }()
		go p.listen()
		p.want(frame{T: frameReady})
		p.want(frame{T: frameStored, ID: "a-1"})
		time.Sleep(time.Minute)
		p.send(frame{T: frameSay, ID: "a-2", Text: "late"})
		p.want(frame{T: frameStored, ID: "a-2"})
		here.Close()
		p.wantEnd()
	})
}

// readers reads the first until it is empty, then the second.
type readers struct {
	first  *strings.Reader
	second net.Conn
}

func (r readers) Read(p []byte) (int, error) {
	if r.first.Len() > 0 {
		return r.first.Read(p)
	}
	return r.second.Read(p)
}

// sending is a call of Send that runs.
type sending chan sendResult

type sendResult struct {
	id  nacre.ExternalID
	err error
}

func goSend(ctx context.Context, c *Channel, d nacre.Delivery) sending {
	s := make(sending, 1)
	go func() {
		id, err := c.Send(ctx, d, false)
		if err == nil && string(id) != string(d.ID) {
			err = errors.New("Send returned the id " + string(id))
		}
		s <- sendResult{id, err}
	}()
	return s
}

func (s sending) want(t *testing.T, want error) {
	t.Helper()
	if got := <-s; !errors.Is(got.err, want) {
		t.Fatalf("Send returned %v, want %v", got.err, want)
	}
}

func (s sending) wantNone(t *testing.T) {
	t.Helper()
	select {
	case r := <-s:
		t.Fatalf("Send returned %q, %v too early", r.id, r.err)
	default:
	}
}
