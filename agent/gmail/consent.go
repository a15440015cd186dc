package gmail

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"maps"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"
	api "google.golang.org/api/gmail/v1"

	"nacre"
)

// The scopes: what reading needs, and what drafts need on top of it.
const (
	toRead  = api.GmailReadonlyScope
	toDraft = api.GmailComposeScope
)

// Limits of a consent.
const (
	maxConsent = 10 * time.Minute // from Begin to Finish
	maxFinish  = 30 * time.Second // of Finish itself; a person waits
	maxReturn  = 8 << 10          // bytes of what a browser comes back with
	maxClient  = 256              // bytes of a client's id, and of its secret
)

// consent is one that an owner has begun to give. A process that ends forgets it.
type consent struct {
	owner    nacre.OwnerID
	state    string // 256 random bits, which come back once
	verifier string // PKCE's: whoever has the code alone can do nothing with it
	client   Client
	drafts   bool
	back     string
	anywhere bool
	ends     time.Time
}

// Wish is what an owner wants consent for.
type Wish struct {
	Client Client // empty for the one that is kept already
	Drafts bool   // also for writing drafts
	Back   string // where the browser comes back to: a loopback address, or one that the client is registered for
	// Anywhere is for a consent that is begun where nobody is logged in, as in a
	// terminal: it may be finished where nobody is, too.
	Anywhere bool
}

// Begin returns the address at Google's where the owner consents. What comes back is
// for Finish, within ten minutes and once. A Begin of an owner ends the one before.
// Invalid if the client is no client, or Google would not send a browser there.
func (g *Gmail) Begin(ctx context.Context, owner nacre.OwnerID, w Wish) (url string, err error) {
	client, err := g.clientFor(ctx, owner, w.Client)
	if err != nil {
		return "", err
	}
	if !returnable(w.Back) {
		return "", nacre.Errorf(nacre.Invalid, "Google sends a browser back only to an https address or to this computer itself. Open the page under such an address, or use nacre gmail connect.")
	}
	c := consent{owner: owner, state: secret(), verifier: oauth2.GenerateVerifier(), client: client, drafts: w.Drafts, back: w.Back, anywhere: w.Anywhere, ends: g.opts.Now().Add(maxConsent)}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.consents[owner] = c
	delete(g.failed, owner)
	return g.consentPage(c), nil
}

// consentPage is the address of Google's page for a consent. What was allowed before is
// asked for again where more is wanted, so that it is not lost.
func (g *Gmail) consentPage(c consent) string {
	o := g.oauth(c.client)
	o.RedirectURL, o.Scopes = c.back, []string{toRead}
	extra := []oauth2.AuthCodeOption{oauth2.AccessTypeOffline, oauth2.SetAuthURLParam("prompt", "consent"), oauth2.S256ChallengeOption(c.verifier)}
	if c.drafts {
		o.Scopes = append(o.Scopes, toDraft)
		extra = append(extra, oauth2.SetAuthURLParam("include_granted_scopes", "true"))
	}
	return o.AuthCodeURL(c.state, extra...)
}

// clientFor is the client that an owner gives, or else the one that is kept.
func (g *Gmail) clientFor(ctx context.Context, owner nacre.OwnerID, given Client) (Client, error) {
	given = Client{strings.TrimSpace(given.ID), strings.TrimSpace(given.Secret)}
	if given != (Client{}) {
		return given, g.checkClient(given)
	}
	a, err := g.account(ctx, owner)
	if nacre.KindOf(err) == nacre.NotFound {
		err = nacre.Errorf(nacre.Invalid, "Gmail needs a client of your own at Google: give its client ID and its client secret.")
	}
	return a.Client, err
}

// Shapes of a client.
var (
	clientID     = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)
	clientSecret = regexp.MustCompile(`^[!-~]+$`)
)

