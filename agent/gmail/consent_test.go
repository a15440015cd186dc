package gmail_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/agent/gmail"
	"nacre/agent/gmail/gmailtest"
)

// The whole way over real sockets: consent, mails, a draft's scope, and back.
func TestOverSockets(t *testing.T) {
	w := newWorld(t, gmailtest.New(t))
	w.google.AddSent(letter(1), time.Now())
	w.connect(ann, false)
	state, err := w.gmail.State(t.Context(), ann)
	if err != nil || !state.Connected || state.Address != gmailtest.Address || state.Drafts || state.Since.IsZero() {
		t.Errorf("connected: %+v, %v", state, err)
	}
	mails := 0
	w.must(w.gmail.Sent(t.Context(), ann, time.Time{}, func([]byte) bool { mails++; return true }))
	if mails != 1 {
		t.Errorf("%d mails were read", mails)
	}
	if gone, err := w.gmail.Disconnect(t.Context(), ann); !gone || err != nil || w.google.Granted() || w.account(ann) != nil {
		t.Errorf("disconnected: %v, %v", gone, err)
	}
}

// What Google is asked for is what is needed, and no more.
func TestScopes(t *testing.T) {
	in(t, func(w *world) {
		for _, tc := range []struct {
			drafts  bool
			scopes  []string
			include string
		}{
			{false, []string{gmailtest.Readonly}, ""},
			{true, []string{gmailtest.Readonly, gmailtest.Compose}, "true"},
		} {
			page := w.begin(ann, tc.drafts)
			u, _ := url.Parse(page)
			q := u.Query()
			if q.Get("access_type") != "offline" || q.Get("prompt") != "consent" || q.Get("include_granted_scopes") != tc.include || q.Get("redirect_uri") != back || q.Get("client_secret") != "" {
				w.t.Errorf("the page is asked %v", q)
			}
			w.google.Consent(page, gmailtest.Choice{})
			if asked := w.google.Scopes(); !slices.Equal(asked[len(asked)-1], tc.scopes) {
				w.t.Errorf("asked for %v, want %v", asked[len(asked)-1], tc.scopes)
			}
		}
	})
}

// What was not granted is not assumed.
func TestGranted(t *testing.T) {
	for _, tc := range []struct {
		name    string
		drafts  bool
		without []string
		kind    nacre.Kind // Internal for none
		may     bool
	}{
		{"reading", false, nil, nacre.Internal, false},
		{"both", true, nil, nacre.Internal, true},
		{"no drafts", true, []string{gmailtest.Compose}, nacre.Internal, false},
		{"no reading", true, []string{gmailtest.Readonly}, nacre.Denied, false},
		{"nothing", false, []string{gmailtest.Readonly}, nacre.Denied, false},
	} {
		in(t, func(w *world) {
			_, err := w.gmail.Finish(w.t.Context(), ann, w.google.Consent(w.begin(ann, tc.drafts), gmailtest.Choice{Without: tc.without}))
			if tc.kind != nacre.Internal {
				w.is(tc.name, err, tc.kind, "")
			}
			if a := w.account(ann); (a != nil) != (tc.kind == nacre.Internal) || a != nil && a.Drafts != tc.may {
				w.t.Errorf("%s: kept %+v with error %v", tc.name, a, err)
			}
		})
	}
}

// A consent that was given before does not widen one that asks for less.
func TestLessIsLess(t *testing.T) {
	in(t, func(w *world) {
		w.connect(ann, true)
		w.connect(ann, false)
		if w.account(ann).Drafts {
			w.t.Error("drafts may still be made")
		}
		w.connect(ann, true)
		if !w.account(ann).Drafts {
			w.t.Error("drafts may not be made")
		}
	})
}

