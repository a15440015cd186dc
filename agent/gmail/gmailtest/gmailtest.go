// Package gmailtest is a double of Google: its consent page, its token endpoint and as
// much of Gmail as Nacre asks. All of it lies under one base URL: /o/oauth2/v2/auth,
// /token, /revoke and /gmail/v1.
//
// It is strict where Google is, and stricter where we want to be: a request that would
// send a mail fails the test.
package gmailtest

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"
)

// The one client that the double knows, and whose mailbox it is unless said otherwise.
const (
	ClientID = "1234567890-nacre.apps.googleusercontent.com"
	Secret   = "GOCSPX-secret-of-the-client"
	Address  = "ann@example.org"
)

// The scopes that it can grant.
const (
	Readonly = "https://www.googleapis.com/auth/gmail.readonly"
	Compose  = "https://www.googleapis.com/auth/gmail.compose"
)

// Google is the double, an http.Handler. It may be used from many goroutines; the
// exported fields are set while no request is under way.
type Google struct {
	URL         string        // the base of all addresses
	Address     string        // whose mailbox it is
	Rotate      bool          // each refresh gives a new refresh token, and the old one is dead
	TokenLife   time.Duration // of access tokens; an hour
	RefreshLife time.Duration // of refresh tokens; 0 for ever
	PageSize    int           // the most messages of a page; 100
	Redirects   []string      // where browsers may be sent, beside loopback addresses
	Exact       bool          // a redirect must be one of Redirects, loopback or not

	t      testing.TB
	client *http.Client
	routes *http.ServeMux

	mu       sync.Mutex // guards all below
	minted   int        // codes and tokens so far
	secrets  []string   // all of them
	codes    map[string]*grant
	refresh  map[string]*grant
	access   map[string]*grant
	scopes   []string // granted so far, until Revoke
	asked    [][]string
	mails    []*mail
	drafts   []*draft
	history  uint64 // the newest history id
	oldest   uint64 // before it, history is forgotten
	faults   []*Fault
	requests []Request
}

// New starts a double on a loopback port. It ends with the test.
func New(t testing.TB) *Google {
	g := newGoogle(t)
	s := httptest.NewServer(g)
	t.Cleanup(s.Close)
	g.URL, g.client = s.URL, s.Client()
	return g
}

// NewPiped starts a double whose connections are pipes in memory, which do not hold up
// the clock of testing/synctest. Only its Client reaches it.
func NewPiped(t testing.TB) *Google {
	g := newGoogle(t)
	p := newPipes()
	p.serve(t, g)
	g.URL, g.client = "http://localhost", &http.Client{Transport: &http.Transport{DialContext: p.dial}}
	t.Cleanup(g.client.CloseIdleConnections)
	return g
}

func newGoogle(t testing.TB) *Google {
	g := &Google{
		Address: Address, TokenLife: time.Hour, PageSize: 100, t: t, routes: http.NewServeMux(),
		codes: map[string]*grant{}, refresh: map[string]*grant{}, access: map[string]*grant{}, history: 1000,
	}
	const me = "/gmail/v1/users/me"
	for pattern, h := range map[string]http.HandlerFunc{
		"GET /o/oauth2/v2/auth":                g.serveConsent,
		"POST /token":                          g.serveToken,
		"POST /revoke":                         g.serveRevoke,
		"GET " + me + "/profile":               g.scoped(g.serveProfile, Readonly, Compose),
		"GET " + me + "/messages":              g.scoped(g.serveList, Readonly),
		"GET " + me + "/messages/{id}":         g.scoped(g.serveMessage, Readonly),
		"GET " + me + "/history":               g.scoped(g.serveHistory, Readonly),
		"GET " + me + "/drafts":                g.scoped(g.serveDrafts, Readonly, Compose),
		"GET " + me + "/drafts/{id}":           g.scoped(g.serveDraft, Readonly, Compose),
		"POST " + me + "/drafts":               g.scoped(g.serveNewDraft, Compose),
		"PUT " + me + "/drafts/{id}":           g.scoped(g.serveDraftAnew, Compose),
		"POST " + me + "/messages/send":        g.serveSend,
		"POST " + me + "/drafts/send":          g.serveSend,
		"POST /upload" + me + "/messages/send": g.serveSend,
		"POST /upload" + me + "/drafts/send":   g.serveSend,
	} {
		g.routes.HandleFunc(pattern, h)
	}
	return g
}

// Client reaches the double.
func (g *Google) Client() *http.Client { return g.client }

// ServeHTTP implements http.Handler.
func (g *Google) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 16<<20))
	if err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body)) // read, the server notices when the client goes
	g.note(r)
	if f, ok := g.fault(r.URL.Path); ok && f.answer(w, r) {
		return
	}
	g.routes.ServeHTTP(w, r)
}

// serveSend is what nobody may ask for.
func (g *Google) serveSend(w http.ResponseWriter, r *http.Request) {
	g.t.Errorf("something wanted to send a mail: %s", r.URL.Path)
	refuse(w, http.StatusInternalServerError, "backendError")
}

// Request is one that came.
type Request struct {
	Method, Path, Query string
	At                  time.Time
}

// note records a request.
func (g *Google) note(r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.requests = append(g.requests, Request{r.Method, r.URL.Path, r.URL.RawQuery, time.Now()})
}

// Requests are those that came for a path, oldest first; all for an empty one.
func (g *Google) Requests(path string) []Request {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(g.requests), func(r Request) bool { return path != "" && r.Path != path })
}

// Secrets are all codes and tokens that were given out, and the client's secret. None
// of them may stand in a log or an error.
func (g *Google) Secrets() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]string{Secret}, g.secrets...)
}

// mint makes a code or a token. It is called with mu held.
func (g *Google) mint(prefix string) string {
	g.minted++
	s := fmt.Sprintf("%s%06d-of-google", prefix, g.minted)
	g.secrets = append(g.secrets, s)
	return s
}
