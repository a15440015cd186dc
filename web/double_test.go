package web

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"nacre"
	"nacre/gateway/gatewaytest"
)

const (
	ann = nacre.OwnerID("owner-ann") // the operator
	bob = nacre.OwnerID("owner-bob")
)

// keptLogins are Logins and Passwords in memory.
type keptLogins struct {
	mu        sync.Mutex
	kept      map[string]nacre.Login // guarded by mu; by kind and tag
	passwords []nacre.Password       // guarded by mu
	once      bool                   // guarded by mu; each is good for one look
}

func newLogins() *keptLogins { return &keptLogins{kept: map[string]nacre.Login{}} }

func (l *keptLogins) PutLogin(_ context.Context, g nacre.Login, tag []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept[string(g.Kind)+string(tag)] = g
	return nil
}

func (l *keptLogins) Login(_ context.Context, kind nacre.LoginKind, tag []byte) (nacre.Login, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	g, ok := l.kept[string(kind)+string(tag)]
	if l.once {
		delete(l.kept, string(kind)+string(tag))
	}
	if !ok || !g.Expires.IsZero() && !time.Now().Before(g.Expires) {
		return nacre.Login{}, errNone
	}
	return g, nil
}

var errNone = nacre.Errorf(nacre.NotFound, "used up or too old")

func (l *keptLogins) UseLink(ctx context.Context, tag []byte) (nacre.OwnerID, error) {
	g, err := l.Login(ctx, nacre.LoginLink, tag)
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.kept, string(nacre.LoginLink)+string(tag))
	return g.Owner, err
}

func (l *keptLogins) SeeLogin(_ context.Context, id nacre.LoginID, expires time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, g := range l.kept {
		if g.ID == id {
			g.Seen, g.Expires = time.Now(), expires
			l.kept[key] = g
		}
	}
	return nil
}

func (l *keptLogins) Logins(_ context.Context, owner nacre.OwnerID) (list []nacre.Login, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, g := range l.kept {
		if g.Owner == owner && g.Kind != nacre.LoginLink {
			list = append(list, g)
		}
	}
	slices.SortFunc(list, func(a, b nacre.Login) int { return b.Made.Compare(a.Made) })
	return list, nil
}

func (l *keptLogins) DropLogin(_ context.Context, owner nacre.OwnerID, id nacre.LoginID) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, g := range l.kept {
		if g.Owner == owner && g.ID == id {
			delete(l.kept, key)
			return nil
		}
	}
	return errNone
}

func (l *keptLogins) PutPassword(_ context.Context, p nacre.Password) error {
	l.DropPassword(context.Background(), p.Owner)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.passwords = append(l.passwords, p)
	return nil
}

func (l *keptLogins) DropPassword(_ context.Context, owner nacre.OwnerID) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.passwords = slices.DeleteFunc(l.passwords, func(p nacre.Password) bool { return p.Owner == owner })
	return nil
}

func (l *keptLogins) Passwords(context.Context) ([]nacre.Password, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.passwords), nil
}

// forget ends all logins.
func (l *keptLogins) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.kept)
}

// plainDesk is a Desk that is well, as far as tests ask it.
type plainDesk struct{ Desk }

func (plainDesk) Status(context.Context) (Status, error) { return Status{Version: "v1"}, nil }
func (plainDesk) Pair(_ context.Context, code string) (string, error) {
	return "paired " + code, nil
}
func (plainDesk) Login(context.Context, Hand) (string, error) {
	return "http://localhost/login#s", nil
}
func (plainDesk) LinkWhatsApp(_ context.Context, phone string, show func(nacre.LinkStep)) error {
	show(nacre.LinkStep{Account: "linked " + phone})
	return nil
}
func (plainDesk) UnlinkWhatsApp(context.Context) error { return nil }
func (plainDesk) Memory(h Hand) Memory                 { return echoMemory{hand: h} }
func (plainDesk) Jobs(Hand) Jobs                       { return echoJobs{} }

// house is a Nacre with its pages on a network in memory.
type house struct {
	t      *testing.T
	net    *gatewaytest.PipeNet
	host   *gatewaytest.Host
	logins *keptLogins
	chat   *Chat
	web    *http.Client
	stop   func() // ends the chat and waits for that
}

// open returns the Options of a house's door, for tests to change.
func (h *house) options() Options {
	site, err := NewSite(Serving{Listen: "localhost:80"})
	if err != nil {
		h.t.Fatal(err)
	}
	return Options{Desk: plainDesk{}, Chat: h.chat, Porter: h.porter(), Operator: func() nacre.OwnerID { return ann },
		Site: site, Token: "the-token", Log: slog.New(slog.DiscardHandler)}
}

func (h *house) porter() *Porter {
	return NewPorter(h.logins, h.logins, h.chat, slog.New(slog.DiscardHandler))
}

// newHouse builds a house in a bubble; its chat runs.
func newHouse(t *testing.T) *house {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	h := &house{t: t, net: gatewaytest.NewPipeNet(), host: gatewaytest.NewHost(), logins: newLogins(), chat: NewChat(log)}
	h.web = &http.Client{Transport: &http.Transport{DialContext: h.net.DialContext},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- h.chat.Run(ctx, h.host) }()
	h.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Run returned %v", err)
		}
	})
	h.net.Serve(t, Public(h.options()))
	t.Cleanup(h.stop)
	t.Cleanup(h.web.CloseIdleConnections)
	return h
}