// A browser's way back is taken once, in time, from its owner, by the process that
// began, and in any form in which people paste it.
func TestFinish(t *testing.T) {
	later := func(d time.Duration) func(*world, string) (nacre.OwnerID, string) {
		return func(_ *world, url string) (nacre.OwnerID, string) {
			time.Sleep(d)
			return ann, url
		}
	}
	as := func(by nacre.OwnerID, change func(string) string) func(*world, string) (nacre.OwnerID, string) {
		return func(_ *world, url string) (nacre.OwnerID, string) { return by, change(url) }
	}
	same := func(url string) string { return url }
	for _, tc := range []struct {
		name string
		with func(w *world, url string) (by nacre.OwnerID, pasted string)
		kind nacre.Kind // Internal for none
	}{
		{"pasted", as(ann, same), nacre.Internal},
		{"a query", as(ann, func(u string) string { _, q, _ := strings.Cut(u, "?"); return q }), nacre.Internal},
		{"a query with its mark", as(ann, func(u string) string { _, q, _ := strings.Cut(u, "?"); return "?" + q }), nacre.Internal},
		{"with blanks and a fragment", as(ann, func(u string) string { return "  " + u + "#\n" }), nacre.Internal},
		{"in time", later(10*time.Minute - time.Second), nacre.Internal},
		{"late", later(10*time.Minute + time.Second), nacre.Denied},
		{"of another owner", as(bob, same), nacre.Denied},
		{"of nobody", as("", same), nacre.Denied},
		{"after a restart", func(w *world, u string) (nacre.OwnerID, string) { w.restart(); return ann, u }, nacre.Denied},
		{"after another begin", func(w *world, u string) (nacre.OwnerID, string) { w.begin(ann, false); return ann, u }, nacre.Denied},
		{"another state", as(ann, func(u string) string { return strings.Replace(u, "state=", "state=x", 1) }), nacre.Denied},
		{"an empty state", as(ann, func(string) string { return back + "?state=&code=4/1" }), nacre.Denied},
		{"no code", as(ann, func(u string) string { return strings.Replace(u, "code=", "other=", 1) }), nacre.Denied},
		{"another code", as(ann, func(u string) string { return strings.Replace(u, "code=", "code=x", 1) }), nacre.Denied},
		{"an error of Google's", as(ann, func(u string) string { return u + "&error=server_error" }), nacre.Denied},
		{"two states", as(ann, func(u string) string { return u + "&state=x" }), nacre.Invalid},
		{"no state", as(ann, func(string) string { return back }), nacre.Invalid},
		{"nothing", as(ann, func(string) string { return "" }), nacre.Invalid},
		{"far too long", as(ann, func(u string) string { return u + "&x=" + strings.Repeat("x", 9000) }), nacre.Invalid},
		{"no query", as(ann, func(u string) string { return u + "&%zz" }), nacre.Invalid},
	} {
		in(t, func(w *world) {
			by, pasted := tc.with(w, w.google.Consent(w.begin(ann, false), gmailtest.Choice{}))
			owner, err := w.gmail.Finish(w.t.Context(), by, pasted)
			if tc.kind == nacre.Internal {
				if err != nil || owner != ann || w.account(ann) == nil {
					w.t.Errorf("%s: %q, %v", tc.name, owner, err)
				}
				_, err = w.gmail.Finish(w.t.Context(), by, pasted)
				w.is(tc.name+" again", err, nacre.Denied, "")
				return
			}
			w.is(tc.name, err, tc.kind, "")
			if len(w.store.kept) > 0 {
				w.t.Errorf("%s: something is kept", tc.name)
			}
		})
	}
}

// Who brings a consent is its owner, or nobody where it was begun where nobody is. What
// others try leaves it as it is.
func TestWhoFinishes(t *testing.T) {
	for _, tc := range []struct {
		anywhere bool
		by       nacre.OwnerID
		want     bool
	}{{false, ann, true}, {false, bob, false}, {false, "", false}, {true, ann, true}, {true, bob, false}, {true, "", true}} {
		in(t, func(w *world) {
			page, err := w.gmail.Begin(w.t.Context(), ann, gmail.Wish{Client: client, Back: back, Anywhere: tc.anywhere})
			w.must(err)
			url := w.google.Consent(page, gmailtest.Choice{})
			owner, err := w.gmail.Finish(w.t.Context(), tc.by, url)
			if tc.want {
				if owner != ann || err != nil || w.account(ann) == nil {
					w.t.Errorf("begun anywhere: %v, by %q: %q, %v", tc.anywhere, tc.by, owner, err)
				}
				return
			}
			w.is(fmt.Sprintf("begun anywhere: %v, by %q", tc.anywhere, tc.by), err, nacre.Denied, "")
			if len(w.store.kept) > 0 {
				w.t.Errorf("by %q something is kept", tc.by)
			}
			if owner, err := w.gmail.Finish(w.t.Context(), ann, url); owner != ann || err != nil {
				w.t.Errorf("then by the owner: %q, %v", owner, err)
			}
		})
	}
}

