package web

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"time"

	"nacre"
)

const (
	linkLife    = 15 * time.Minute
	sessionLife = 30 * 24 * time.Hour
)

// Logins keeps hashes of secrets until they are used or too old.
type Logins interface {
	// PutLogin stores the hash of a fresh secret for an owner.
	PutLogin(ctx context.Context, kind nacre.LoginKind, tag []byte, owner nacre.OwnerID, life time.Duration) error
	// Login returns whose secret a hash is of; NotFound if it is unknown or old.
	Login(ctx context.Context, kind nacre.LoginKind, tag []byte) (nacre.OwnerID, error)
	// UseLogin is Login for a secret that is used up by it.
	UseLogin(ctx context.Context, kind nacre.LoginKind, tag []byte) (nacre.OwnerID, error)
}

// Link makes a link that logs a browser in as an owner, once, within 15
// minutes. The secret stands in the fragment, which browsers do not send: it
// reaches no log, and whoever only fetches the link uses nothing up.
func Link(ctx context.Context, l Logins, s Site, owner nacre.OwnerID) (string, error) {
	secret := newSecret()
	if err := l.PutLogin(ctx, nacre.LoginLink, tagOf(secret), owner, linkLife); err != nil {
		return "", err
	}
	return s.Origin() + "/login#" + secret, nil
}

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

// visitor is who makes a request.
type visitor struct {
	owner nacre.OwnerID
	login string // tells the browsers of an owner apart; empty with the token
}

// visitor finds out who makes a request, by the token or the cookie. It answers
// the request and returns false where neither is good.
func (d *door) visitor(w http.ResponseWriter, r *http.Request) (visitor, bool) {
	v, err := d.known(r)
	switch {
	case err == nil:
		return v, true
	case errors.Is(err, errOften):
		problem{nacre.Transient, err.Error()}.answer(w, http.StatusTooManyRequests)
	case nacre.KindOf(err) != nacre.NotFound:
		d.Log.Error("login not looked up", "err", err)
		problem{nacre.Transient, "Nacre cannot see now who you are; try again in a moment."}.answer(w, http.StatusServiceUnavailable)
	case r.URL.Path == "/" || r.URL.Path == "/channels":
		http.Redirect(w, r, "/login", http.StatusSeeOther)
	default:
		w.Header().Set("WWW-Authenticate", "Bearer")
		problem{nacre.Denied, errOut.Error()}.answer(w, http.StatusUnauthorized)
	}
	return visitor{}, false
}

// known is NotFound for somebody who is not logged in.
func (d *door) known(r *http.Request) (visitor, error) {
	if token, ok := bearer(r); ok {
		return d.holder(r, token)
	}
	c, err := r.Cookie(d.cookieName(r))
	if err != nil {
		return visitor{}, errOut
	}
	tag := tagOf(c.Value)
	owner, err := d.Logins.Login(r.Context(), nacre.LoginSession, tag)
	return visitor{owner, string(tag)}, err
}

// holder is the operator, if the token is theirs.
func (d *door) holder(r *http.Request, token string) (visitor, error) {
	from, now := sender(r), time.Now()
	if !d.throttle.open(from, now) {
		return visitor{}, errOften
	}
	if d.Token == "" || subtle.ConstantTimeCompare(tagOf(token), tagOf(d.Token)) != 1 {
		d.throttle.fail(from, now)
		return visitor{}, errOut
	}
	return visitor{owner: d.Operator()}, nil
}

func bearer(r *http.Request) (token string, ok bool) {
	return strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
}

// login uses a link up and gives the browser a session. A wrong link and an old
// one get the same answer. A right one always works: nobody can guess it, and
// somebody else behind the same proxy may have been guessing.
func (d *door) login(w http.ResponseWriter, r *http.Request) error {
	from, now := sender(r), time.Now()
	r.Body = http.MaxBytesReader(w, r.Body, 4<<10)
	owner, err := d.Logins.UseLogin(r.Context(), nacre.LoginLink, tagOf(r.PostFormValue("link")))
	if nacre.KindOf(err) == nacre.NotFound && !d.throttle.open(from, now) {
		problem{nacre.Transient, errOften.Error()}.answer(w, http.StatusTooManyRequests)
		return nil
	}
	if nacre.KindOf(err) == nacre.NotFound {
		d.throttle.fail(from, now)
		return nacre.Errorf(nacre.Denied, "This link is used up or too old. Ask for a new one.")
	}
	if err != nil {
		return err
	}
	secret := newSecret()
	if err := d.Logins.PutLogin(r.Context(), nacre.LoginSession, tagOf(secret), owner, sessionLife); err != nil {
		return err
	}
	d.Log.Info("a browser logged in", "owner", owner)
	http.SetCookie(w, d.cookie(r, secret, int(sessionLife/time.Second)))
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}

// logout ends the session of a browser and closes its pages.
func (d *door) logout(w http.ResponseWriter, r *http.Request, v visitor) error {
	_, err := d.Logins.UseLogin(r.Context(), nacre.LoginSession, []byte(v.login))
	if err != nil && nacre.KindOf(err) != nacre.NotFound {
		return err
	}
	d.Chat.logout(v.login)
	http.SetCookie(w, d.cookie(r, "", -1))
	http.Redirect(w, r, "/login", http.StatusSeeOther)
	return nil
}

// cookieName is that of the session. The prefix makes browsers refuse the
// cookie from any other host, but it needs https.
func (d *door) cookieName(r *http.Request) string {
	if d.Site.secure(r) {
		return "__Host-nacre"
	}
	return "nacre"
}

func (d *door) cookie(r *http.Request, value string, seconds int) *http.Cookie {
	return &http.Cookie{Name: d.cookieName(r), Value: value, Path: "/", MaxAge: seconds,
		Secure: d.Site.secure(r), HttpOnly: true, SameSite: http.SameSiteStrictMode}
}

var (
	errOut   = nacre.Errorf(nacre.NotFound, "You are not logged in. Ask for a link with /web in a chat, or with: nacre web")
	errOften = nacre.Errorf(nacre.Transient, "Too many logins failed. Try again in a minute.")
)