// logIn is a browser that opens a link; it returns its cookie.
func (h *house) logIn(owner nacre.OwnerID) *http.Cookie {
	h.t.Helper()
	link, err := h.porter().Link(h.t.Context(), h.options().Site, owner)
	if err != nil {
		h.t.Fatal(err)
	}
	_, secret, _ := strings.Cut(link, "#")
	resp, err := h.web.PostForm(gatewaytest.PipeURL+"/login", url.Values{"link": {secret}})
	if err != nil {
		h.t.Fatal(err)
	}
	resp.Body.Close()
	if len(resp.Cookies()) != 1 {
		h.t.Fatalf("the login was answered with %s and %d cookies", resp.Status, len(resp.Cookies()))
	}
	return resp.Cookies()[0]
}

// post sends an empty form as a browser with a cookie.
func (h *house) post(path string, c *http.Cookie) *http.Response {
	h.t.Helper()
	req, err := http.NewRequest("POST", gatewaytest.PipeURL+path, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	req.AddCookie(c)
	req.Header.Set("Origin", gatewaytest.PipeURL)
	resp, err := h.web.Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	return resp
}

// tab is a page whose frames a test handles.
type tab struct {
	t      *testing.T
	conn   *websocket.Conn
	frames chan frame
	ended  chan struct{}
	logins bool // keep also the news that another browser logged in
}

// open attaches a page of a fresh browser and takes its first frame.
func (h *house) open(owner nacre.OwnerID) *tab {
	h.t.Helper()
	p := h.deaf(h.logIn(owner))
	go p.listen()
	p.wantReady(owner)
	return p
}

// deaf attaches a page that reads nothing.
func (h *house) deaf(c *http.Cookie) *tab {
	h.t.Helper()
	d := websocket.Dialer{NetDialContext: h.net.DialContext}
	conn, resp, err := d.DialContext(h.t.Context(), "ws://localhost/ws", http.Header{"Cookie": {c.Name + "=" + c.Value}, "Origin": {gatewaytest.PipeURL}})
	if err != nil {
		h.t.Fatalf("websocket refused: %v, %v", err, resp)
	}
	h.t.Cleanup(func() { conn.Close() })
	return &tab{t: h.t, conn: conn, frames: make(chan frame, 500), ended: make(chan struct{})}
}

func (p *tab) listen() {
	defer close(p.ended)
	for {
		var f frame
		if p.conn.ReadJSON(&f) != nil {
			return
		}
		if login := f.T == frameChange && slices.Equal(f.Topics, []Topic{TopicAccess}); p.logins || !login {
			p.frames <- f
		}
	}
}

func (p *tab) send(frames ...map[string]any) {
	p.t.Helper()
	for _, f := range frames {
		if err := p.conn.WriteJSON(f); err != nil {
			p.t.Fatalf("not sent: %v", err)
		}
	}
}

func (p *tab) say(id, text string) {
	p.t.Helper()
	p.send(map[string]any{"t": "say", "id": id, "text": text})
}

func (p *tab) shown(id string) {
	p.t.Helper()
	p.send(map[string]any{"t": "shown", "id": id})
}

// want takes the next frame.
func (p *tab) want(want frame) {
	p.t.Helper()
	select {
	case got := <-p.frames:
		if text(got) != text(want) {
			p.t.Fatalf("got the frame %s, want %s", text(got), text(want))
		}
	case <-time.After(time.Minute):
		p.t.Fatalf("no frame came, want %s", text(want))
	}
}

// wantReady takes the first frame and returns its mark.
func (p *tab) wantReady(owner nacre.OwnerID) (mark string) {
	p.t.Helper()
	select {
	case got := <-p.frames:
		if got.T != frameReady || got.Owner != owner || got.Mark == "" {
			p.t.Fatalf("the first frame is %s, want that a page of %s is attached", text(got), owner)
		}
		return got.Mark
	case <-time.After(time.Minute):
		p.t.Fatal("no frame came")
		return ""
	}
}

func (p *tab) wantNone() {
	p.t.Helper()
	synctest.Wait()
	select {
	case got := <-p.frames:
		p.t.Fatalf("got the frame %s, want none", text(got))
	default:
	}
}

func (p *tab) wantEnd() {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(time.Hour):
		p.t.Fatal("the page was not dropped")
	}
}

func text(f frame) string {
	b, err := json.Marshal(f)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// sending is a call of Send that runs.
type sending chan error

func (h *house) send(d nacre.Delivery, repeat bool) sending {
	s := make(sending, 1)
	go func() {
		id, err := h.chat.Send(h.t.Context(), d, repeat)
		if err == nil && string(id) != string(d.ID) {
			h.t.Errorf("Send returned the id %q for %q", id, d.ID)
		}
		s <- err
	}()
	return s
}

func delivery(owner nacre.OwnerID, id, text string) nacre.Delivery {
	return nacre.Delivery{ID: nacre.DeliveryID(id), Chat: chatOf(owner), Part: nacre.Part{Text: text}}
}
