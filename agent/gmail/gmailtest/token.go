package gmailtest

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Revoke takes the consent back, as its owner can in their account: all tokens are dead.
func (g *Google) Revoke() {
	g.mu.Lock()
	defer g.mu.Unlock()
	clear(g.refresh)
	clear(g.access)
	g.scopes = nil
}

// Expire ends all access tokens. Refresh tokens stay.
func (g *Google) Expire() {
	g.mu.Lock()
	defer g.mu.Unlock()
	clear(g.access)
}

// Granted reports whether a consent is in force.
func (g *Google) Granted() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.refresh) > 0
}

// serveToken is the token endpoint.
func (g *Google) serveToken(w http.ResponseWriter, r *http.Request) {
	if r.ParseForm() != nil || r.URL.RawQuery != "" {
		refuseToken(w, http.StatusBadRequest, "invalid_request")
		return
	}
	if r.PostForm.Get("client_id") != ClientID || r.PostForm.Get("client_secret") != Secret {
		refuseToken(w, http.StatusUnauthorized, "invalid_client")
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	switch r.PostForm.Get("grant_type") {
	case "authorization_code":
		g.exchange(w, r.PostForm)
	case "refresh_token":
		g.renew(w, r.PostForm)
	default:
		refuseToken(w, http.StatusBadRequest, "unsupported_grant_type")
	}
}

// exchange takes a code, once. It is called with mu held.
func (g *Google) exchange(w http.ResponseWriter, form url.Values) {
	c, ok := g.codes[form.Get("code")]
	sum := sha256.Sum256([]byte(form.Get("code_verifier")))
	switch {
	case !ok || !c.alive() || base64.RawURLEncoding.EncodeToString(sum[:]) != c.challenge:
		refuseToken(w, http.StatusBadRequest, "invalid_grant")
	case form.Get("redirect_uri") != c.redirect:
		refuseToken(w, http.StatusBadRequest, "redirect_uri_mismatch")
	case c.lasting:
		delete(g.codes, form.Get("code"))
		g.give(w, c.scopes, g.lasting(c.scopes), true)
	default:
		delete(g.codes, form.Get("code"))
		g.give(w, c.scopes, "", false)
	}
}

// renew takes a refresh token. It is called with mu held.
func (g *Google) renew(w http.ResponseWriter, form url.Values) {
	old := form.Get("refresh_token")
	c, ok := g.refresh[old]
	switch {
	case !ok || !c.alive():
		refuseToken(w, http.StatusBadRequest, "invalid_grant")
	case g.Rotate:
		delete(g.refresh, old)
		g.give(w, c.scopes, g.lasting(c.scopes), true)
	default:
		g.give(w, c.scopes, old, false)
	}
}

// lasting makes a refresh token. It is called with mu held.
func (g *Google) lasting(scopes []string) string {
	token, ends := g.mint("1//"), time.Time{}
	if g.RefreshLife > 0 {
		ends = time.Now().Add(g.RefreshLife)
	}
	g.refresh[token] = &grant{scopes: scopes, ends: ends}
	return token
}

// give answers with an access token, and with its refresh token if that is to be shown.
// It is called with mu held.
func (g *Google) give(w http.ResponseWriter, scopes []string, refresh string, show bool) {
	token := g.mint("ya29.")
	g.access[token] = &grant{scopes: scopes, refresh: refresh, ends: time.Now().Add(g.TokenLife)}
	answer := map[string]any{"access_token": token, "expires_in": int(g.TokenLife / time.Second), "token_type": "Bearer", "scope": strings.Join(scopes, " ")}
	if show {
		answer["refresh_token"] = refresh
	}
	send(w, http.StatusOK, answer)
}

// serveRevoke takes a consent back, by one of its tokens.
func (g *Google) serveRevoke(w http.ResponseWriter, r *http.Request) {
	if r.ParseForm() != nil || r.URL.RawQuery != "" {
		refuseToken(w, http.StatusBadRequest, "invalid_request")
		return
	}
	g.mu.Lock()
	_, known := g.refresh[r.PostForm.Get("token")]
	g.mu.Unlock()
	if !known {
		refuseToken(w, http.StatusBadRequest, "invalid_token")
		return
	}
	g.Revoke()
	send(w, http.StatusOK, map[string]string{})
}

func (c *grant) alive() bool { return c.ends.IsZero() || time.Now().Before(c.ends) }

// scoped lets requests through whose access token has one of the scopes.
func (g *Google) scoped(h http.HandlerFunc, scopes ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		g.mu.Lock()
		c, ok := g.access[token]
		g.mu.Unlock()
		switch {
		case !ok || !c.alive():
			refuse(w, http.StatusUnauthorized, "authError")
		case !slices.ContainsFunc(scopes, func(s string) bool { return slices.Contains(c.scopes, s) }):
			refuse(w, http.StatusForbidden, "insufficientPermissions")
		default:
			h(w, r)
		}
	}
}
