package gmail_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/gmail"
	"nacre/agent/gmail/gmailtest"
)

var _ agent.Asker = (*gmail.Gmail)(nil)

const (
	ann = nacre.OwnerID("ann")
	bob = nacre.OwnerID("bob")

	back = "http://127.0.0.1:8080/gmail"
)

var client = gmail.Client{ID: gmailtest.ClientID, Secret: gmailtest.Secret}

// store keeps accounts in memory.
type store struct {
	mu     sync.Mutex
	kept   map[nacre.OwnerID]gmail.Account
	keeps  int
	failed error // of Keep
}

func (s *store) Account(_ context.Context, owner nacre.OwnerID) (*gmail.Account, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, ok := s.kept[owner]
	if !ok {
		return nil, nil
	}
	return &a, nil
}

func (s *store) Keep(ctx context.Context, owner nacre.OwnerID, a *gmail.Account) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keeps++
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case s.failed != nil:
		return s.failed
	case a == nil:
		delete(s.kept, owner)
	default:
		s.kept[owner] = *a
	}
	return nil
}

// world is a Gmail and the double of Google that it knows.
type world struct {
	t      *testing.T
	google *gmailtest.Google
	store  *store
	log    *bytes.Buffer
	gmail  *gmail.Gmail
}

func newWorld(t *testing.T, g *gmailtest.Google) *world {
	w := &world{t: t, google: g, store: &store{kept: map[nacre.OwnerID]gmail.Account{}}, log: &bytes.Buffer{}}
	w.restart()
	t.Cleanup(func() { w.silent("the log", w.log.String()) })
	return w
}

// restart makes a new Gmail on the same store.
func (w *world) restart() {
	w.gmail = gmail.New(gmail.Options{
		Store: w.store, Google: w.google.URL, HTTP: w.google.Client(), Now: time.Now,
		Log: slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
}

// in runs f with a world in a synctest bubble.
func in(t *testing.T, f func(w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(newWorld(t, gmailtest.NewPiped(t))) })
}

// silent checks that a text for others holds no token, no code and no address, and none
// of Google's words.
func (w *world) silent(what, text string) {
	w.t.Helper()
	for _, s := range append(w.google.Secrets(), gmailtest.Address, "words of Google", "ya29.", "anna@") {
		if strings.Contains(text, s) {
			w.t.Errorf("%s holds %q: %s", what, s, text)
		}
	}
}

// is checks the kind and the trouble of an error, and that its words are for people.
func (w *world) is(what string, err error, kind nacre.Kind, trouble gmail.Trouble) {
	w.t.Helper()
	if err == nil || nacre.KindOf(err) != kind || gmail.TroubleOf(err) != trouble {
		w.t.Errorf("%s: %v of kind %s with trouble %q, want %s and %q", what, err, nacre.KindOf(err), gmail.TroubleOf(err), kind, trouble)
		return
	}
	w.silent(what, fmt.Sprintf("%v %+v", err, err))
	if !strings.HasSuffix(err.Error(), ".") {
		w.t.Errorf("%s: %q is no sentence", what, err)
	}
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// begin begins a consent of an owner's.
func (w *world) begin(owner nacre.OwnerID, drafts bool) string {
	w.t.Helper()
	url, err := w.gmail.Begin(w.t.Context(), owner, gmail.Wish{Client: client, Drafts: drafts, Back: back})
	w.must(err)
	return url
}

// connect connects an owner's mailbox.
func (w *world) connect(owner nacre.OwnerID, drafts bool) {
	w.t.Helper()
	_, err := w.gmail.Finish(w.t.Context(), owner, w.google.Consent(w.begin(owner, drafts), gmailtest.Choice{}))
	w.must(err)
}

func (w *world) account(owner nacre.OwnerID) *gmail.Account {
	a, _ := w.store.Account(w.t.Context(), owner)
	return a
}

// letter is a mail that was sent.
func letter(n int) []byte {
	return fmt.Appendf(nil, "From: ann@example.org\r\nTo: anna@example.org\r\nSubject: %d\r\nMessage-ID: <%d@example.org>\r\n\r\nThis is mail %d.\r\n", n, n, n)
}
