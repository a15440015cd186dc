package gmailtest

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// grant is what a code or a token stands for.
type grant struct {
	scopes              []string
	redirect, challenge string    // of a code
	refresh             string    // of an access token: the one that it came with
	lasting             bool      // of a code: it may have a refresh token
	ends                time.Time // zero for never
}

// Choice is what a person does on the consent page. The zero Choice allows everything.
type Choice struct {
	Refuse  bool
	Without []string // scopes that they do not tick
}

// Consent opens an address of the consent page and does there what a person chooses. It
// returns where their browser is sent. The test fails where Google would show an error.
func (g *Google) Consent(address string, c Choice) (back string) {
	g.t.Helper()
	u, err := url.Parse(address)
	if err != nil || !strings.HasPrefix(address, g.URL+"/o/oauth2/v2/auth?") {
		g.t.Fatalf("%q is no consent page", address)
	}
	back, flaw := g.consent(u.Query(), c)
	if flaw != "" {
		g.t.Fatalf("the consent page shows an error: %s", flaw)
	}
	return back
}

// Scopes are the scopes that consent was asked for, each time.
func (g *Google) Scopes() [][]string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.asked)
}

// serveConsent is the consent page, on which everybody allows everything.
func (g *Google) serveConsent(w http.ResponseWriter, r *http.Request) {
	back, flaw := g.consent(r.URL.Query(), Choice{})
	if flaw != "" {
		http.Error(w, flaw, http.StatusBadRequest)
		return
	}
	http.Redirect(w, r, back, http.StatusFound)
}

// consent is where a browser is sent, or what is wrong with what it was asked.
func (g *Google) consent(q url.Values, c Choice) (back, flaw string) {
	if flaw := g.flaw(q); flaw != "" {
		return "", flaw
	}
	scopes := strings.Fields(q.Get("scope"))
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked = append(g.asked, scopes)
	answer := url.Values{"state": {q.Get("state")}, "error": {"access_denied"}}
	if !c.Refuse {
		scopes = slices.DeleteFunc(slices.Clone(scopes), func(s string) bool { return slices.Contains(c.Without, s) })
		answer = url.Values{"state": {q.Get("state")}, "code": {g.code(q, scopes)}, "scope": {strings.Join(scopes, " ")}}
	}
	return q.Get("redirect_uri") + "?" + answer.Encode(), ""
}

// code gives a code for scopes. It is called with mu held.
func (g *Google) code(q url.Values, scopes []string) string {
	if q.Get("include_granted_scopes") == "true" {
		scopes = slices.Concat(scopes, g.scopes)
	}
	slices.Sort(scopes)
	scopes = slices.Compact(scopes)
	g.scopes = append(g.scopes, scopes...)
	code := g.mint("4/")
	g.codes[code] = &grant{
		scopes: scopes, redirect: q.Get("redirect_uri"), challenge: q.Get("code_challenge"),
		lasting: q.Get("access_type") == "offline" && q.Get("prompt") == "consent", ends: time.Now().Add(10 * time.Minute),
	}
	return code
}

// flaw is what is wrong with what the consent page is asked.
func (g *Google) flaw(q url.Values) string {
	switch {
	case q.Get("client_id") != ClientID:
		return "invalid_client"
	case q.Get("response_type") != "code":
		return "unsupported_response_type"
	case q.Get("code_challenge_method") != "S256" || len(q.Get("code_challenge")) != 43:
		return "invalid_request: no code challenge"
	case len(q.Get("state")) < 43:
		return "invalid_request: no state, or a short one"
	case !g.redirects(q.Get("redirect_uri")):
		return "redirect_uri_mismatch"
	}
	for _, s := range strings.Fields(q.Get("scope")) {
		if s != Readonly && s != Compose {
			return fmt.Sprintf("invalid_scope: %s", s)
		}
	}
	if q.Get("scope") == "" {
		return "invalid_scope"
	}
	return ""
}

// redirects reports whether browsers may be sent to an address.
func (g *Google) redirects(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Fragment != "" || u.RawQuery != "" {
		return false
	}
	loopback := u.Scheme == "http" && slices.Contains([]string{"127.0.0.1", "::1", "localhost"}, u.Hostname())
	return slices.Contains(g.Redirects, address) || loopback && !g.Exact
}
