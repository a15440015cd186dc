package web

import (
	"log/slog"
	"net/http"

	"nacre"
	"nacre/memory"
)

// Options are what Public needs.
type Options struct {
	Desk     Desk
	Chat     *Chat
	Logins   Logins
	Operator func() nacre.OwnerID // who the operator is now
	Site     Site
	Token    string       // lets programs in as the operator; empty lets none in
	Webhook  http.Handler // takes POST /telegram, from outside; nil where there is none
	Log      *slog.Logger
}

// door is the way in for browsers.
type door struct {
	Options
	throttle *throttle
}

// Public serves the address that browsers reach. The sign of life and the
// webhook, which has a secret of its own, are open; the rest is guarded, and
// all but the way in needs a login. The caller sets the timeouts of the server.
func Public(o Options) http.Handler {
	d := &door{o, newThrottle()}
	in := http.NewServeMux()
	in.Handle("GET /login", asset("login.html"))
	in.Handle("POST /login", handler(d.login))
	for _, name := range []string{"login.js", "style.css", "icon.svg"} {
		in.Handle("GET /"+name, asset(name))
	}
	in.Handle("GET /{$}", d.members(show("index.html")))
	in.Handle("GET /channels", d.members(show("channels.html")))
	for _, name := range []string{"app.js", "link.js", "log.js", "markdown.js", "ask.js", "channels.js", "whatsapp.js"} {
		in.Handle("GET /"+name, d.members(show(name)))
	}
	in.Handle("GET /ws", d.members(d.chat))
	in.Handle("POST /logout", d.members(d.logout))
	in.Handle("/v1/", d.members(d.operators(requests(o.Desk, memory.ByPage))))
	in.Handle("/", d.members(func(http.ResponseWriter, *http.Request, visitor) error {
		return nacre.Errorf(nacre.NotFound, "There is no such page.")
	}))

	mux := http.NewServeMux()
	mux.Handle("GET /healthz", alive(o.Desk))
	if o.Webhook != nil {
		mux.Handle("POST /telegram", o.Webhook)
	}
	mux.Handle("/", guard(o.Site, in))
	return mux
}

// member serves somebody who is logged in.
type member func(http.ResponseWriter, *http.Request, visitor) error

// members lets in who is logged in.
func (d *door) members(serve member) http.Handler {
	return handler(func(w http.ResponseWriter, r *http.Request) error {
		if v, ok := d.visitor(w, r); ok {
			return serve(w, r, v)
		}
		return nil
	})
}

// operators lets in the operator alone.
func (d *door) operators(next http.Handler) member {
	return func(w http.ResponseWriter, r *http.Request, v visitor) error {
		if v.owner != d.Operator() {
			return nacre.Errorf(nacre.Denied, "Only the operator can ask for this.")
		}
		next.ServeHTTP(w, r)
		return nil
	}
}

// chat attaches a page. A browser always says which page opens a websocket; a
// program with the token need not.
func (d *door) chat(w http.ResponseWriter, r *http.Request, v visitor) error {
	if _, program := bearer(r); !d.Site.from(r) && !(program && r.Header.Get("Origin") == "") {
		return nacre.Errorf(nacre.Denied, "This is not a page of Nacre.")
	}
	d.Chat.serve(w, r, v, func() bool {
		_, err := d.known(r)
		return err == nil
	})
	return nil
}
