package terminal

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/gateway/live"
)

// server is the other end of a link, for one connection.
type server struct {
	*peer
}

// dialer hands out connections to scripted servers; up says whether there is
// one to reach.
type dialer struct {
	t       *testing.T
	up      atomic.Bool
	servers chan server
	dialled chan time.Time
}

func newDialer(t *testing.T) *dialer {
	d := &dialer{t: t, servers: make(chan server, 100), dialled: make(chan time.Time, 100)}
	d.up.Store(true)
	return d
}

func (d *dialer) dial(context.Context) (net.Conn, error) {
	d.dialled <- time.Now()
	if !d.up.Load() {
		return nil, errors.New("nobody listens")
	}
	here, there := net.Pipe()
	s := server{&peer{t: d.t, conn: there, frames: make(chan frame, 1000)}}
	go s.listen()
	d.t.Cleanup(func() { there.Close() })
	d.servers <- s
	return here, nil
}

// next returns the server of the next connection, which says that it is ready.
func (d *dialer) next() server {
	d.t.Helper()
	s := <-d.servers
	s.send(frame{T: frameReady})
	return s
}

// wantSay waits for a message and returns its id.
func (s server) wantSay(text string) (id string) {
	s.t.Helper()
	f, ok := <-s.frames
	if !ok || f.T != frameSay || f.Text != text || !live.SoundID(f.ID) {
		s.t.Fatalf("the chat sent %+v (connected: %v), want the message %q", f, ok, text)
	}
	return f.ID
}

// startLink runs a link whose events go through update, as a chat does.
func startLink(t *testing.T, d *dialer) (l *link, heard chan event, do chan func()) {
	l = newLink(d.dial)
	heard, do = make(chan event, 100), make(chan func())
	conn, err := d.dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	go l.run(t.Context(), conn)
	go func() {
		for {
			select {
			case e := <-l.events:
				if l.update(e) {
					heard <- e
				}
			case f := <-do:
				f()
			case <-t.Context().Done():
				return
			}
		}
	}()
	return l, heard, do
}

func TestLinkSendsAgainWithTheSameIDs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDialer(t)
		l, heard, do := startLink(t, d)
		first := d.next()
		do <- func() { l.say("one"); l.say("two"); l.say("three") }
		one, two, three := first.wantSay("one"), first.wantSay("two"), first.wantSay("three")
		first.send(frame{T: frameStored, ID: one})
		first.conn.Close()
		if e := <-heard; !e.lost {
			t.Fatalf("heard %+v, want the loss", e)
		}
		do <- func() { l.say("four") }

		second := d.next()
		if e := <-heard; e.frame.T != frameReady {
			t.Fatalf("heard %+v, want that the server is back", e)
		}
		if got := second.wantSay("two"); got != two {
			t.Errorf("the second message came again as %s, was %s", got, two)
		}
		if got := second.wantSay("three"); got != three {
			t.Errorf("the third message came again as %s, was %s", got, three)
		}
		second.wantSay("four")
		synctest.Wait()
		second.wantNone()
	})
}

func TestLinkKeepsToItsWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDialer(t)
		l, _, do := startLink(t, d)
		s := d.next()
		do <- func() {
			for n := range 3 * live.Window {
				l.say(fmt.Sprint(n))
			}
		}
		var ids []string
		for n := range live.Window {
			ids = append(ids, s.wantSay(fmt.Sprint(n)))
		}
		synctest.Wait()
		s.wantNone()
		s.send(frame{T: frameStored, ID: ids[0]})
		s.wantSay(fmt.Sprint(live.Window))
		s.send(frame{T: frameError, ID: ids[1], Text: "no"})
		s.wantSay(fmt.Sprint(live.Window + 1))
		synctest.Wait()
		s.wantNone()
	})
}

func TestLinkShowsAPartOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDialer(t)
		l, heard, do := startLink(t, d)
		s := d.next()
		part := frame{T: framePart, ID: "d-1", Text: "hello"}
		s.send(part)
		if e := <-heard; e.frame != part {
			t.Fatalf("heard %+v, want the part", e)
		}
		synctest.Wait()
		s.wantNone() // it is not on the screen yet
		do <- func() { l.acknowledge("d-1") }
		s.want(frame{T: frameShown, ID: "d-1"})

		s.conn.Close()
		<-heard
		s = d.next()
		<-heard
		s.send(part)
		s.want(frame{T: frameShown, ID: "d-1"})
		s.send(frame{T: framePart, ID: "d-2", Text: "news"})
		if e := <-heard; e.frame.ID != "d-2" {
			t.Errorf("heard %+v, want only the new part", e)
		}
	})
}

