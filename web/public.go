package web

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"nacre"
	"nacre/memory"
)

// Options are what Public needs.
type Options struct {
	Desk     Desk
	Chat     *Chat
	Porter   *Porter
	Operator func() nacre.OwnerID // who the operator is now
	Site     Site
	Token    string       // lets programs in as the operator, besides the tokens of Porter; empty lets none in
	Metrics  http.Handler // what is counted, for Prometheus; nil where nothing is
	Webhook  http.Handler // takes POST /telegram, from outside; nil where there is none

	Consented Consent // finishes consents for Gmail that were begun where nobody is logged in; nil where nobody asks for any
	Log       *slog.Logger
}

// door is the way in for browsers.
type door struct {
	Options
	secrets *throttle // by address: who shows wrong links and tokens
	guesses *throttle // by address, and by name: who types wrong passwords
}

// Public serves the address that browsers reach. The signs of life and the
// webhook, which has a secret of its own, are open; the rest is guarded, and all but
// the way in needs a login, or for metrics that this machine asks itself. The caller
// sets the timeouts of the server.
func Public(o Options) http.Handler {
	d := &door{o, newThrottle(secretPatience), newThrottle(passwordPatience)}
	in := http.NewServeMux()
	in.Handle("GET /login", asset("login.html"))
	in.Handle("POST /login", handler(d.byLink))
	in.Handle("POST /login/password", handler(d.byPassword))
	if o.Consented != nil {
		in.Handle("GET "+MailBack, landing())
		in.Handle("POST "+MailBack, handler(d.consented))
	}
	for _, name := range files() {
		if open[name] {
			in.Handle("GET /"+name, asset(name))
		} else {
			in.Handle("GET /"+name, d.members(show(name)))
		}
	}
	page := d.members(show("index.html"))
	in.Handle("GET /{$}", page)
	for _, room := range rooms[1:] {
		in.Handle("GET "+room, page)
		in.Handle("GET "+room+"/", page)
	}
	in.Handle("GET /ws", d.members(d.chat))
	in.Handle("POST /logout", d.members(d.logout))
	operator := func(owner nacre.OwnerID) bool { return owner == o.Operator() }
	in.Handle("/api/", d.members(asPage(api(append(routes(o.Desk), talkRoute(o.Chat, o.Desk, o.Porter)), operator))))
	in.Handle("/", d.members(func(http.ResponseWriter, *http.Request, visitor) error {
		return nacre.Errorf(nacre.NotFound, "There is no such page.")
	}))

	mux := http.NewServeMux()
	mux.Handle("GET /healthz", alive(o.Desk))
	mux.Handle("GET /readyz", handler(d.ready))
	if o.Metrics != nil {
		mux.Handle("GET /metrics", guard(o.Site, d.scrapers(o.Metrics)))
	}
	if o.Webhook != nil {
		mux.Handle("POST /telegram", o.Webhook)
	}
	mux.Handle("/", guard(o.Site, in))
	return logged(o.Log, mux)
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

// ownerHeader names the owner for whom the page was loaded that asks, if it is one.
const ownerHeader = "X-Nacre-Owner"

// asPage serves who is logged in by their own hand. A page that was loaded for
// somebody else, before they logged in in the same browser, is told so.
func asPage(next http.Handler) member {
	return func(w http.ResponseWriter, r *http.Request, v visitor) error {
		if loaded := r.Header.Get(ownerHeader); loaded != "" && loaded != string(v.owner) {
			newProblem(nacre.Conflict, "Somebody else is logged in here now; load the page anew.").answer(w, http.StatusPreconditionFailed)
			return nil
		}
		next.ServeHTTP(w, r.WithContext(withHand(r.Context(), Hand{Owner: v.owner, By: memory.ByPage, Login: string(v.login)})))
		return nil
	}
}

// chat attaches a page. A browser always says which page opens a websocket; a
// program with a token need not.
func (d *door) chat(w http.ResponseWriter, r *http.Request, v visitor) error {
	if _, program := bearer(r); !d.Site.from(r) && !(program && r.Header.Get("Origin") == "") {
		return errForeign
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	if v.login != "" {
		go d.watch(ctx, r, v)
	}
	d.Chat.serve(w, r, v, func() bool {
		_, err := d.known(r)
		return err == nil
	})
	return nil
}

// watch notes until ctx ends that a page is open, which keeps its login from being
// idle, and closes the page when the login is too old nevertheless.
func (d *door) watch(ctx context.Context, r *http.Request, v visitor) {
	often := time.NewTicker(seenEvery)
	defer often.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-often.C:
			if _, err := d.known(r); nacre.KindOf(err) == nacre.NotFound {
				d.Chat.logout(string(v.login))
			}
		}
	}
}
