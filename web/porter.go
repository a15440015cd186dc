package web

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"log/slog"
	"slices"
	"time"

	"nacre"
)

const (
	linkLife = 10 * time.Minute
	// sessionLife is how long a browser stays logged in at the longest, and idleLife
	// how long while it is not used, to seenEvery.
	sessionLife = 30 * 24 * time.Hour
	idleLife    = 7 * 24 * time.Hour
	// seenEvery is how exactly it is known when a login was used last.
	seenEvery = 10 * time.Minute

	// tokenPrefix shows what a token is where it stands among other secrets.
	tokenPrefix = "nacre_"
)

// Logins keeps hashes of secrets until they are used, ended or too old.
type Logins interface {
	// PutLogin stores a login with the hash of its secret.
	PutLogin(ctx context.Context, g nacre.Login, tag []byte) error
	// Login returns the one of a kind whose secret has this hash; NotFound if it is
	// unknown or too old, or its owner is not admitted any more, as with UseLink.
	Login(ctx context.Context, kind nacre.LoginKind, tag []byte) (nacre.Login, error)
	// UseLink takes up a link, and returns whose it was; NotFound if it is unknown,
	// used or too old.
	UseLink(ctx context.Context, tag []byte) (nacre.OwnerID, error)
	// SeeLogin notes that one is being used now, and when it expires.
	SeeLogin(ctx context.Context, id nacre.LoginID, expires time.Time) error
	// Logins lists the sessions and tokens of an owner, the newest first.
	Logins(ctx context.Context, owner nacre.OwnerID) ([]nacre.Login, error)
	// DropLogin ends one of an owner; NotFound if there is none of that id.
	DropLogin(ctx context.Context, owner nacre.OwnerID, id nacre.LoginID) error
}

// Passwords keeps hashes of passwords.
type Passwords interface {
	// PutPassword stores the password of an owner. Conflict means that the name is
	// somebody else's.
	PutPassword(ctx context.Context, p nacre.Password) error
	// DropPassword takes that of an owner away, if there is one.
	DropPassword(ctx context.Context, owner nacre.OwnerID) error
	// Passwords returns those of all owners who are admitted.
	Passwords(ctx context.Context) ([]nacre.Password, error)
}

// Porter knows who may act as which owner: whoever has a link, a session that a
// browser got for one, a token, or a password. A program has one.
type Porter struct {
	logins    Logins
	passwords Passwords
	chat      *Chat // whose pages go with their login
	hashes    hasher
	log       *slog.Logger
}

// NewPorter makes a Porter. What changes is told to the pages of chat.
func NewPorter(l Logins, p Passwords, chat *Chat, log *slog.Logger) *Porter {
	return &Porter{l, p, chat, newHasher(), log}
}

// Link makes a link that logs a browser in as an owner, once, within 10
// minutes. The secret stands in the fragment, which browsers do not send: it
// reaches no log, and whoever only fetches the link uses nothing up.
func (p *Porter) Link(ctx context.Context, s Site, owner nacre.OwnerID) (string, error) {
	secret := newSecret()
	_, err := p.open(ctx, nacre.Login{Kind: nacre.LoginLink, Owner: owner}, secret)
	return s.Origin() + "/login#" + secret, err
}

// session logs a browser in as an owner and returns its secret.
func (p *Porter) session(ctx context.Context, owner nacre.OwnerID, browser string) (secret string, err error) {
	secret = newSecret()
	_, err = p.open(ctx, nacre.Login{Kind: nacre.LoginSession, Owner: owner, Name: browser}, secret)
	p.changed(owner)
	return secret, err
}

// open makes a login good.
func (p *Porter) open(ctx context.Context, g nacre.Login, secret string) (nacre.LoginID, error) {
	now := time.Now()
	g.ID, g.Made, g.Seen = nacre.LoginID(nacre.NewID(now)), now, now
	g.Expires = expiry(g, now)
	return g.ID, p.logins.PutLogin(ctx, g, tagOf(secret))
}

// expiry is when a login that is used now is good no longer, if it is not used again.
func expiry(g nacre.Login, now time.Time) time.Time {
	idle, latest := now.Add(idleLife), g.Made.Add(sessionLife)
	switch {
	case g.Kind == nacre.LoginLink:
		return g.Made.Add(linkLife)
	case g.Kind == nacre.LoginToken:
		return time.Time{}
	case latest.Before(idle):
		return latest
	}
	return idle
}

// known returns the login of a kind that a secret is of, and notes that it is used;
// NotFound if there is none.
func (p *Porter) known(ctx context.Context, kind nacre.LoginKind, secret string) (nacre.Login, error) {
	g, err := p.logins.Login(ctx, kind, tagOf(secret))
	if now := time.Now(); err == nil && now.Sub(g.Seen) >= seenEvery {
		if err := p.logins.SeeLogin(ctx, g.ID, expiry(g, now)); err != nil {
			p.log.Warn("use of a login not noted", "login", g.ID, "err", err)
		}
	}
	return g, err
}

// still is Denied if the login has ended by which a hand came in, which may be while
// it waits for something.
func (p *Porter) still(ctx context.Context, h Hand) error {
	if h.Login == "" {
		return nil
	}
	list, err := p.logins.Logins(ctx, h.Owner)
	if err == nil && !slices.ContainsFunc(list, func(g nacre.Login) bool { return string(g.ID) == h.Login }) {
		err = nacre.Errorf(nacre.Denied, "%s", errOut.Error())
	}
	return err
}

// end ends a login and closes the pages that it opened.
func (p *Porter) end(ctx context.Context, owner nacre.OwnerID, id nacre.LoginID) error {
	err := p.logins.DropLogin(ctx, owner, id)
	if err == nil {
		p.chat.logout(string(id))
		p.changed(owner)
	}
	return err
}

// changed has an owner's pages look again.
func (p *Porter) changed(owner nacre.OwnerID) { p.chat.Changed(owner, TopicAccess) }

// newSecret returns 256 random bits as text.
func newSecret() string {
	var b [32]byte
	rand.Read(b[:])
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// tagOf is the hash by which a secret is known.
func tagOf(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}
