package web

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"nacre"
	"nacre/gateway/gatewaytest"
)

// answers are what became of the messages that a host stored, as a History tells.
type answers struct {
	History
	host *gatewaytest.Host

	mu  sync.Mutex
	all map[nacre.ExternalID]Answer // guarded by mu; of those that are done
}

func (a *answers) Answer(_ context.Context, id nacre.ExternalID) (Answer, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !slices.ContainsFunc(a.host.Messages(), func(m nacre.Message) bool { return m.External == id }) {
		return Answer{}, nacre.Errorf(nacre.NotFound, "there is no such message")
	}
	return a.all[id], nil
}

func (a *answers) end(id nacre.ExternalID, text string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all[id] = Answer{Done: true, Text: text}
}

// answerDesk is a Desk with answers.
type answerDesk struct {
	plainDesk
	answers *answers
}

func (d answerDesk) History(Hand) History { return d.answers }

// chatRoom is a house whose API a script uses.
type chatRoom struct {
	*house
	answers *answers
	script  *http.Client
	token   string
}

func chatting(t *testing.T, test func(*testing.T, chatRoom)) {
	bubble(t, func(t *testing.T, h *house) {
		net := gatewaytest.NewPipeNet()
		r := chatRoom{h, &answers{host: h.host, all: map[nacre.ExternalID]Answer{}}, &http.Client{Transport: &http.Transport{DialContext: net.DialContext}}, "the-token"}
		o := h.options()
		o.Desk = answerDesk{answers: r.answers}
		net.Serve(t, Public(o))
		t.Cleanup(r.script.CloseIdleConnections)
		test(t, r)
	})
}

// ask sends a request as a script.
func (r chatRoom) ask(body string) (status int, answer string) {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), "POST", gatewaytest.PipeURL+"/api/chat", strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+r.token)
	resp, err := r.script.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return resp.StatusCode, strings.TrimSpace(string(b))
}

func TestScriptTalks(t *testing.T) {
	chatting(t, func(t *testing.T, r chatRoom) {
		page, other := r.open(ann), r.open(bob)
		go func() {
			r.host.Wait(t.Context(), 1)
			time.Sleep(7 * time.Second)
			r.chat.Turned() // another's
			time.Sleep(time.Second)
			r.answers.end("s-1", "hi")
			r.chat.Turned()
		}()
		begin := time.Now()
		if status, got := r.ask(`{"id":"s-1","text":" two\nlines "}`); status != 200 || got != `{"id":"s-1","done":true,"text":"hi"}` {
			t.Errorf("the script got %d %s", status, got)
		}
		if took := time.Since(begin); took != 8*time.Second {
			t.Errorf("the answer came after %v, want it as the turn ended", took)
		}
		page.want(frame{T: frameSaid, ID: "s-1", Text: " two\nlines "})
		other.wantNone()
		m := r.host.Messages()
		if len(m) != 1 || m[0].Chat != chatOf(ann) || m[0].Author != author(ann) || !m[0].Private || m[0].Segments[0].Text != " two\nlines " {
			t.Errorf("stored is %+v", m)
		}

		if status, got := r.ask(`{"id":"s-1","text":" two\nlines "}`); status != 200 || !strings.Contains(got, `"text":"hi"`) || len(r.host.Messages()) != 1 {
			t.Errorf("asked again the script got %d %s, and %d messages are stored", status, got, len(r.host.Messages()))
		}
		if status, got := r.ask(`{"id":"s-1"}`); status != 200 || !strings.Contains(got, `"text":"hi"`) {
			t.Errorf("asked by the id the script got %d %s", status, got)
		}
		page.wantNone()
	})
}

