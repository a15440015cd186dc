package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"nacre"
	"nacre/gateway/gatewaytest"
	"nacre/web/webtest"
)

// browser is a real one before a real server on loopback.
type browser struct {
	*webtest.Browser
	base   string
	host   *gatewaytest.Host
	chat   *Chat
	logins *keptLogins
	porter *Porter
	site   Site
	deaf   atomic.Bool // the server takes no websocket
}

// newBrowser starts one before a desk on which nothing lies.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	return browse(t, plainDesk{})
}

// browse is newBrowser before a desk.
func browse(t *testing.T, desk Desk) *browser {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	b := &browser{Browser: webtest.New(t), host: gatewaytest.NewHost(), logins: newLogins(), chat: NewChat(log)}
	b.porter = NewPorter(b.logins, b.logins, b.chat, log)
	server := httptest.NewUnstartedServer(nil)
	b.base = "http://" + server.Listener.Addr().String()
	var err error
	if b.site, err = NewSite(Serving{Listen: server.Listener.Addr().String()}); err != nil {
		t.Fatal(err)
	}
	public := Public(Options{Desk: desk, Chat: b.chat, Porter: b.porter, Operator: func() nacre.OwnerID { return ann }, Site: b.site, Log: log})
	server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/ws" && b.deaf.Load() {
			http.Error(w, "", http.StatusServiceUnavailable)
			return
		}
		public.ServeHTTP(w, r)
	})
	server.Start()
	t.Cleanup(server.Close)
	running, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); b.chat.Run(running, b.host) }()
	t.Cleanup(func() { stop(); <-ended })
	return b
}

// logIn opens a fresh link and waits until the page is attached.
func (b *browser) logIn() {
	b.T.Helper()
	link, err := b.porter.Link(b.T.Context(), b.site, ann)
	if err != nil {
		b.T.Fatal(err)
	}
	b.Open(link)
	b.connected()
}

// goTo loads the page at a path, such as /history.
func (b *browser) goTo(path string) {
	b.T.Helper()
	b.Open(b.base + path)
	b.connected()
}

// connected waits until the one page is attached.
func (b *browser) connected() {
	b.T.Helper()
	b.Until(`document.documentElement.dataset.link === "up" && location.pathname !== "/login"`)
	for ok := false; !ok; { // the gateway would wait for Flush
		_, words := b.chat.State()
		ok = words == "1 page is open"
	}
}

// say types a message and sends it.
func (b *browser) say(words string) {
	b.T.Helper()
	b.Do(chromedp.SendKeys(chromedp.CSS("#words"), words))
	b.Key("Enter")
}

// send delivers a part of an answer and waits until the page has shown it.
func (b *browser) send(id string, p nacre.Part) {
	b.T.Helper()
	b.answer(id, "", p)
}

// answer is send for the answer of a turn.
func (b *browser) answer(id string, turn nacre.TurnID, p nacre.Part) {
	b.T.Helper()
	d := nacre.Delivery{ID: nacre.DeliveryID(id), Chat: chatOf(ann), Reply: nacre.ReplyID(turn), Part: p}
	if _, err := b.chat.Send(b.T.Context(), d, false); err != nil {
		b.T.Fatalf("part %s: %v", id, err)
	}
}

// lose cuts the connections of the owner's pages, after it did something else.
func (b *browser) lose(first ...func()) {
	b.T.Helper()
	list, err := b.logins.Logins(b.T.Context(), ann)
	if err != nil {
		b.T.Fatal(err)
	}
	for _, do := range first {
		do()
	}
	for _, login := range list {
		b.chat.logout(string(login.ID))
	}
}

// count is how many elements a selector finds.
func (b *browser) count(selector string) int {
	b.T.Helper()
	return webtest.Eval[int](b.Browser, `document.querySelectorAll("`+selector+`").length`)
}
