package web

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/live"
)

// bubble runs a test with a house in it.
func bubble(t *testing.T, test func(*testing.T, *house)) {
	synctest.Test(t, func(t *testing.T) { test(t, newHouse(t)) })
}

func TestAcknowledgesAfterStoring(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		h.host.Fail(nacre.Errorf(nacre.Transient, "the disk is full"))
		p := h.open(ann)
		p.say("a-1", " two\nlines ")
		p.wantNone()
		h.host.Fail(nil)
		p.want(frame{T: frameStored, ID: "a-1"})

		m := h.host.Messages()[0]
		if m.Chat != (nacre.Chat{Channel: nacre.Web, ID: "owner-ann"}) || m.Author != (nacre.Address{Channel: nacre.Web, ID: "owner-ann"}) || !m.Private {
			t.Errorf("the message is of %v in %v, private %v", m.Author, m.Chat, m.Private)
		}
		if want := []nacre.Segment{{Provenance: nacre.ByOwner, Text: " two\nlines "}}; m.External != "a-1" || !slices.Equal(m.Segments, want) {
			t.Errorf("the message is %q %q, want %q", m.External, m.Segments, want)
		}
	})
}

func TestRefusedMessageSaysWhy(t *testing.T) {
	for _, tc := range []struct {
		name string
		err  error
		want string
	}{
		{"for a reason", nacre.Errorf(nacre.Denied, "Only owners may speak here."), "Only owners may speak here."},
		{"by a fault", errors.New("row 7: secret words"), "Nacre could not store this; its log says why."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, h *house) {
				p := h.open(ann)
				h.host.Fail(tc.err)
				p.say("a-1", "bad")
				p.want(frame{T: frameError, ID: "a-1", Text: tc.want})
				h.host.Fail(nil)
				p.say("a-2", "good")
				p.want(frame{T: frameStored, ID: "a-2"})
			})
		})
	}
}

func TestResentMessageIsStoredOnce(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		p := h.open(ann)
		p.say("a-1", "hello")
		p.want(frame{T: frameStored, ID: "a-1"})
		p.conn.Close()
		p = h.open(ann)
		p.say("a-1", "hello")
		p.want(frame{T: frameStored, ID: "a-1"})
		p.say("a-2", "hello")
		p.want(frame{T: frameStored, ID: "a-2"})
		if n := len(h.host.Messages()); n != 2 {
			t.Errorf("%d messages were stored, want 2", n)
		}
	})
}

func TestTwoPagesAreInStep(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		one, two, other := h.open(ann), h.open(ann), h.open(bob)
		synctest.Wait()
		if ok, words := h.chat.State(); !ok || words != "3 pages are open" {
			t.Errorf("State says %v %q", ok, words)
		}
		if got := h.host.Flushed(); !slices.Equal(got, []nacre.Chat{chatOf(ann), chatOf(ann), chatOf(bob)}) {
			t.Errorf("flushed %v, want each chat when somebody comes", got)
		}
		one.say("a-1", "hello")
		one.want(frame{T: frameStored, ID: "a-1"})
		two.want(frame{T: frameSaid, ID: "a-1", Text: "hello"})

		sent := h.send(delivery(ann, "d-1", "**hi**"), false)
		one.want(frame{T: framePart, ID: "d-1", Text: "**hi**"})
		two.want(frame{T: framePart, ID: "d-1", Text: "**hi**"})
		two.shown("d-0")
		other.shown("d-1")
		synctest.Wait()
		if len(sent) > 0 {
			t.Fatalf("Send returned %v before the part was shown", <-sent)
		}
		two.shown("d-1")
		if err := <-sent; err != nil {
			t.Errorf("Send: %v", err)
		}
		one.wantNone()
		other.wantNone()
	})
}

