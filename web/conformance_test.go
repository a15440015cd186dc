package web

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gorilla/websocket"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/gatewaytest"
	"nacre/gateway/live"
)

func TestConformance(t *testing.T) {
	gatewaytest.Conformance(t, func(t *testing.T) gatewaytest.Fixture { return newFixture(t) })
}

// fixture is a person in front of one page, which outlives the channels that it
// attaches to, as the script of the page does.
type fixture struct {
	house   *house
	door    atomic.Pointer[http.Handler]
	serving atomic.Int32 // requests

	mu      sync.Mutex // guards what follows
	conn    *websocket.Conn
	waiting []request // said, not acknowledged
	sent    int       // how many of them are on their way
	said    int
	shown   []string
	known   map[string]bool
}

func newFixture(t *testing.T) *fixture {
	f := &fixture{known: map[string]bool{}}
	f.house = &house{t: t, net: gatewaytest.NewPipeNet(), logins: newLogins()}
	f.house.net.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.serving.Add(1)
		defer f.serving.Add(-1)
		if h := f.door.Load(); h != nil {
			(*h).ServeHTTP(w, r)
		}
	}))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); f.live(ctx) }()
	t.Cleanup(func() {
		cancel()
		f.house.net.Cut()
		<-ended
		for time.Sleep(time.Millisecond); f.serving.Load() > 0; {
			time.Sleep(time.Millisecond) // of the bubble: it passes when nothing else can happen
		}
	})
	return f
}

// live keeps the page connected.
func (f *fixture) live(ctx context.Context) {
	d := websocket.Dialer{NetDialContext: f.house.net.DialContext}
	for ctx.Err() == nil {
		conn, _, err := d.DialContext(ctx, "ws://localhost/ws", http.Header{"Authorization": {"Bearer the-token"}})
		if err == nil {
			f.talk(conn)
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

func (f *fixture) talk(conn *websocket.Conn) {
	defer conn.Close()
	for {
		var in frame
		if conn.ReadJSON(&in) != nil {
			f.mu.Lock()
			f.conn = nil
			f.mu.Unlock()
			return
		}
		f.mu.Lock()
		f.take(conn, in)
		f.mu.Unlock()
	}
}

// take handles a frame. f.mu is held.
func (f *fixture) take(conn *websocket.Conn, in frame) {
	switch in.T {
	case frameReady:
		f.conn, f.sent = conn, 0
	case frameStored:
		i := slices.IndexFunc(f.waiting, func(r request) bool { return r.ID == in.ID })
		f.waiting = slices.Delete(f.waiting, i, i+1)
		f.sent--
	case framePart:
		if !f.known[in.ID] {
			f.known[in.ID] = true
			f.shown = append(f.shown, in.Text)
		}
		conn.WriteJSON(request{T: frameShown, ID: in.ID})
	}
	f.pump()
}

// pump sends as much as the window allows. f.mu is held.
func (f *fixture) pump() {
	for f.conn != nil && f.sent < min(live.Window, len(f.waiting)) {
		f.sent++
		f.conn.WriteJSON(f.waiting[f.sent-1])
	}
}

func (f *fixture) Open() gateway.Channel {
	f.house.chat = NewChat(slog.New(slog.DiscardHandler))
	door := Public(f.house.options())
	f.door.Store(&door)
	return f.house.chat
}

func (f *fixture) Chat() nacre.Chat { return chatOf(ann) }

func (f *fixture) Say(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.said++
	f.waiting = append(f.waiting, request{T: frameSay, ID: nacre.NewID(time.Now()), Text: text})
	f.pump()
}

func (f *fixture) Acknowledged() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.said - len(f.waiting)
}

func (f *fixture) Shown() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.shown)
}

func (f *fixture) Accepts(text string) bool { return text != "" && utf8.ValidString(text) }

func (f *fixture) KnowsRepeats() bool { return true }

// Break refuses: a page is attached or it is not, and that is ErrAway, which
// the tests of Send cover.
func (f *fixture) Break(gatewaytest.Trouble) bool { return false }
