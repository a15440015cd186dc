package gmail_test

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"nacre"
	"nacre/agent/gmail"
	"nacre/agent/gmail/gmailtest"
)

const (
	profile  = "/gmail/v1/users/me/profile"
	messages = "/gmail/v1/users/me/messages"
	drafts   = "/gmail/v1/users/me/drafts"
	history  = "/gmail/v1/users/me/history"
)

func (w *world) fresh() error {
	_, _, err := w.gmail.Fresh(w.t.Context(), ann)
	return err
}

// An access token is used until shortly before its end, and then renewed once, however
// many want it.
func TestRenewal(t *testing.T) {
	in(t, func(w *world) {
		w.google.Rotate = true
		w.connect(ann, false)
		time.Sleep(58 * time.Minute)
		w.must(w.fresh())
		if n := len(w.google.Requests("/token")); n != 1 {
			w.t.Errorf("%d requests for tokens within the hour, want the exchange alone", n)
		}
		before := *w.account(ann)
		time.Sleep(2 * time.Minute)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if err := w.fresh(); err != nil {
					w.t.Error(err)
				}
			})
		}
		all.Wait()
		if n := len(w.google.Requests("/token")); n != 2 {
			w.t.Errorf("%d requests for tokens, want one renewal", n-1)
		}
		if a := w.account(ann); a.Refresh == before.Refresh || a.Access == before.Access {
			w.t.Error("the new tokens are not kept")
		}
		w.restart()
		time.Sleep(time.Hour)
		w.must(w.fresh())
	})
}

// A renewal whose tokens cannot be kept is not used: a process that ends would lose the
// consent.
func TestKeptBeforeUsed(t *testing.T) {
	in(t, func(w *world) {
		w.connect(ann, false)
		time.Sleep(2 * time.Hour)
		w.store.failed = errors.New("the disk is full")
		before := len(w.google.Requests(profile))
		if err := w.fresh(); !errors.Is(err, w.store.failed) || gmail.TroubleOf(err) != "" {
			w.t.Errorf("error %v", err)
		}
		if n := len(w.google.Requests(profile)) - before; n != 0 {
			w.t.Errorf("%d requests with what is not kept", n)
		}
		w.store.failed = nil
		w.must(w.fresh())
	})
}

// A renewal goes on though whoever wanted it does not: its tokens would be lost.
func TestRenewalGoesOn(t *testing.T) {
	in(t, func(w *world) {
		w.google.Rotate = true
		w.connect(ann, false)
		time.Sleep(2 * time.Hour)
		w.google.Break(gmailtest.Fault{Path: "/token", Times: 1, Slow: 5 * time.Second})
		ctx, cancel := context.WithTimeout(w.t.Context(), time.Second)
		defer cancel()
		if _, _, err := w.gmail.Fresh(ctx, ann); !errors.Is(err, context.DeadlineExceeded) {
			w.t.Errorf("error %v", err)
		}
		w.must(w.fresh())
	})
}

// An access token that Google takes no more is renewed once; a consent that is gone is
// said so, and what is kept stays.
func TestRevoked(t *testing.T) {
	in(t, func(w *world) {
		w.connect(ann, false)
		w.google.Expire()
		w.must(w.fresh())
		if n := len(w.google.Requests("/token")); n != 2 {
			w.t.Errorf("%d requests for tokens", n)
		}
		w.google.Fail(profile, 2, 401, "authError")
		w.is("twice refused", w.fresh(), nacre.Denied, gmail.Revoked)
		w.must(w.fresh())
		w.google.Revoke()
		w.is("revoked", w.fresh(), nacre.Denied, gmail.Revoked)
		if a := w.account(ann); a == nil || a.Refresh == "" {
			w.t.Error("the account is gone")
		}
		w.connect(ann, false)
		w.must(w.fresh())
	})
}

// A client that Google still tests has consents that run out after a week.
func TestConsentRunsOut(t *testing.T) {
	in(t, func(w *world) {
		w.google.RefreshLife = 7 * 24 * time.Hour
		w.connect(ann, false)
		time.Sleep(6 * 24 * time.Hour)
		w.must(w.fresh())
		time.Sleep(2 * 24 * time.Hour)
		w.is("a week later", w.fresh(), nacre.Denied, gmail.Revoked)
	})
}

func TestDisconnect(t *testing.T) {
	for _, tc := range []struct {
		name  string
		fault gmailtest.Fault
		want  bool
	}{
		{"as it should be", gmailtest.Fault{}, true},
		{"at the second try", gmailtest.Fault{Path: "/revoke", Times: 1, Status: 503}, true},
		{"gone already", gmailtest.Fault{Path: "/revoke", Times: -1, Status: 400, Reason: "invalid_token"}, true},
		{"refused", gmailtest.Fault{Path: "/revoke", Times: -1, Status: 400, Reason: "invalid_request"}, false},
		{"down", gmailtest.Fault{Path: "/revoke", Times: -1, Status: 500}, false},
		{"cut off", gmailtest.Fault{Path: "/revoke", Times: -1, Cut: true}, false},
		{"without an answer", gmailtest.Fault{Path: "/revoke", Times: -1, Slow: time.Hour}, false},
	} {
		in(t, func(w *world) {
			w.connect(ann, false)
			url := w.google.Consent(w.begin(ann, false), gmailtest.Choice{})
			w.google.Break(tc.fault)
			began := time.Now()
			gone, err := w.gmail.Disconnect(w.t.Context(), ann)
			if gone != tc.want || err != nil || w.account(ann) != nil || time.Since(began) > 15*time.Second {
				w.t.Errorf("%s: %v, %v after %s; kept %v", tc.name, gone, err, time.Since(began), w.account(ann))
			}
			_, err = w.gmail.Finish(w.t.Context(), ann, url)
			w.is(tc.name+", what was begun", err, nacre.Denied, "")
		})
	}
}

// No redirect is followed, which could carry a token elsewhere.
func TestRedirects(t *testing.T) {
	in(t, func(w *world) {
		w.connect(ann, false)
		for path, kind := range map[string]string{profile: "/elsewhere", "/token": "/elsewhere"} {
			time.Sleep(2 * time.Hour)
			w.google.Break(gmailtest.Fault{Path: path, Times: -1, Status: http.StatusTemporaryRedirect, Location: kind, Body: "{}"})
			w.is(path, w.fresh(), nacre.Transient, gmail.Down)
			w.google.Heal()
		}
		if n := len(w.google.Requests("/elsewhere")); n != 0 {
			w.t.Errorf("%d redirects were followed", n)
		}
	})
}

// Two owners have nothing to do with each other.
func TestOwnersApart(t *testing.T) {
	in(t, func(w *world) {
		w.connect(ann, false)
		_, _, err := w.gmail.Fresh(w.t.Context(), bob)
		w.is("bob", err, nacre.NotFound, "")
		w.must(w.fresh())
	})
}
