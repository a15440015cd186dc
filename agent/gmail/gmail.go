package gmail

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	api "google.golang.org/api/gmail/v1"

	"nacre"
)

// Account is what is kept of an owner's Gmail. The Store seals it.
type Account struct {
	Client  Client    `json:"client"`
	Address string    `json:"address"` // the mailbox, as people know it
	Refresh string    `json:"refresh"` // token
	Access  string    `json:"access,omitempty"`
	Expires time.Time `json:"expires,omitzero"` // of Access
	Drafts  bool      `json:"drafts,omitempty"` // it may write drafts
	Since   time.Time `json:"since"`            // when it was connected

	Learned time.Time `json:"learned,omitzero"` // when the writing style was learned last
	UpTo    string    `json:"up_to,omitempty"`  // Gmail's history id up to which it was
	Trouble Trouble   `json:"trouble,omitempty"`
}

// Client is the owner's own client of Google's, of the kind "Desktop app" or "Web
// application".
type Client struct {
	ID     string `json:"id"`
	Secret string `json:"secret,omitempty"`
}

// Store keeps Accounts, sealed. No method blocks for long.
type Store interface {
	// Account is an owner's; nil if there is none.
	Account(ctx context.Context, owner nacre.OwnerID) (*Account, error)
	// Keep puts it in the place of what was kept before, whose keys are destroyed; nil
	// drops it.
	Keep(ctx context.Context, owner nacre.OwnerID, a *Account) error
}

// Options are what a Gmail works with. Store, Log and Now are required.
type Options struct {
	Store Store
	// Google is where Google is, such as http://127.0.0.1:9 with all that we ask of
	// it below: /o/oauth2/v2/auth, /token, /revoke and /gmail/v1. Empty for the real
	// places.
	Google string
	HTTP   *http.Client // nil for one with a deadline and without a proxy of its own
	Log    *slog.Logger
	Now    func() time.Time
}

// Gmail is the owners' Gmail accounts. It is a style.Mailbox and an agent.Asker. It may
// be used from many goroutines. Its errors are sentences for people, of the kinds
// Invalid, Denied (consent is gone), NotFound (not connected), Transient; they hold no
// token, no address and no word of a mail. Errors of the Store come back as they are.
type Gmail struct {
	opts    Options
	places  places
	http    *http.Client
	service func() (*api.Service, error) // made when it is first needed

	mu       sync.Mutex                      // guards all below
	consents map[nacre.OwnerID]consent       // begun and not finished, one of an owner
	failed   map[nacre.OwnerID]string        // why the consent that was begun last came to nothing
	busy     map[nacre.OwnerID]chan struct{} // holds one while an owner's account is being changed
	asks     map[nacre.SessionID]*question   // drafts that a model wants and its owner has not decided
	drafts   map[nacre.SessionID]turnDrafts  // what the newest turn made
}

// New makes a Gmail. It asks Google nothing.
func New(o Options) *Gmail {
	g := &Gmail{
		opts: o, places: placesAt(o.Google), http: clientOf(o.HTTP),
		consents: map[nacre.OwnerID]consent{}, failed: map[nacre.OwnerID]string{}, busy: map[nacre.OwnerID]chan struct{}{}, asks: map[nacre.SessionID]*question{}, drafts: map[nacre.SessionID]turnDrafts{},
	}
	g.service = sync.OnceValues(g.newService)
	return g
}

// State is an owner's account as they may see it.
type State struct {
	Connected bool
	Address   string
	Drafts    bool
	Since     time.Time
	Learned   time.Time
	Trouble   Trouble
	Failed    string // why the consent that was begun last came to nothing, as a sentence
}

// State reads how an owner's account is.
func (g *Gmail) State(ctx context.Context, owner nacre.OwnerID) (State, error) {
	a, err := g.opts.Store.Account(ctx, owner)
	g.mu.Lock()
	failed := g.failed[owner]
	g.mu.Unlock()
	if err != nil || a == nil {
		return State{Failed: failed}, err
	}
	return State{Failed: failed, Connected: true, Address: a.Address, Drafts: a.Drafts, Since: a.Since, Learned: a.Learned, Trouble: a.Trouble}, nil
}

// Disconnect takes consent back at Google's and drops what is kept. It drops that also
// where Google cannot be reached; revoked tells whether it was taken back, or was gone
// already.
func (g *Gmail) Disconnect(ctx context.Context, owner nacre.OwnerID) (revoked bool, err error) {
	release, err := g.alone(ctx, owner)
	if err != nil {
		return false, err
	}
	defer release()
	g.Forgotten(owner)
	a, err := g.account(ctx, owner)
	if err != nil {
		return false, err
	}
	revoked = g.revoke(ctx, a.Refresh)
	return revoked, g.opts.Store.Keep(context.WithoutCancel(ctx), owner, nil)
}

// Note notes trouble, or its end for an empty one. It reports whether the owner has to
// be told: when a stretch of trouble begins, and when it becomes one that only they can
// end. NotFound if no account is connected.
func (g *Gmail) Note(ctx context.Context, owner nacre.OwnerID, t Trouble) (told bool, err error) {
	err = g.change(ctx, owner, func(a *Account) {
		told = t != "" && (a.Trouble == "" || t == Revoked && a.Trouble != Revoked)
		a.Trouble = t
	})
	return told && err == nil, err
}

// account is what is kept of an owner; NotFound if nothing is.
func (g *Gmail) account(ctx context.Context, owner nacre.OwnerID) (Account, error) {
	a, err := g.opts.Store.Account(ctx, owner)
	switch {
	case err != nil:
		return Account{}, err
	case a == nil:
		return Account{}, nacre.Errorf(nacre.NotFound, "Gmail is not connected. Connect it on the page under Settings, or with nacre gmail connect.")
	}
	return *a, nil
}

// change changes what is kept of an owner, if f changes it.
func (g *Gmail) change(ctx context.Context, owner nacre.OwnerID, f func(*Account)) error {
	release, err := g.alone(ctx, owner)
	if err != nil {
		return err
	}
	defer release()
	a, err := g.account(ctx, owner)
	if err != nil {
		return err
	}
	before := a
	if f(&a); a == before {
		return nil
	}
	return g.opts.Store.Keep(ctx, owner, &a)
}

// alone waits until nobody else changes an owner's account, so that no change is lost
// and a refresh token is used by one at a time.
func (g *Gmail) alone(ctx context.Context, owner nacre.OwnerID) (release func(), err error) {
	g.mu.Lock()
	turn := g.busy[owner]
	if turn == nil {
		turn = make(chan struct{}, 1)
		g.busy[owner] = turn
	}
	g.mu.Unlock()
	select {
	case turn <- struct{}{}:
		return func() { <-turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
