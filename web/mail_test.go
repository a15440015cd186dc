package web

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
)

func (canaryDesk) Mail(h Hand) Mail { return canaryMail(canary(h.Owner)) }

type canaryMail string

func (m canaryMail) Show(context.Context) (MailSheet, error) {
	return MailSheet{Connected: true, Style: string(m)}, nil
}
func (m canaryMail) Connect(_ context.Context, c MailConnect) (MailConsent, error) {
	return MailConsent{URL: string(m) + c.ID, Back: c.At}, nil
}
func (m canaryMail) Finish(_ context.Context, r MailReturn) (MailSheet, error) {
	return MailSheet{Address: string(m) + r.URL}, nil
}
func (m canaryMail) Disconnect(context.Context) (MailGone, error) { return MailGone{}, nil }
func (m canaryMail) Learn(context.Context) (string, error)        { return string(m), nil }

// consentDoor is a page to which Google sends browsers. Where nobody is logged in only
// the state "good" is known, and it works once.
func consentDoor(t *testing.T) (_ http.Handler, log *strings.Builder) {
	site, err := NewSite(Serving{Listen: "localhost:80"})
	if err != nil {
		t.Fatal(err)
	}
	log, used := &strings.Builder{}, false
	return Public(Options{Desk: canaryDesk{}, Site: site, Log: slog.New(slog.NewTextHandler(log, nil)), Consented: func(_ context.Context, address string) error {
		switch {
		case strings.Contains(address, "state=down"):
			return nacre.Errorf(nacre.Transient, "Google does not answer.")
		case strings.Contains(address, "state=broken"):
			return context.DeadlineExceeded
		case strings.Contains(address, "state=good") && !used:
			used = true
			return nil
		}
		return nacre.Errorf(nacre.Denied, "That consent is not known.")
	}}), log
}

// brings is a page that brings the address to which Google sent its browser.
func brings(h http.Handler, origin, query string) *httptest.ResponseRecorder {
	body, _ := json.Marshal(MailReturn{"http://localhost/gmail?" + query})
	w, r := httptest.NewRecorder(), httptest.NewRequest("POST", "http://localhost/gmail", bytes.NewReader(body))
	r.Header.Set("Origin", origin)
	h.ServeHTTP(w, r)
	return w
}

// The page to which Google leads is the same whatever it brings, and lets only our own
// script run.
func TestConsentLands(t *testing.T) {
	h, log := consentDoor(t)
	visit := func(query string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/gmail"+query, nil))
		return w
	}
	plain, full := visit(""), visit("?state=good&code=s3cret&more=%3Cscript%3E")
	if plain.Code != 200 || full.Code != 200 || plain.Body.String() != full.Body.String() || !strings.Contains(full.Body.String(), `src="/gmail.js"`) {
		t.Errorf("without a query %d, with one %d %s", plain.Code, full.Code, full.Body)
	}
	if head := full.Header(); head.Get("Referrer-Policy") != "no-referrer" || head.Get("Cache-Control") != "no-store" ||
		!strings.HasPrefix(head.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self';") || head.Get("Content-Type") != contentTypes[".html"] {
		t.Errorf("it comes with %v", head)
	}
	if strings.Contains(log.String(), "s3cret") {
		t.Errorf("the log repeats the code: %s", log)
	}
	if w := brings(h, "http://localhost", "state=good&code=s3cret"); w.Code != 204 {
		t.Errorf("after that the consent is answered with %d", w.Code)
	}
}

// A consent that was begun in a terminal is taken from a browser in which nobody is
// logged in, from our own page, once, and repeated nowhere.
func TestConsentComesBack(t *testing.T) {
	h, log := consentDoor(t)
	for _, c := range []struct {
		origin, query string
		status        int
		says          string
	}{
		{"http://localhost", "state=wrong&code=s3cret", 403, "That consent is not known."},
		{"http://localhost", "state=down&code=s3cret", 503, "Google does not answer."},
		{"http://localhost", "state=broken&code=s3cret", 500, inside},
		{"http://evil.example", "state=good&code=s3cret", 403, errForeign.Error()},
		{"", "state=good&code=s3cret", 403, errForeign.Error()},
		{"http://localhost", "state=good&code=s3cret&more=" + strings.Repeat("x", maxRequest), 400, "too long"},
		{"http://localhost", "state=good&code=s3cret", 204, ""},
		{"http://localhost", "state=good&code=s3cret", 403, "That consent is not known."},
	} {
		w := brings(h, c.origin, c.query)
		body := w.Body.String()
		if w.Code != c.status || !strings.Contains(body, c.says) {
			t.Errorf("%.40s from %q is answered with %d %s, want %d and %q", c.query, c.origin, w.Code, body, c.status, c.says)
		}
		if strings.Contains(body, "s3cret") || strings.Contains(log.String(), "s3cret") {
			t.Errorf("%.40s repeats the code", c.query)
		}
	}
	if !strings.Contains(log.String(), "a request failed") {
		t.Errorf("the log does not tell of the fault: %s", log)
	}
}

// Who tries states has to wait; one that is good works nevertheless.
func TestConsentIsNotGuessed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, _ := consentDoor(t)
		try := func(state string) *httptest.ResponseRecorder { return brings(h, "http://localhost", "state="+state) }
		for range secretPatience.free {
			if w := try("wrong"); w.Code != 403 {
				t.Fatalf("a wrong state is answered with %d", w.Code)
			}
		}
		if w := try("wrong"); w.Code != 429 || w.Header().Get("Retry-After") != "60" {
			t.Errorf("one too many is answered with %d, %v", w.Code, w.Header())
		}
		if w := try("good"); w.Code != 204 {
			t.Errorf("a good one is answered with %d", w.Code)
		}
		time.Sleep(secretPatience.most)
		if w := try("wrong"); w.Code != 403 {
			t.Errorf("a minute later a wrong one is answered with %d", w.Code)
		}
	})
}

// The command line asks what the page asks.
func TestMailOverTheSocket(t *testing.T) {
	c := serveControl(t, canaryDesk{})
	mail := c.Mail(Hand{})
	sheet, err := mail.Show(t.Context())
	if err != nil || !sheet.Connected || sheet.Style != canary(ann) {
		t.Errorf("it is shown as %+v, %v", sheet, err)
	}
	consent, err := mail.Connect(t.Context(), MailConnect{ID: "id", At: "https://here"})
	if err != nil || consent != (MailConsent{canary(ann) + "id", "https://here"}) {
		t.Errorf("the consent is %+v, %v", consent, err)
	}
	sheet, err = mail.Finish(t.Context(), MailReturn{"https://here/gmail?code=1"})
	if err != nil || sheet.Address != canary(ann)+"https://here/gmail?code=1" {
		t.Errorf("the end is %+v, %v", sheet, err)
	}
	if text, err := mail.Learn(t.Context()); err != nil || text != canary(ann) {
		t.Errorf("learning says %q, %v", text, err)
	}
	if gone, err := mail.Disconnect(t.Context()); err != nil || gone.Revoked {
		t.Errorf("disconnecting says %+v, %v", gone, err)
	}
}