// checkClient looks whether something can be a client.
func (g *Gmail) checkClient(c Client) error {
	const ours = ".apps.googleusercontent.com"
	switch {
	case !clientID.MatchString(c.ID) || len(c.ID) > maxClient || g.opts.Google == "" && (!strings.HasSuffix(c.ID, ours) || c.ID == ours):
		return nacre.Errorf(nacre.Invalid, "That is no client ID of Google's: one ends in %s.", ours)
	case !clientSecret.MatchString(c.Secret) || len(c.Secret) > maxClient:
		return nacre.Errorf(nacre.Invalid, "That is no client secret of Google's. It stands beside the client ID.")
	}
	return nil
}

// returnable reports whether Google sends browsers to an address.
func returnable(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || u.Fragment != "" || u.RawQuery != "" || len(address) > maxReturn {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && loopback(u.Hostname())
}

// loopback reports whether a host is this computer.
func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}

// secret is 256 random bits as text.
func secret() string {
	b := make([]byte, 32)
	rand.Read(b) // it never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// Finish takes what Google sent the browser back with: a whole address, or its query.
// It returns whose consent it is. A state that is not known, or was used, is Denied,
// and so is a consent that the owner did not give; nothing is changed then. by is the
// owner who brings it, so that nobody's mailbox is connected to somebody else who sent
// them to Google; it is empty where nobody is logged in, which does for a Wish of
// Anywhere.
func (g *Gmail) Finish(ctx context.Context, by nacre.OwnerID, back string) (nacre.OwnerID, error) {
	q, err := returned(back)
	if err != nil {
		return "", err
	}
	c, ok := g.settle(by, q.Get("state"))
	if !ok {
		return "", nacre.Errorf(nacre.Denied, sayUnknown)
	}
	if err := g.finish(ctx, c, q); err != nil {
		g.fails(c.owner, err)
		return "", err
	}
	return c.owner, nil
}

// finish does what a consent is for, whose answer came.
func (g *Gmail) finish(ctx context.Context, c consent, q url.Values) error {
	switch {
	case q.Get("error") == "access_denied":
		return nacre.Errorf(nacre.Denied, "You did not give your consent, so Gmail stays as it was.")
	case q.Get("error") != "" || q.Get("code") == "":
		return nacre.Errorf(nacre.Denied, "Google gave no consent. Please begin again.")
	}
	ctx, cancel := context.WithTimeout(ctx, maxFinish)
	defer cancel()
	return g.connect(ctx, c, q.Get("code"))
}

// fails notes why a consent came to nothing, for whoever waits elsewhere for it.
func (g *Gmail) fails(owner nacre.OwnerID, err error) {
	text := "It could not be connected. Please begin again."
	if nacre.KindOf(err) != nacre.Internal {
		text = err.Error()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.failed[owner] = text
}

// returned reads what a browser came back with.
func returned(back string) (url.Values, error) {
	back = strings.TrimSpace(back)
	_, query, whole := strings.Cut(back, "?")
	if !whole {
		query = back
	}
	query, _, _ = strings.Cut(query, "#")
	q, err := url.ParseQuery(query)
	if err != nil || len(back) > maxReturn || len(q["state"]) != 1 || len(q["code"]) > 1 || len(q["error"]) > 1 {
		return nil, nacre.Errorf(nacre.Invalid, "That is not the address to which Google sent your browser. Copy all of it from the address bar; it holds \"state=\" and \"code=\".")
	}
	return q, nil
}

// sayUnknown tells no more than that, as anybody may ask.
const sayUnknown = "This consent is not known here. It may be older than ten minutes, used already, or begun by somebody else. Please begin again."

// settle takes the consent that has a state, once. How long it looks tells nothing of
// the states. One that somebody else tries to finish stays.
func (g *Gmail) settle(by nacre.OwnerID, state string) (consent, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	var found consent
	for _, c := range g.consents {
		if subtle.ConstantTimeCompare([]byte(c.state), []byte(state)) == 1 {
			found = c
		}
	}
	if found.state == "" || by != found.owner && (by != "" || !found.anywhere) {
		return consent{}, false
	}
	delete(g.consents, found.owner)
	return found, g.opts.Now().Before(found.ends)
}

// Forgotten ends what an owner has begun, a consent and the drafts that they were asked
// about, since what they had forgotten may stand in it.
func (g *Gmail) Forgotten(owner nacre.OwnerID) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.consents, owner)
	delete(g.failed, owner)
	maps.DeleteFunc(g.asks, func(_ nacre.SessionID, q *question) bool { return q.owner == owner })
}

