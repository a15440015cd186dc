package telegram

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/gatewaytest"
)

func TestSendFailures(t *testing.T) {
	refuse := func(code int, words string) gatewaytest.Fault {
		return gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: code, Words: words}
	}
	tests := []struct {
		name   string
		fault  gatewaytest.Fault
		kind   nacre.Kind // not looked at if unsure
		unsure bool
		shown  int
	}{
		{"lost after it was taken", gatewaytest.Fault{Kind: gatewaytest.DropAfter}, 0, true, 1},
		{"lost before it was taken", gatewaytest.Fault{Kind: gatewaytest.DropBefore}, 0, true, 0},
		{"cut answer", gatewaytest.Fault{Kind: gatewaytest.Truncated}, 0, true, 1},
		{"page of a web server", gatewaytest.Fault{Kind: gatewaytest.HTML}, 0, true, 0},
		{"no reason", gatewaytest.Fault{Kind: gatewaytest.NotOK}, 0, true, 0},
		{"no answer before the deadline", gatewaytest.Fault{Kind: gatewaytest.HangAfter}, 0, true, 1},
		{"gateway timeout", refuse(504, "Gateway Timeout"), 0, true, 0},
		{"server error", refuse(500, "Internal Server Error"), nacre.Transient, false, 0},
		{"bad gateway", refuse(502, "Bad Gateway"), nacre.Transient, false, 0},
		{"pause", gatewaytest.Fault{Kind: gatewaytest.Flood, Seconds: 9}, nacre.Transient, false, 0},
		{"token refused", refuse(401, "Unauthorized"), nacre.Denied, false, 0},
		{"blocked", refuse(403, "Forbidden: bot was blocked by the user"), nacre.NotFound, false, 0},
		{"no such chat", refuse(400, "Bad Request: chat not found"), nacre.NotFound, false, 0},
		{"other", refuse(400, "Bad Request: TOPIC_CLOSED"), nacre.Invalid, false, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				r.tg.Fail("sendMessage", test.fault)
				began := time.Now()
				id, err := r.send("the words")
				if err == nil || id != "" {
					t.Fatalf("Send = %q, %v", id, err)
				}
				if errors.Is(err, gateway.ErrUnsure) != test.unsure {
					t.Errorf("Send = %v, want unsure %v", err, test.unsure)
				}
				if !test.unsure && nacre.KindOf(err) != test.kind {
					t.Errorf("Send = %v, of kind %v, want %v", err, nacre.KindOf(err), test.kind)
				}
				if took := time.Since(began); took > callTime {
					t.Errorf("Send took %v", took)
				}
				if strings.Contains(err.Error(), testSecret) || strings.Contains(err.Error(), "the words") {
					t.Errorf("Send = %v, which tells too much", err)
				}
				if got := r.tg.Sent(); len(got) != test.shown {
					t.Errorf("shown %v, want %d messages", got, test.shown)
				}
				if n := len(r.tg.Calls("sendMessage")); n != 1 {
					t.Errorf("it was asked for %d times", n)
				}
				r.after(nacre.RetryAfter(err))
				if id, err := r.send("later"); err != nil || id == "" {
					t.Errorf("afterwards Send = %q, %v", id, err)
				}
			})
		})
	}
}

func TestSendPauseIsPassedOn(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.tg.Fail("sendMessage", gatewaytest.Fault{Kind: gatewaytest.Flood, Seconds: 250})
		_, err := r.send("one")
		if got := nacre.RetryAfter(err); got != 250*time.Second {
			t.Errorf("RetryAfter = %v, want 250s", got)
		}
	})
}

func TestSendWithoutConnectionIsCertain(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		if _, err := r.send("makes a connection that is kept"); err != nil {
			t.Fatal(err)
		}
		r.net.Refuse(true)
		r.net.Cut()
		r.after(time.Millisecond)
		_, err := r.send("one")
		if nacre.KindOf(err) != nacre.Transient || errors.Is(err, gateway.ErrUnsure) {
			t.Errorf("Send = %v, want transient and not unsure", err)
		}
		r.net.Refuse(false)
		if _, err := r.send("one"); err != nil {
			t.Error(err)
		}
	})
}

func TestSendCancelled(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.tg.Fail("sendMessage", gatewaytest.Fault{Kind: gatewaytest.HangAfter})
		ctx, cancel := context.WithTimeout(r.Context(), time.Second)
		defer cancel()
		_, err := r.c.Send(ctx, nacre.Delivery{Chat: annsChat, Part: nacre.Part{Text: "one"}}, false)
		if !errors.Is(err, gateway.ErrUnsure) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("cancelled while Telegram had it: %v", err)
		}
		_, err = r.c.Send(ctx, nacre.Delivery{Chat: annsChat, Part: nacre.Part{Text: "two"}}, false)
		if errors.Is(err, gateway.ErrUnsure) || nacre.KindOf(err) != nacre.Transient {
			t.Errorf("cancelled before it began: %v", err)
		}
	})
}

