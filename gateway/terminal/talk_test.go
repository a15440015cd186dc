package terminal

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
)

// seat is a person at a terminal in memory, talking to a scripted server.
type seat struct {
	t      *testing.T
	dialer *dialer
	keys   *io.PipeWriter
	screen paper
	ended  chan error
	leave  context.CancelFunc
}

func sitDown(t *testing.T, styled bool) *seat {
	t.Helper()
	reader, writer := io.Pipe()
	s := &seat{t: t, dialer: newDialer(t), keys: writer, ended: make(chan error, 1)}
	ctx, cancel := context.WithCancel(t.Context())
	s.leave = cancel
	t.Cleanup(func() { cancel(); writer.Close() })
	conn, err := s.dialer.dial(ctx)
	if err != nil {
		t.Fatal(err)
	}
	l := newLink(s.dialer.dial)
	go l.run(ctx, conn)
	go func() { s.ended <- newTalk(l, newScreen(reader, &s.screen, styled)).run(ctx) }()
	synctest.Wait()
	return s
}

func (s *seat) press(keys string) {
	s.t.Helper()
	if _, err := io.WriteString(s.keys, keys); err != nil {
		s.t.Fatalf("the chat reads no keys: %v", err)
	}
}

// want waits until all is quiet and looks for text in what was written to the
// screen since the last look.
func (s *seat) want(texts ...string) {
	s.t.Helper()
	synctest.Wait()
	got := s.screen.String()
	s.screen.reset()
	for _, text := range texts {
		if !strings.Contains(got, text) {
			s.t.Errorf("the screen got %q, want %q in it", got, text)
		}
	}
}

func (s *seat) wantNothing() {
	s.t.Helper()
	synctest.Wait()
	if got := s.screen.String(); got != "" {
		s.t.Errorf("the screen got %q, want nothing", got)
	}
}

func TestTalk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sitDown(t, true)
		server := s.dialer.next()
		s.want("\x1b[?2004h", greeting[:40], "\x1b[0;1;36m› \x1b[0m")
		s.press("hello\r")
		s.want("hello")
		id := server.wantSay("hello")
		server.send(frame{T: frameStored, ID: id})
		server.send(frame{T: frameTyping})
		s.want("… ")
		s.press("half a line")
		s.want("half a line")
		server.send(frame{T: framePart, ID: "d-1", Text: "# Hi\n**you**\x1b[2J"})
		s.want("\x1b[0;1mHi\x1b[0m\r\n\x1b[0;1myou\x1b[0m[2J\r\n", "› \x1b[0mhalf a line")
		server.want(frame{T: frameShown, ID: "d-1"})
		server.send(frame{T: framePart, ID: "d-1", Text: "# Hi"})
		server.want(frame{T: frameShown, ID: "d-1"})
		s.wantNothing()
		server.send(frame{T: frameError, ID: "x", Text: "That was refused."})
		s.want("! That was refused.")
	})
}

func TestTalkShowsShortFiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sitDown(t, false)
		server := s.dialer.next()
		s.want(greeting[:40])
		server.send(frame{T: framePart, ID: "d-1", File: "memory.md", Text: strings.Repeat("Zqx line\n", maxFileLines)})
		s.want("memory.md:", "Zqx line")
		server.want(frame{T: frameShown, ID: "d-1"})
		server.send(frame{T: framePart, ID: "d-2", File: "long.md", Text: strings.Repeat("Zqx line\n", maxFileLines+1)})
		s.want("long.md has 201 lines", "nacre memory export")
		server.want(frame{T: frameShown, ID: "d-2"})
	})
}

func TestTypingSignFades(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sitDown(t, false)
		server := s.dialer.next()
		s.want(promptReady)
		server.send(frame{T: frameTyping})
		s.want(promptTyping)
		time.Sleep(typingWait - time.Second)
		server.send(frame{T: frameTyping})
		time.Sleep(typingWait - time.Second)
		s.wantNothing()
		time.Sleep(time.Second)
		s.want(promptReady)
	})
}

func TestTalkOutlivesTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sitDown(t, false)
		server := s.dialer.next()
		s.want(promptReady)
		s.press("one\r")
		one := server.wantSay("one")
		s.dialer.up.Store(false)
		server.conn.Close()
		s.want(awayNotice)
		s.press("two\r")
		s.want("two")
		time.Sleep(time.Minute)
		s.wantNothing()
		s.dialer.up.Store(true)
		server = s.dialer.next()
		s.want(backNotice)
		if again := server.wantSay("one"); again != one {
			t.Errorf("the message came again as %s, was %s", again, one)
		}
		server.wantSay("two")
	})
}

func TestScreenFitsTheTerminal(t *testing.T) {
	for _, tc := range []struct {
		name        string
		width, want int
		err         error
	}{
		{"narrow", 20, 20, nil},
		{"unknown", 0, 80, nil},
		{"no terminal", 20, 80, errors.New("inappropriate ioctl")},
	} {
		t.Run(tc.name, func(t *testing.T) {
			k := newTalk(newLink(nil), newScreen(strings.NewReader(""), io.Discard, false))
			k.size = func() (int, int, error) { return tc.width, 24, tc.err }
			k.fitScreen()
			if got := k.screen.page().width; got != tc.want {
				t.Errorf("the width is %d, want %d", got, tc.want)
			}
		})
	}
}

func TestMessageGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sitDown(t, false)
		server := s.dialer.next()
		s.want(promptReady)
		s.press("one\\\r")
		s.want(promptMore)
		s.press("two\r")
		s.want(promptReady)
		server.wantSay("one\ntwo")
	})
}

func TestTooLongMessageIsRefusedHere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sitDown(t, false)
		server := s.dialer.next()
		s.press(pasteBegins + strings.Repeat(strings.Repeat("x", 1023)+"\r", 1025) + pasteEnds + "\r")
		s.want("! This is too long for one message")
		s.press("short\r")
		server.wantSay("short")
	})
}

func TestLeaving(t *testing.T) {
	const pasteOff = "\x1b[?2004l"
	for _, tc := range []struct {
		name string
		do   func(*seat)
		end  string // how the screen is left
	}{
		{"by Ctrl-D", func(s *seat) { s.press("\x04") }, pasteOff + "\r\n"},
		{"by Ctrl-C in a line", func(s *seat) { s.press("half\x03") }, pasteOff + "\r\n"},
		{"by /quit", func(s *seat) { s.press("/quit\r") }, pasteOff},
		{"by a lost terminal", func(s *seat) { s.keys.CloseWithError(errors.New("gone")) }, pasteOff + "\r\n"},
		{"by a signal", func(s *seat) { s.leave() }, pasteOff + "\r\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := sitDown(t, false)
				s.dialer.next()
				s.want(promptReady)
				tc.do(s)
				if err := <-s.ended; err != nil {
					t.Errorf("left with %v", err)
				}
				if got := s.screen.String(); !strings.HasSuffix(got, tc.end) {
					t.Errorf("the screen ends with %q, want %q", got, tc.end)
				}
			})
		})
	}
}

func TestLeavingWaitsForStoring(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sitDown(t, false)
		server := s.dialer.next()
		s.want(promptReady)
		s.press("last words\r\x04")
		id := server.wantSay("last words")
		time.Sleep(leaveWait - time.Second)
		synctest.Wait()
		if len(s.ended) > 0 {
			t.Fatalf("left with %v before the message was stored", <-s.ended)
		}
		server.send(frame{T: frameStored, ID: id})
		if err := <-s.ended; err != nil {
			t.Errorf("left with %v", err)
		}
	})
}

func TestLeavingTellsWhatIsUnsent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sitDown(t, false)
		s.dialer.next()
		s.want(promptReady)
		s.press("one\rtwo\r\x04")
		err := <-s.ended
		if want := "The last 2 messages may not have reached Nacre; say them again when it is back."; err == nil || err.Error() != want {
			t.Errorf("left with %v, want %q", err, want)
		}
		if nacre.KindOf(err) != nacre.Transient {
			t.Errorf("the error is %v", nacre.KindOf(err))
		}
	})
}