func TestPartWithAllThatItCanHold(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		p := h.open(ann)
		d := delivery(ann, "d-1", "Which?")
		d.Part.Question, d.Part.Options = "q-1", []string{"this", "that"}
		d.Part.File = &nacre.File{Name: "a.txt", MIME: "text/plain", Data: []byte("\x00data")}
		sent := h.send(d, true)
		p.want(frame{T: framePart, ID: "d-1", Text: "Which?", Question: "q-1", Options: []string{"this", "that"}, File: d.Part.File, Repeat: true})
		p.shown("d-1")
		if err := <-sent; err != nil {
			t.Errorf("Send: %v", err)
		}
	})
}

func TestStuckPagesAreDropped(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		p, other := h.open(ann), h.open(bob) // p takes frames and acknowledges none
		begin := time.Now()
		if err := <-h.send(delivery(ann, "d-1", "hi"), false); !errors.Is(err, gateway.ErrAway) {
			t.Errorf("Send returned %v", err)
		}
		if got := time.Since(begin); got != live.ShowWait {
			t.Errorf("given up after %v, want %v", got, live.ShowWait)
		}
		p.wantEnd()
		other.say("b-1", "still here")
		other.want(frame{T: frameStored, ID: "b-1"})
	})
}

func TestLargeFilesGetMoreTime(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		p := h.open(ann)
		d := delivery(ann, "d-1", "")
		d.Part.File = &nacre.File{Name: "a", Data: make([]byte, 3<<20)}
		begin, sent := time.Now(), h.send(d, false)
		time.Sleep(50 * time.Second)
		p.shown("d-1")
		if err := <-sent; err != nil || time.Since(begin) != 50*time.Second {
			t.Errorf("Send returned %v after %v", err, time.Since(begin))
		}
	})
}

func TestSlowPageIsDroppedAndOthersAreNot(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		slow, quick := h.deaf(h.logIn(ann)), h.open(ann)
		synctest.Wait()
		begin := time.Now()
		for n := range 2 * live.Queue {
			id := strings.Repeat("x", n%60+1) + "-" + strings.Repeat("y", n/60)
			sent := h.send(delivery(ann, id, "hi"), false)
			quick.want(frame{T: framePart, ID: id, Text: "hi"})
			quick.shown(id)
			if err := <-sent; err != nil {
				t.Fatalf("Send: %v", err)
			}
		}
		synctest.Wait()
		if _, words := h.chat.State(); words != "1 page is open" || time.Since(begin) > 0 {
			t.Errorf("State says %q after %v, want the quick page alone, at once", words, time.Since(begin))
		}
		go slow.listen()
		slow.wantEnd()
	})
}

func TestSilentPageIsDropped(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		h.deaf(h.logIn(ann)) // answers no pings, since it reads nothing
		quick := h.open(bob)
		time.Sleep(2 * quietWait)
		synctest.Wait()
		if _, words := h.chat.State(); words != "1 page is open" {
			t.Errorf("State says %q, want the page that answers pings alone", words)
		}
		quick.say("b-1", "hi")
		quick.want(frame{T: frameStored, ID: "b-1"})
	})
}

func TestAnswerIsShownWhileItIsMade(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		ctx, b := t.Context(), gateway.Bubble{Chat: chatOf(ann), Turn: "t-1"}
		if id, err := h.chat.Stream(ctx, b, "to nobody"); id != "" || err != nil {
			t.Errorf("Stream to nobody returned %q, %v", id, err)
		}
		one, two, other, deaf := h.open(ann), h.open(ann), h.open(bob), h.deaf(h.logIn(ann))
		for range 2 * live.Queue {
			h.chat.Typing(ctx, chatOf(ann))
			h.chat.Stream(ctx, b, "Once upon")
			for _, p := range []*tab{one, two} {
				p.want(frame{T: frameTyping})
				p.want(frame{T: frameStream, Turn: "t-1", Text: "Once upon"})
			}
		}
		other.wantNone()
		go deaf.listen()
		deaf.wantReady(ann) // it was not dropped for what it missed
	})
}