func TestSendInTopics(t *testing.T) {
	tests := []struct {
		name   string
		thread nacre.ThreadID
		gone   string // what Telegram says of it; empty where it is there
		want   string // thread shown in
		calls  int
	}{
		{"no topic", "", "", "", 1},
		{"topic", "77", "", "77", 1},
		{"General", "1", "", "", 1},
		{"topic that is not found", "77", "message thread not found", "", 2},
		{"deleted topic", "77", "TOPIC_DELETED", "", 2},
		{"closed topic", "77", "TOPIC_CLOSED", "", 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				if test.gone != "" {
					r.tg.Fail("sendMessage", gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: 400, Words: "Bad Request: " + test.gone})
				}
				chat := annsChat
				chat.Thread = test.thread
				if _, err := r.c.Send(r.Context(), nacre.Delivery{Chat: chat, Part: nacre.Part{Text: "one"}}, false); err != nil {
					t.Fatal(err)
				}
				if got := r.tg.Sent(); len(got) != 1 || got[0].Thread != test.want {
					t.Errorf("sent %+v, want one message in thread %q", got, test.want)
				}
				if got := len(r.tg.Calls("sendMessage")); got != test.calls {
					t.Errorf("%d calls, want %d", got, test.calls)
				}
				r.after(typingEvery)
				if err := r.c.Typing(r.Context(), chat); err != nil {
					t.Fatal(err)
				}
				if got := r.tg.Calls("sendChatAction")[0].Params["message_thread_id"]; got != string(test.thread) {
					t.Errorf("typing shows in thread %q, want %q", got, test.thread)
				}
			})
		})
	}
}

func TestSendAsks(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		id, err := r.send("a < b & c > d *not bold*")
		if err != nil {
			t.Fatal(err)
		}
		p := r.tg.Calls("sendMessage")[0].Params
		if p["link_preview_options"] != `{"is_disabled":true}` || p["parse_mode"] != "" {
			t.Errorf("asked with %v", p)
		}
		sent := r.tg.Sent()[0]
		if sent.Text != "a < b & c > d *not bold*" || sent.Chat != ann || itoa(sent.ID) != string(id) {
			t.Errorf("sent %+v, id %q", sent, id)
		}
	})
}

func TestConnectionsAreUsedAgain(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		for range 50 {
			if _, err := r.send("hello"); err != nil {
				t.Fatal(err)
			}
		}
		if n := r.net.Dials(); n != 1 {
			t.Errorf("%d connections for 50 sends one after the other", n)
		}
	})
}

func TestConnectionsAreUsedAgainAfterSlowAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := gatewaytest.NewPipeNet()
		net.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, `{"ok":true,"result":{"message_id":5}}`)
			w.(http.Flusher).Flush()
			time.Sleep(time.Millisecond) // the end comes later than the JSON
		}))
		c := New(Options{Token: testToken, API: gatewaytest.PipeURL, Dial: net.DialContext})
		for range 5 {
			if id, err := c.Send(t.Context(), nacre.Delivery{Chat: annsChat, Part: nacre.Part{Text: "one"}}, false); err != nil || id != "5" {
				t.Fatalf("Send = %q, %v", id, err)
			}
		}
		if n := net.Dials(); n != 1 {
			t.Errorf("%d connections for 5 sends one after the other", n)
		}
	})
}

// TestSendTurnedAwayOnTheWay has a server of somebody else in the place of
// Telegram's.
func TestSendTurnedAwayOnTheWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var paths []string
		net := gatewaytest.NewPipeNet()
		net.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			paths = append(paths, r.URL.Path)
			if len(paths) == 1 {
				http.Redirect(w, r, "/login", http.StatusFound)
				return
			}
			http.Error(w, "<html>the proxy wants a password</html>", http.StatusForbidden)
		}))
		c := New(Options{Token: testToken, API: gatewaytest.PipeURL, Dial: net.DialContext})
		for range 2 {
			_, err := c.Send(t.Context(), nacre.Delivery{Chat: annsChat, Part: nacre.Part{Text: "one"}}, false)
			if nacre.KindOf(err) != nacre.Transient || errors.Is(err, gateway.ErrUnsure) {
				t.Errorf("Send = %v, of kind %v, want transient", err, nacre.KindOf(err))
			}
		}
		if len(paths) != 2 || strings.Contains(paths[1], "login") {
			t.Errorf("asked for %q; a redirect was followed", paths)
		}
	})
}

// deafConn is a connection whose writes begin to fail, which nobody notices
// before the next write.
type deafConn struct {
	net.Conn
	deaf atomic.Bool
}

func (c *deafConn) Write(p []byte) (int, error) {
	if c.deaf.Load() {
		return 0, syscall.EPIPE
	}
	return c.Conn.Write(p)
}