// connect makes of a code an account, and keeps it.
func (g *Gmail) connect(ctx context.Context, c consent, code string) error {
	t, err := persist(ctx, func() (*oauth2.Token, error) { return g.exchange(ctx, c, code) })
	if err != nil {
		return sayExchange(err)
	}
	scopes := granted(t)
	switch {
	case !slices.Contains(scopes, toRead):
		return nacre.Errorf(nacre.Denied, "You did not allow reading your mail, and without it nothing can be done. Please begin again, and tick it on Google's page.")
	case t.RefreshToken == "":
		return nacre.Errorf(nacre.Denied, "Google gave a consent that does not last. Please begin again.")
	}
	address, err := g.address(ctx, t.AccessToken)
	if err != nil {
		return err
	}
	a := Account{Client: c.client, Address: address, Drafts: c.drafts && slices.Contains(scopes, toDraft), Since: g.opts.Now()}
	g.take(&a, t)
	return g.keep(ctx, c.owner, a)
}

// exchange takes a code to the token endpoint.
func (g *Gmail) exchange(ctx context.Context, c consent, code string) (*oauth2.Token, error) {
	o := g.oauth(c.client)
	o.RedirectURL = c.back
	t, err := o.Exchange(g.wired(ctx), code, oauth2.VerifierOption(c.verifier))
	return t, judge(ctx, err)
}

// sayExchange says what an owner can do about a code that was not taken.
func sayExchange(err error) error {
	f, _ := errors.AsType[failure](err)
	switch f.code {
	case "invalid_client", "unauthorized_client", "deleted_client":
		return nacre.Errorf(nacre.Invalid, "Google does not know this client. Check its client ID and its client secret, and begin again.")
	case "redirect_uri_mismatch":
		return nacre.Errorf(nacre.Invalid, "Your client at Google does not allow the address of this page. Add it there, or use a client of the kind Desktop app, and begin again.")
	case "invalid_grant":
		return nacre.Errorf(nacre.Denied, "Google does not take this consent any more. Please begin again.")
	}
	return err
}

// granted are the scopes that were really given. What Google does not name counts as
// not given.
func granted(t *oauth2.Token) []string {
	text, _ := t.Extra("scope").(string)
	return strings.Fields(text)
}

// address is whose mailbox an access token is for.
func (g *Gmail) address(ctx context.Context, token string) (string, error) {
	service, err := g.service()
	if err != nil {
		return "", err
	}
	p, err := persist(ctx, func() (*api.Profile, error) {
		p, err := service.Users.GetProfile("me").Context(context.WithValue(ctx, bearer{}, token)).Do()
		return p, judge(ctx, err)
	})
	switch {
	case err != nil:
		return "", err
	case !isAddress(p.EmailAddress):
		return "", judged(nacre.Transient, sayDown, failure{trouble: Down}, 0)
	}
	return p.EmailAddress, nil
}

// keep puts a new account in the place of the old one. What was learned stays known if
// it is the same mailbox.
func (g *Gmail) keep(ctx context.Context, owner nacre.OwnerID, a Account) error {
	release, err := g.alone(ctx, owner)
	if err != nil {
		return err
	}
	defer release()
	old, err := g.opts.Store.Account(ctx, owner)
	if err != nil {
		return err
	}
	if old != nil && strings.EqualFold(old.Address, a.Address) {
		a.Learned, a.UpTo = old.Learned, old.UpTo
	}
	return g.opts.Store.Keep(ctx, owner, &a)
}
