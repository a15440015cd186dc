package webtest

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// serve is the address of a page with this body.
func serve(t *testing.T, body string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "script-src 'none'")
		w.Write([]byte(`<!doctype html><html lang="en"><head><title>Test</title></head><body>` + body + `</body></html>`))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestAxe(t *testing.T) {
	b := New(t)
	b.Open(serve(t, `<main><h1>Words</h1><button>Save</button><label>Name <input></label></main>`))
	if got := b.Axe(); len(got) > 0 {
		t.Errorf("a sound page has findings: %q", got)
	}
	b.Open(serve(t, `<main><h1>Words</h1><button></button><input><p style="color:#ccc;background:#fff">pale</p></main>`))
	got := b.Axe()
	for _, rule := range []string{"button-name", "label", "color-contrast"} {
		if !slices.ContainsFunc(got, func(f string) bool { return strings.HasPrefix(f, rule+": ") }) {
			t.Errorf("no finding of %s in %q", rule, got)
		}
	}
}