func TestRefusedConsent(t *testing.T) {
	in(t, func(w *world) {
		w.connect(ann, true)
		before := *w.account(ann)
		url := w.google.Consent(w.begin(ann, false), gmailtest.Choice{Refuse: true})
		_, err := w.gmail.Finish(w.t.Context(), ann, url)
		w.is("refused", err, nacre.Denied, "")
		if *w.account(ann) != before {
			w.t.Error("the account is not what it was")
		}
		_, err = w.gmail.Finish(w.t.Context(), ann, strings.Replace(url, "error=access_denied", "code=4/000001", 1))
		w.is("again", err, nacre.Denied, "")
	})
}

// What an owner can mend about the exchange is said so.
func TestExchangeFails(t *testing.T) {
	for _, tc := range []struct {
		fault   gmailtest.Fault
		kind    nacre.Kind
		trouble gmail.Trouble
	}{
		{gmailtest.Fault{Path: "/token", Times: 1, Status: 401, Reason: "invalid_client"}, nacre.Invalid, ""},
		{gmailtest.Fault{Path: "/token", Times: 1, Status: 400, Reason: "redirect_uri_mismatch"}, nacre.Invalid, ""},
		{gmailtest.Fault{Path: "/token", Times: 1, Status: 400, Reason: "invalid_grant"}, nacre.Denied, ""},
		{gmailtest.Fault{Path: "/token", Times: -1, Status: 503}, nacre.Transient, gmail.Down},
		{gmailtest.Fault{Path: "/token", Times: -1, Cut: true}, nacre.Transient, gmail.Down},
		{gmailtest.Fault{Path: "/token", Times: -1, Status: 200, Body: "<html>"}, nacre.Transient, gmail.Down},
		{gmailtest.Fault{Path: "/gmail/v1/users/me/profile", Times: 1, Status: 403, Reason: "accessNotConfigured"}, nacre.Denied, gmail.Revoked},
		{gmailtest.Fault{Path: "/gmail/v1/users/me/profile", Times: 1, Status: 200, Body: `{"emailAddress":"no address"}`}, nacre.Transient, gmail.Down},
	} {
		in(t, func(w *world) {
			url := w.google.Consent(w.begin(ann, false), gmailtest.Choice{})
			w.google.Break(tc.fault)
			_, err := w.gmail.Finish(w.t.Context(), ann, url)
			w.is(tc.fault.Path+" "+tc.fault.Reason, err, tc.kind, tc.trouble)
			if w.account(ann) != nil {
				w.t.Error("something is kept")
			}
		})
	}
}

func TestWrongSecret(t *testing.T) {
	in(t, func(w *world) {
		url, err := w.gmail.Begin(w.t.Context(), ann, gmail.Wish{Client: gmail.Client{ID: gmailtest.ClientID, Secret: "another"}, Back: back})
		w.must(err)
		_, err = w.gmail.Finish(w.t.Context(), ann, w.google.Consent(url, gmailtest.Choice{}))
		w.is("another secret", err, nacre.Invalid, "")
	})
}