func TestLinkRemembersTheLatestParts(t *testing.T) {
	l := newLink(nil)
	for n := range shownKept + 1 {
		l.acknowledge(fmt.Sprint("d-", n))
	}
	for id, want := range map[string]bool{"d-0": true, "d-1": false, fmt.Sprint("d-", shownKept): false} {
		if got := l.update(event{frame: frame{T: framePart, ID: id}}); got != want {
			t.Errorf("the part %s is shown: %v, want %v", id, got, want)
		}
	}
}

func TestLinkPausesGrow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDialer(t)
		_, heard, _ := startLink(t, d)
		s := d.next()
		time.Sleep(time.Hour)
		d.up.Store(false)
		lost := time.Now()
		s.conn.Close()
		<-heard
		time.Sleep(time.Minute)
		d.up.Store(true)
		s = d.next()
		if e := <-heard; e.frame.T != frameReady {
			t.Errorf("heard %+v, want one loss and one return", e)
		}
		<-d.dialled
		before := lost
		for n, want := range []time.Duration{1, 2, 4, 8, 16, 32, 50, 50, 50} {
			at := <-d.dialled
			if got := at.Sub(before); got != want*firstRetry {
				t.Errorf("the pause before try %d was %v, want %v", n+1, got, want*firstRetry)
			}
			before = at
		}
		for len(d.dialled) > 0 {
			<-d.dialled
		}
		time.Sleep(time.Hour)
		lost = time.Now()
		s.conn.Close()
		if got := (<-d.dialled).Sub(lost); got != firstRetry {
			t.Errorf("the first pause after a connection that lasted was %v, want %v", got, firstRetry)
		}
	})
}

// A server that takes the connection only to say that it is stopping is away,
// and is said to be so once.
func TestLinkSaysALossOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDialer(t)
		_, heard, _ := startLink(t, d)
		d.next().conn.Close()
		<-heard
		for range 3 {
			s := <-d.servers
			s.send(frame{T: frameError, Text: "stopping"})
			s.conn.Close()
		}
		synctest.Wait()
		if len(heard) != 0 {
			t.Errorf("heard %+v, want nothing more of the same loss", <-heard)
		}
		d.next()
		if e := <-heard; e.frame.T != frameReady {
			t.Errorf("heard %+v, want that the server is back", e)
		}
	})
}

func TestLinkRefusesWhatNoFrameHolds(t *testing.T) {
	l := newLink(nil)
	if _, err := l.say(strings.Repeat("x", maxLine)); nacre.KindOf(err) != nacre.Invalid {
		t.Errorf("got %v, want an Invalid error", err)
	}
	if _, err := l.say("x"); err != nil {
		t.Errorf("got %v for a short message", err)
	}
	if got := l.unsent(nil); nacre.KindOf(got) != nacre.Transient {
		t.Errorf("unsent says %v, want that one message waits", got)
	}
}

// A process that dies at random steps, before or after it stored a message or
// sent an answer, loses none and shows none twice.
func TestNothingIsLostOrDoubledWhenTheServerIsKilled(t *testing.T) {
	for seed := range uint64(30) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, seed))
				i := newInstallation(t, func(text string) string { return "re: " + text })
				lives := 8 // so that nobody waits longer than answerWait
				i.crash = func() bool {
					if lives == 0 || r.IntN(4) > 0 {
						return false
					}
					lives--
					return true
				}
				var asked, want []string
				for n := range 20 {
					asked = append(asked, fmt.Sprint("message ", n))
					want = append(want, fmt.Sprint("re: message ", n))
				}
				var out, notes paper
				err := Chat(t.Context(), Options{
					Dial: i.dial, In: strings.NewReader(strings.Join(asked, "\n")), Out: &out, Err: &notes,
					Getenv: func(string) string { return "" },
				})
				if err != nil {
					t.Errorf("Chat returned %v", err)
				}
				if !slices.Equal(i.asked, asked) {
					t.Errorf("stored %q", i.asked)
				}
				if out.String() != strings.Join(want, "\n")+"\n" {
					t.Errorf("shown:\n%s", out.String())
				}
				if lives > 0 || !strings.Contains(notes.String(), awayNotice) {
					t.Errorf("the process could have died %d times more", lives)
				}
				time.Sleep(time.Minute) // until the last process is up
			})
		})
	}
}