func TestSendOverADeadConnectionIsCertain(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		var made []*deafConn
		r.c = New(Options{Token: testToken, API: gatewaytest.PipeURL, Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
			conn, err := r.net.DialContext(ctx, network, addr)
			if err != nil {
				return nil, err
			}
			made = append(made, &deafConn{Conn: conn})
			return made[len(made)-1], nil
		}})
		if _, err := r.send("one"); err != nil {
			t.Fatal(err)
		}
		made[0].deaf.Store(true)
		r.net.Refuse(true)
		if _, err := r.send("two"); nacre.KindOf(err) != nacre.Transient || errors.Is(err, gateway.ErrUnsure) {
			t.Errorf("Send = %v, want transient and not unsure: nothing could be written", err)
		}
		r.net.Refuse(false)
		if _, err := r.send("two"); err != nil || len(r.tg.Sent()) != 2 {
			t.Errorf("afterwards Send = %v, sent %v", err, r.tg.Sent())
		}
	})
}

func TestLongAnswersArrive(t *testing.T) {
	for _, n := range []int{4096, 4097, 5151, 40000} {
		inBubble(t, func(t *testing.T, r *rig) {
			text := strings.Repeat("seven. ", n/7+1)[:n]
			r.answer(nacre.Reply{Text: text})
			var all []string
			for _, s := range r.tg.Sent() {
				all = append(all, s.Text)
			}
			if got := strings.Join(all, " "); got != strings.TrimSpace(text) {
				t.Errorf("%d characters arrived as %d in %d messages", n, len(got), len(all))
			}
		})
	}
}

// TestTokenStaysInside looks for the token wherever it could come out, under
// every fault of the network.
func TestTokenStaysInside(t *testing.T) {
	faults := map[string]func(r *rig){
		"refused":   func(r *rig) { r.net.Refuse(true) },
		"dropped":   func(r *rig) { r.tg.Fail("getMe", gatewaytest.Fault{Kind: gatewaytest.DropAfter, Times: -1}) },
		"silent":    func(r *rig) { r.tg.Fail("getMe", gatewaytest.Fault{Kind: gatewaytest.Hang, Times: -1}) },
		"not found": func(r *rig) { r.tg.Fail("getMe", refuseWithToken(404)) },
		"echoed":    func(r *rig) { r.tg.Fail("getMe", refuseWithToken(500)) },
		"long echoed": func(r *rig) {
			r.tg.Fail("getMe", gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: 500, Words: strings.Repeat("é", 99) + "x" + testToken})
		},
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				fault(r)
				for _, method := range []string{"sendMessage", "sendChatAction"} {
					r.tg.Fail(method, refuseWithToken(404), gatewaytest.Fault{Kind: gatewaytest.DropAfter})
				}
				ended := r.run()
				r.after(2 * time.Minute)
				out := []string{r.log.String()}
				if !strings.Contains(out[0], "receiving failed") && name != "not found" {
					t.Errorf("nothing failed:\n%s", out[0])
				}
				for range 2 {
					_, err := r.send("one")
					out = append(out, chain(err)...)
					r.after(typingEvery)
					out = append(out, chain(r.c.Typing(r.Context(), annsChat))...)
				}
				_, words := r.c.State()
				out = append(out, words)
				select {
				case err := <-ended:
					out = append(out, chain(err)...)
				default:
				}
				if all := strings.Join(out, "\n"); strings.Contains(all, testSecret) {
					t.Errorf("the token came out:\n%s", all)
				}
			})
		})
	}
}

func refuseWithToken(code int) gatewaytest.Fault {
	return gatewaytest.Fault{Kind: gatewaytest.Refuse, Code: code, Words: "no such page: /bot" + testToken + "/x"}
}

// chain is what every error inside err says.
func chain(err error) []string {
	if err == nil {
		return nil
	}
	all := []string{err.Error()}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		all = append(all, chain(e.Unwrap())...)
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			all = append(all, chain(one)...)
		}
	}
	return all
}

func TestHide(t *testing.T) {
	a := newAPI(Options{Token: testToken})
	inner := fmt.Errorf("malformed HTTP response %q: %w", testToken, io.ErrUnexpectedEOF)
	err := a.hide(&url.Error{Op: "Post", URL: "https://example.org/bot" + testToken + "/getMe", Err: inner})
	if got, want := err.Error(), `malformed HTTP response "[token]": unexpected EOF`; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		t.Error("the cause cannot be told any more")
	}
	if errors.Unwrap(err) != nil {
		t.Error("the error with the token in it can be unwrapped")
	}
}

func TestScrubber(t *testing.T) {
	s := scrubber("12:a+b/c")
	for _, text := range []string{"12:a+b/c", "12:a+b%2Fc", "12%3Aa%2Bb%2Fc", "a+b/c"} {
		if got := s.Replace("x " + text + " y"); got != "x [token] y" {
			t.Errorf("scrubbing %q gave %q", text, got)
		}
	}
	if got := scrubber("").Replace("nothing"); got != "nothing" {
		t.Errorf("without a token %q came out", got)
	}
}