func TestClients(t *testing.T) {
	real := gmail.New(gmail.Options{Store: &store{kept: map[nacre.OwnerID]gmail.Account{}}, Now: time.Now})
	for _, tc := range []struct {
		id, secret string
		want       bool
	}{
		{"1-a.apps.googleusercontent.com", "GOCSPX-a", true},
		{" 1-a.apps.googleusercontent.com\n", " GOCSPX-a ", true},
		{"1-a.apps.googleusercontent.com", "", false},
		{"1-a.apps.googleusercontent.com", "two words", false},
		{"1-a.apps.googleusercontent.com", strings.Repeat("x", 300), false},
		{"", "GOCSPX-a", false},
		{"", "", false}, // none is kept
		{".apps.googleusercontent.com", "GOCSPX-a", false},
		{"1-a.apps.googleusercontent.com.example.org", "GOCSPX-a", false},
		{"ann@example.org", "GOCSPX-a", false},
		{"1&a.apps.googleusercontent.com", "GOCSPX-a", false},
	} {
		url, err := real.Begin(t.Context(), ann, gmail.Wish{Client: gmail.Client{ID: tc.id, Secret: tc.secret}, Back: back})
		if (err == nil) != tc.want || err != nil && nacre.KindOf(err) != nacre.Invalid {
			t.Errorf("%q with %q: %v", tc.id, tc.secret, err)
		}
		if tc.want && !strings.HasPrefix(url, "https://accounts.google.com/o/oauth2/v2/auth?") {
			t.Errorf("the page is %s", url)
		}
	}
}

func TestWaysBack(t *testing.T) {
	in(t, func(w *world) {
		for address, want := range map[string]bool{
			back: true, "http://localhost:1/": true, "http://[::1]:8080/x": true, "https://nacre.example.org/gmail": true,
			"": false, "/gmail": false, "http://192.168.1.2:8080/": false, "http://nacre.example.org/": false, "http://127.0.0.1.example.org/": false,
			"urn:ietf:wg:oauth:2.0:oob": false, "https://a@example.org/": false, "https://example.org/#x": false, "https://example.org/?x=1": false, "javascript://127.0.0.1/": false,
		} {
			_, err := w.gmail.Begin(w.t.Context(), ann, gmail.Wish{Client: client, Back: address})
			if (err == nil) != want || err != nil && nacre.KindOf(err) != nacre.Invalid {
				w.t.Errorf("%q: %v", address, err)
			}
		}
	})
}

// Connecting again with the client that is kept goes on where learning was, unless it is
// another mailbox.
func TestConnectAgain(t *testing.T) {
	in(t, func(w *world) {
		w.connect(ann, false)
		w.must(w.gmail.Read(w.t.Context(), ann, "1234"))
		for _, tc := range []struct{ address, upTo string }{{gmailtest.Address, "1234"}, {"other@example.org", ""}} {
			w.google.Address = tc.address
			url, err := w.gmail.Begin(w.t.Context(), ann, gmail.Wish{Back: back})
			w.must(err)
			_, err = w.gmail.Finish(w.t.Context(), ann, w.google.Consent(url, gmailtest.Choice{}))
			w.must(err)
			if a := w.account(ann); a.UpTo != tc.upTo || a.Address != tc.address || a.Learned.IsZero() != (tc.upTo == "") || a.Client != client {
				w.t.Errorf("%s: kept %+v", tc.address, a)
			}
		}
	})
}

func TestNotConnected(t *testing.T) {
	in(t, func(w *world) {
		_, err := w.gmail.Learned(w.t.Context(), ann)
		w.is("Learned", err, nacre.NotFound, "")
		_, _, err = w.gmail.Fresh(w.t.Context(), ann)
		w.is("Fresh", err, nacre.NotFound, "")
		w.is("Sent", w.gmail.Sent(w.t.Context(), ann, time.Time{}, nil), nacre.NotFound, "")
		w.is("Read", w.gmail.Read(w.t.Context(), ann, "1"), nacre.NotFound, "")
		_, err = w.gmail.Note(w.t.Context(), ann, gmail.Down)
		w.is("Note", err, nacre.NotFound, "")
		_, err = w.gmail.Disconnect(w.t.Context(), ann)
		w.is("Disconnect", err, nacre.NotFound, "")
		if s, err := w.gmail.State(w.t.Context(), ann); s != (gmail.State{}) || err != nil {
			w.t.Errorf("State: %+v, %v", s, err)
		}
	})
}