func TestPress(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		one, two, other := h.open(ann), h.open(ann), h.open(bob)
		h.host.Answer("that", nil)
		one.send(map[string]any{"t": "press", "question": "q-1", "option": 1})
		for _, p := range []*tab{one, two} {
			p.want(frame{T: frameChosen, Question: "q-1", Text: "that"})
		}
		want := nacre.Press{Author: nacre.Address{Channel: nacre.Web, ID: "owner-ann"}, Chat: chatOf(ann), Private: true, Question: "q-1", Option: 1}
		if got := h.host.Presses(); len(got) != 1 || got[0] != want {
			t.Errorf("the host got %+v, want %+v", got, want)
		}
		h.host.Answer("", nacre.Errorf(nacre.NotFound, "This question is no longer open."))
		other.send(map[string]any{"t": "press", "question": "q-1", "option": 1})
		other.want(frame{T: frameError, Question: "q-1", Text: "This question is no longer open."})
		one.wantNone()
	})
}

func TestStrangeFramesAreAnswered(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		p := h.open(ann)
		for _, c := range []struct{ name, frame, id, text string }{
			{"no JSON", "hello", "", errStrange().Error()},
			{"unknown", `{"t":"drop","id":"a-1"}`, "a-1", errStrange().Error()},
			{"no id", `{"t":"say","text":"hello"}`, "", errStrange().Error()},
			{"bad id", `{"t":"say","id":"a b","text":"hello"}`, "", errStrange().Error()},
			{"empty", `{"t":"say","id":"a-1","text":" \u200b"}`, "a-1", "The message was empty."},
			{"no question", `{"t":"press","option":1}`, "", errStrange().Error()},
		} {
			if err := p.conn.WriteMessage(1, []byte(c.frame)); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			p.want(frame{T: frameError, ID: c.id, Text: c.text})
		}
		p.say("a-2", "hello")
		p.want(frame{T: frameStored, ID: "a-2"})
		if got := h.host.Offers(); got != 1 {
			t.Errorf("the host was asked %d times, want 1", got)
		}
	})
}

func TestTooLongFrameEndsThePage(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		p := h.open(ann)
		around := len(`{"t":"say","id":"a-1","text":""}`)
		for _, c := range []struct {
			length int
			fits   bool
		}{{maxRequest, true}, {maxRequest + 1, false}} {
			line := `{"t":"say","id":"a-1","text":"` + strings.Repeat("x", c.length-around) + `"}`
			err := p.conn.WriteMessage(1, []byte(line)) // the server reads no more than it must
			if c.fits && err == nil {
				p.want(frame{T: frameStored, ID: "a-1"})
			} else {
				p.wantEnd()
			}
		}
		if n := h.host.Offers(); n != 1 {
			t.Errorf("the host was offered %d messages, want the one that fits", n)
		}
	})
}

func TestLogoutClosesThePagesOfTheBrowser(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		cookie := h.logIn(ann)
		one := h.deaf(cookie)
		go one.listen()
		other := h.open(ann)
		if resp := h.post("/logout", cookie); resp.StatusCode != 303 || resp.Header.Get("Location") != "/login" || resp.Cookies()[0].MaxAge >= 0 {
			t.Errorf("logout was answered with %s, %v", resp.Status, resp.Header)
		}
		one.wantEnd()
		if resp := h.post("/logout", cookie); resp.StatusCode != 401 {
			t.Errorf("the cookie still works: %s", resp.Status)
		}
		other.say("a-1", "another browser of mine")
		other.want(frame{T: frameStored, ID: "a-1"})
	})
}

// A logout between the look at a page's cookie and its arrival reaches it, too.
func TestLogoutWhileAPageArrives(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		cookie := h.logIn(ann)
		h.logins.mu.Lock()
		h.logins.once = true
		h.logins.mu.Unlock()
		p := h.deaf(cookie)
		go p.listen()
		p.wantEnd()
	})
}

func TestRunEnds(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		p, cookie := h.open(ann), h.logIn(ann)
		h.stop()
		p.wantEnd()
		if ok, words := h.chat.State(); ok || words != "stopped" {
			t.Errorf("State says %v %q", ok, words)
		}
		late := h.deaf(cookie)
		go late.listen()
		late.want(frame{T: frameError, Text: "Nacre is stopping; try again when it has started anew."})
		late.wantEnd()
	})
}