// A token that is revoked while a script waits is good for nothing more, not even for
// the answer.
func TestRevokedScriptIsToldNothing(t *testing.T) {
	for revoked, want := range map[bool]int{true: 403, false: 200} {
		chatting(t, func(t *testing.T, r chatRoom) {
			access := r.porter().Access(Hand{Owner: ann})
			token, err := access.MakeToken(t.Context(), TokenWish{Name: "backup"})
			if err != nil {
				t.Fatal(err)
			}
			r.token = token.Token
			go func() {
				r.host.Wait(t.Context(), 1)
				time.Sleep(time.Second)
				if revoked {
					access.Revoke(t.Context(), Revocation{ID: token.ID})
				}
				r.answers.end("s-1", "the canary")
				r.chat.Turned()
			}()
			status, got := r.ask(`{"id":"s-1","text":"hi"}`)
			if status != want || strings.Contains(got, "canary") == revoked {
				t.Errorf("revoked %v: the script got %d %s, want %d", revoked, status, got, want)
			}
		})
	}
}

func TestScriptWaitsAsLongAsItWants(t *testing.T) {
	for _, c := range []struct {
		wait string
		want time.Duration
	}{
		{"", 60 * time.Second},
		{`,"wait":null`, 60 * time.Second},
		{`,"wait":0`, 0},
		{`,"wait":300`, 300 * time.Second},
	} {
		t.Run(c.wait, func(t *testing.T) {
			chatting(t, func(t *testing.T, r chatRoom) {
				begin := time.Now()
				status, got := r.ask(`{"id":"s-1","text":"hi"` + c.wait + `}`)
				if took := time.Since(begin); status != 200 || got != `{"id":"s-1","done":false,"text":""}` || took != c.want {
					t.Errorf("got %d %s after %v, want %v", status, got, took, c.want)
				}
			})
		})
	}
}

func TestScriptIsToldWhatIsWrong(t *testing.T) {
	chatting(t, func(t *testing.T, r chatRoom) {
		page := r.open(ann)
		for _, c := range []struct {
			name, body, kind string
		}{
			{"nothing", `{}`, "invalid"},
			{"blanks", `{"text":" \n\u200b"}`, "invalid"},
			{"blanks with an id", `{"id":"s-9","text":" "}`, "invalid"},
			{"an id that is none", `{"id":"s 1","text":"hi"}`, "invalid"},
			{"a long id", `{"id":"` + strings.Repeat("s", 65) + `","text":"hi"}`, "invalid"},
			{"less than no time", `{"text":"hi","wait":-1}`, "invalid"},
			{"too much time", `{"text":"hi","wait":301}`, "invalid"},
			{"the answer to what was not said", `{"id":"s-9"}`, "not_found"},
		} {
			_, got := r.ask(c.body)
			var p problem
			if err := json.Unmarshal([]byte(got), &p); err != nil || p.Kind != c.kind || p.Text == "" {
				t.Errorf("%s: %s, want %s", c.name, got, c.kind)
			}
		}
		r.host.Fail(nacre.Errorf(nacre.Transient, "the disk is full"))
		if status, got := r.ask(`{"text":"hi"}`); status != 503 || !strings.Contains(got, "the disk is full") {
			t.Errorf("where nothing can be stored: %d %s", status, got)
		}
		r.host.Fail(nil)
		if n := len(r.host.Messages()); n != 0 {
			t.Errorf("%d messages were stored", n)
		}
		page.wantNone()
		r.stop()
		if status, got := r.ask(`{"text":"hi"}`); status != 503 || !strings.Contains(got, "stopping") {
			t.Errorf("when the chat has ended: %d %s", status, got)
		}
	})
}

// A message without an id gets one, by which it can be asked for.
func TestScriptNeedsNoID(t *testing.T) {
	chatting(t, func(t *testing.T, r chatRoom) {
		status, got := r.ask(`{"text":"hi","wait":0}`)
		id := r.host.Messages()[0].External
		if status != 200 || got != `{"id":"`+string(id)+`","done":false,"text":""}` {
			t.Errorf("the script got %d %s", status, got)
		}
		r.answers.end(id, "hello")
		if status, got := r.ask(`{"id":"` + string(id) + `"}`); status != 200 || !strings.Contains(got, "hello") {
			t.Errorf("asked by the id the script got %d %s", status, got)
		}
		if _, again := r.ask(`{"text":"hi","wait":0}`); len(r.host.Messages()) != 2 {
			t.Errorf("the same words again are no message of their own: %s", again)
		}
	})
}
