package web

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"nacre"
)

// What goes wrong inside is logged, and nobody outside reads of it.
func TestFaultsAreLoggedAndNotTold(t *testing.T) {
	for _, c := range []struct {
		name         string
		serve        handler
		status       int
		says, logged string // logged is empty for nothing
	}{
		{"a refusal", func(http.ResponseWriter, *http.Request) error { return nacre.Errorf(nacre.Denied, "Not you.") },
			403, `{"version":1,"kind":"denied","text":"Not you."}`, ""},
		{"a fault", func(http.ResponseWriter, *http.Request) error { return errors.New("row 7 is odd") },
			500, `"kind":"internal"`, `level=ERROR msg="a request failed" method=POST path=/x err="row 7 is odd"`},
		{"a panic", func(http.ResponseWriter, *http.Request) error { panic("secret words") },
			500, `"kind":"internal"`, `level=ERROR msg="a request panicked" method=POST path=/x cause=string`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var log bytes.Buffer
			w := httptest.NewRecorder()
			logged(slog.New(slog.NewTextHandler(&log, nil)), c.serve).ServeHTTP(w, httptest.NewRequest("POST", "/x?q=secret+words", nil))
			if got := w.Body.String(); w.Code != c.status || !strings.Contains(got, c.says) || strings.Contains(got, "row 7") || strings.Contains(got, "secret") {
				t.Errorf("the answer is %d %s", w.Code, got)
			}
			if got := log.String(); (c.logged == "") != (got == "") || !strings.Contains(got, c.logged) || strings.Contains(got, "secret") {
				t.Errorf("logged is %q, want %q", got, c.logged)
			}
		})
	}
}

func TestRetryAfter(t *testing.T) {
	for after, want := range map[time.Duration]string{0: "", time.Millisecond: "1", 90 * time.Second: "90"} {
		w := httptest.NewRecorder()
		handler(func(http.ResponseWriter, *http.Request) error {
			return &nacre.Error{Kind: nacre.Transient, Text: "Not now.", After: after}
		}).ServeHTTP(w, httptest.NewRequest("GET", "/x", nil))
		if got := w.Header().Get("Retry-After"); w.Code != 503 || got != want {
			t.Errorf("%v: %d, Retry-After %q, want %q", after, w.Code, got, want)
		}
	}
}
