package gmail

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"golang.org/x/oauth2"
	api "google.golang.org/api/gmail/v1"
	"google.golang.org/api/option"

	"nacre"
)

// Limits of a request.
const (
	maxTime   = 60 * time.Second // all of it, body included
	maxAnswer = 8 << 20          // bytes: a mail of the largest size, as base64 in JSON
)

// errTooLarge ends the reading of an answer that is longer than maxAnswer.
var errTooLarge = errors.New("the answer is too large")

// places are where Google is.
type places struct{ auth, token, revoke, mail string }

// placesAt are the places under one address; the real ones for an empty one.
func placesAt(base string) places {
	if base == "" {
		return places{
			auth: "https://accounts.google.com/o/oauth2/v2/auth", token: "https://oauth2.googleapis.com/token",
			revoke: "https://oauth2.googleapis.com/revoke", mail: "https://gmail.googleapis.com/",
		}
	}
	base = strings.TrimRight(base, "/")
	return places{base + "/o/oauth2/v2/auth", base + "/token", base + "/revoke", base + "/"}
}

// clientOf is the client for all requests. It follows no redirect, which could carry a
// token elsewhere, and reads no answer without end.
func clientOf(base *http.Client) *http.Client {
	if base == nil {
		base = &http.Client{Transport: &http.Transport{
			Proxy:               nil, // what a proxy of the environment is for, nobody knows
			DialContext:         (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
			ForceAttemptHTTP2:   true,
			TLSHandshakeTimeout: 10 * time.Second,
			IdleConnTimeout:     30 * time.Second,
		}}
	}
	c := *base
	if c.Transport == nil {
		c.Transport = http.DefaultTransport
	}
	c.Transport = line{c.Transport}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c.Jar = nil
	if c.Timeout == 0 {
		c.Timeout = maxTime
	}
	return &c
}

// bearer is the key of the access token in a context, for line alone.
type bearer struct{}

// line is a transport that adds the access token to a request and bounds its answer.
type line struct{ to http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (l line) RoundTrip(r *http.Request) (*http.Response, error) {
	if token, ok := r.Context().Value(bearer{}).(string); ok {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := l.to.RoundTrip(r)
	if err == nil {
		resp.Body = &bounded{resp.Body, maxAnswer}
	}
	return resp, err
}

// bounded is a body of which no more is read than is left.
type bounded struct {
	io.ReadCloser
	left int64
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLarge
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// newService makes the client of Gmail's API. It has no credentials of the machine's,
// measures nothing and logs nothing, whatever the environment says: a log of its would
// show tokens and mails.
func (g *Gmail) newService() (*api.Service, error) {
	s, err := api.NewService(context.Background(), option.WithEndpoint(g.places.mail), option.WithHTTPClient(g.http),
		option.WithoutAuthentication(), option.WithTelemetryDisabled(), option.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		return nil, nacre.Errorf(nacre.Internal, "The client of Gmail cannot be set up.")
	}
	return s, nil
}

// oauth is the client of the token endpoint, for an owner's client.
func (g *Gmail) oauth(c Client) *oauth2.Config {
	return &oauth2.Config{
		ClientID: c.ID, ClientSecret: c.Secret,
		Endpoint: oauth2.Endpoint{AuthURL: g.places.auth, TokenURL: g.places.token, AuthStyle: oauth2.AuthStyleInParams},
	}
}

// wired is a context by which package oauth2 uses our client.
func (g *Gmail) wired(ctx context.Context) context.Context {
	return context.WithValue(ctx, oauth2.HTTPClient, g.http)
}
