package gmail

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"nacre"
)

// Limits of tokens.
const (
	early      = time.Minute      // so long before its end, an access token is renewed
	maxRenewal = 30 * time.Second // of one renewal
	maxRevoke  = 15 * time.Second // of taking consent back; a person waits
)

// access is an access token of an owner's that is good and not stale. It is renewed if
// need be, by one at a time. Denied if the consent is gone.
func (g *Gmail) access(ctx context.Context, owner nacre.OwnerID, stale string) (string, error) {
	release, err := g.alone(ctx, owner)
	if err != nil {
		return "", err
	}
	defer release()
	a, err := g.account(ctx, owner)
	if err != nil {
		return "", err
	}
	if a.Access != "" && a.Access != stale && g.opts.Now().Add(early).Before(a.Expires) {
		return a.Access, nil
	}
	return g.renew(ctx, owner, a)
}

// renew asks for a new access token and keeps it, together with the refresh token that
// may have come in the place of the old one, before anybody uses them. It goes on
// though ctx ends: half done, the consent would be lost.
func (g *Gmail) renew(ctx context.Context, owner nacre.OwnerID, a Account) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxRenewal)
	defer cancel()
	t, err := g.oauth(a.Client).TokenSource(g.wired(ctx), &oauth2.Token{RefreshToken: a.Refresh}).Token()
	if err != nil {
		return "", judge(context.Background(), err) // our deadline counts as Google's silence
	}
	g.take(&a, t)
	if err := g.opts.Store.Keep(ctx, owner, &a); err != nil {
		return "", err
	}
	return a.Access, nil
}

// take puts what came from the token endpoint into an account.
func (g *Gmail) take(a *Account, t *oauth2.Token) {
	a.Access = t.AccessToken
	a.Expires = g.opts.Now().Add(time.Duration(t.ExpiresIn) * time.Second)
	if t.RefreshToken != "" {
		a.Refresh = t.RefreshToken
	}
}

// revoke takes a consent back at Google's. It reports whether it is gone there.
func (g *Gmail) revoke(ctx context.Context, token string) bool {
	ctx, cancel := context.WithTimeout(ctx, maxRevoke)
	defer cancel()
	gone, err := persist(ctx, func() (bool, error) {
		gone, err := g.askRevoke(ctx, token)
		return gone, judge(ctx, err)
	})
	return gone && err == nil
}

// askRevoke asks once. A token that Google does not know is gone too.
func (g *Gmail) askRevoke(ctx context.Context, token string) (gone bool, err error) {
	form := url.Values{"token": {token}}.Encode()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, g.places.revoke, strings.NewReader(form))
	if err != nil {
		return false, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := g.http.Do(r)
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<16))
	if code := codeOf(body); err == nil && resp.StatusCode != http.StatusOK && code != "invalid_token" {
		err = &oauth2.RetrieveError{Response: resp, ErrorCode: code}
	}
	return err == nil, err
}

// codeOf is the error of OAuth in the body of a refusal.
func codeOf(body []byte) string {
	var in struct {
		Error string `json:"error"`
	}
	if json.Unmarshal(body, &in) != nil {
		return ""
	}
	return in.Error
}
