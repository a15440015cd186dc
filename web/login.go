package web

import (
	"crypto/subtle"
	"errors"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"nacre"
)

var (
	errOut     = nacre.Errorf(nacre.NotFound, "You are not logged in. Ask for a link with /web in a chat, or with: nacre web")
	errOften   = nacre.Errorf(nacre.Transient, "Too many logins failed. Wait a while before you try again.")
	errForeign = nacre.Errorf(nacre.Denied, "This is not a page of Nacre.")
)

// visitor is who makes a request.
type visitor struct {
	owner nacre.OwnerID
	login nacre.LoginID // empty with the token of the configuration
}

// visitor finds out who makes a request, by the token or the cookie. It answers
// the request and returns false where neither is good.
func (d *door) visitor(w http.ResponseWriter, r *http.Request) (visitor, bool) {
	v, err := d.known(r)
	switch {
	case err == nil:
		return v, true
	case errors.Is(err, errOften):
		refuse(w, d.secrets.wait(d.Site.sender(r), time.Now()))
	case errors.Is(err, errForeign):
		problemOf(err).answer(w, http.StatusForbidden)
	case nacre.KindOf(err) != nacre.NotFound:
		d.Log.Error("login not looked up", "err", err)
		newProblem(nacre.Transient, "Nacre cannot see now who you are; try again in a moment.").answer(w, http.StatusServiceUnavailable)
	case isRoom(r.URL.Path):
		http.Redirect(w, r, "/login"+back(r), http.StatusSeeOther)
	default:
		w.Header().Set("WWW-Authenticate", "Bearer")
		newProblem(nacre.Denied, errOut.Error()).answer(w, http.StatusUnauthorized)
	}
	return visitor{}, false
}

// back has the way in lead on to where somebody wanted to go.
func back(r *http.Request) string {
	if to := r.URL.RequestURI(); to != "/" {
		return "?to=" + url.QueryEscape(to)
	}
	return ""
}

// refuse answers somebody who has to wait.
func refuse(w http.ResponseWriter, pause time.Duration) {
	w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(pause.Seconds()))))
	problemOf(errOften).answer(w, http.StatusTooManyRequests)
}

// known is NotFound for somebody who is not logged in. A browser sends its cookie
// whatever page asks it to, so that what changes something must come from a page of
// ours besides.
func (d *door) known(r *http.Request) (visitor, error) {
	if token, ok := bearer(r); ok {
		return d.holder(r, token)
	}
	v, err := d.browser(r)
	if err == nil && r.Method != http.MethodGet && r.Method != http.MethodHead && !d.Site.from(r) {
		err = errForeign
	}
	return v, err
}

// browser is who is logged in by the cookie of a request.
func (d *door) browser(r *http.Request) (visitor, error) {
	c, err := r.Cookie(d.cookieName(r))
	if err != nil {
		return visitor{}, errOut
	}
	g, err := d.Porter.known(r.Context(), nacre.LoginSession, c.Value)
	return visitor{g.Owner, g.ID}, err
}

// holder is whose token it is. As with links, a right one always works. What has not
// the form of one is not looked for.
func (d *door) holder(r *http.Request, token string) (visitor, error) {
	if d.Token != "" && subtle.ConstantTimeCompare(tagOf(token), tagOf(d.Token)) == 1 {
		return visitor{owner: d.Operator()}, nil
	}
	g, err := nacre.Login{}, error(errOut)
	if strings.HasPrefix(token, tokenPrefix) {
		g, err = d.Porter.known(r.Context(), nacre.LoginToken, token)
	}
	if nacre.KindOf(err) != nacre.NotFound {
		return visitor{g.Owner, g.ID}, err
	}
	from, now := d.Site.sender(r), time.Now()
	if d.secrets.wait(from, now) > 0 {
		return visitor{}, errOften
	}
	d.secrets.fail(from, now)
	return visitor{}, errOut
}

// bearer is the token of a request. The name of the scheme may be written in any case
// (RFC 9110, 11.1).
func bearer(r *http.Request) (token string, ok bool) {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	return token, ok && strings.EqualFold(scheme, "Bearer")
}

// maxForm bounds what is posted to log in, in bytes.
const maxForm = 4 << 10

// byLink uses a link up and logs the browser in. A wrong link and an old one get the
// same answer. A right one always works: nobody can guess it, and somebody else
// behind the same proxy may have been guessing.
func (d *door) byLink(w http.ResponseWriter, r *http.Request) error {
	from, now := d.Site.sender(r), time.Now()
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	owner, err := d.Porter.logins.UseLink(r.Context(), tagOf(r.PostFormValue("link")))
	if pause := d.secrets.wait(from, now); nacre.KindOf(err) == nacre.NotFound && pause > 0 {
		refuse(w, pause)
		return nil
	}
	if nacre.KindOf(err) == nacre.NotFound {
		d.secrets.fail(from, now)
		return nacre.Errorf(nacre.Denied, "This link is used up or too old. Ask for a new one.")
	}
	if err != nil {
		return err
	}
	return d.welcome(w, r, owner, "link")
}

// byPassword logs the browser in that sends a name and its password. Who failed
// before has to wait, also with the right one; how long counts for the address, and
// for the name, wherever it is tried from.
func (d *door) byPassword(w http.ResponseWriter, r *http.Request) error {
	if !d.Site.from(r) {
		return errForeign
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	from, name := "from "+d.Site.sender(r), "name "+fold(r.PostFormValue("name"))
	if pause := d.guess(from, name); pause > 0 {
		refuse(w, pause)
		return nil
	}
	owner, err := d.Porter.byPassword(r.Context(), r.PostFormValue("name"), r.PostFormValue("password"))
	if nacre.KindOf(err) == nacre.NotFound {
		return nacre.Errorf(nacre.Denied, "The name or the password is wrong.")
	}
	d.guesses.pardon(from)
	if err != nil {
		d.guesses.pardon(name)
		return err
	}
	d.guesses.forgive(name)
	return d.welcome(w, r, owner, "password")
}

// guess notes that a password is being tried, which has not failed yet; where it is
// too early for that, it returns how long.
func (d *door) guess(from, name string) (pause time.Duration) {
	now := time.Now()
	if pause = d.guesses.try(from, now); pause > 0 {
		return pause
	}
	if pause = d.guesses.try(name, now); pause > 0 {
		d.guesses.pardon(from)
	}
	return pause
}

// welcome gives a browser a session. The secret is a new one, whatever the browser
// came with, and a session that it had ends.
func (d *door) welcome(w http.ResponseWriter, r *http.Request, owner nacre.OwnerID, way string) error {
	secret, err := d.Porter.session(r.Context(), owner, browserName(r.UserAgent()))
	if err != nil {
		return err
	}
	if before, err := d.browser(r); err == nil {
		d.Porter.end(r.Context(), before.owner, before.login) // else it ends with its time
	}
	d.Log.Info("a browser logged in", "owner", owner, "by", way)
	http.SetCookie(w, d.cookie(r, secret, int(sessionLife/time.Second)))
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}

// logout ends the session of a browser and closes its pages.
func (d *door) logout(w http.ResponseWriter, r *http.Request, v visitor) error {
	err := d.Porter.end(r.Context(), v.owner, v.login)
	if err != nil && nacre.KindOf(err) != nacre.NotFound {
		return err
	}
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
