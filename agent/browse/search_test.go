package browse

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
)

var (
	_ agent.Tool = (*Fetcher)(nil)
	_ agent.Tool = (*Search)(nil)
)

const key = "BSA-secret-key"

// engines are doubles of both search engines, on this machine: what the
// operator configures may stand anywhere.
func engines(t *testing.T, h http.HandlerFunc) map[string]*Search {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return map[string]*Search{
		"searxng": NewSearXNG(server.URL + "/sub/"),
		"brave":   newSearch(brave{server.URL + "/res/v1/web/search", key}),
	}
}

// both answers in the format of the engine that was asked.
func both(t *testing.T, w http.ResponseWriter, r *http.Request, hits []map[string]string) {
	t.Helper()
	w.Header().Set("Content-Type", "application/json")
	q := r.URL.Query()
	switch {
	case r.URL.Path == "/sub/search" && q.Get("format") == "json" && r.Header.Get("X-Subscription-Token") == "":
		json.NewEncoder(w).Encode(map[string]any{"query": q.Get("q"), "results": hits, "suggestions": []string{}})
	case r.URL.Path == "/res/v1/web/search" && r.Header.Get("X-Subscription-Token") == key:
		json.NewEncoder(w).Encode(map[string]any{"type": "search", "web": map[string]any{"results": hits}})
	default:
		t.Errorf("asked for %s with %v", r.URL, r.Header)
	}
}

func TestSearch(t *testing.T) {
	var query string
	for name, s := range engines(t, func(w http.ResponseWriter, r *http.Request) {
		query = r.URL.Query().Get("q")
		hits := []map[string]string{
			{"title": "Pearls \"explained\"\nnow", "url": "https://a.test/x?y=1", "content": "They\x1b grow\u202e.", "description": "They\x1b grow\u202e."},
			{"title": "no page", "url": "javascript:alert(1)"},
			{"title": "a password", "url": "https://a:b@c.test/"},
		}
		for range 20 {
			hits = append(hits, map[string]string{"title": strings.Repeat("x", 1000), "url": "http://b.test/", "content": strings.Repeat("y", 1000), "description": strings.Repeat("y", 1000)})
		}
		both(t, w, r, hits)
	}) {
		t.Run(name, func(t *testing.T) {
			hits, err := s.Find(t.Context(), "  how do\npearls grow & why? ")
			if err != nil {
				t.Fatal(err)
			}
			if query != "how do pearls grow & why?" {
				t.Errorf("asked for %q", query)
			}
			if len(hits) != maxHits || hits[0] != (Hit{`Pearls "explained" now`, "https://a.test/x?y=1", "They grow."}) {
				t.Errorf("%d hits, the first %+v", len(hits), hits[0])
			}
			res, err := s.Call(t.Context(), nacre.Caller{}, json.RawMessage(`{"query":"pearls"}`))
			if err != nil || res.Source != llm.FromWeb {
				t.Fatalf("source %q, %v", res.Source, err)
			}
			lines := strings.Split(strings.TrimSpace(res.Text), "\n")
			if len(lines) != 1+maxHits || !strings.Contains(lines[0], "never instructions") || lines[1] != `1. "Pearls \"explained\" now" https://a.test/x?y=1 "They grow."` {
				t.Errorf("got %q", lines)
			}
			if len(res.Text) > 8000 {
				t.Errorf("%d bytes", len(res.Text))
			}
		})
	}
}

// Both limits of a query are Brave's.
func TestSearchCutsQuery(t *testing.T) {
	var query string
	s := engines(t, func(w http.ResponseWriter, r *http.Request) { query = r.URL.Query().Get("q"); both(t, w, r, nil) })["brave"]
	for _, tt := range []struct {
		name, in, want string
	}{
		{"in full", strings.Repeat("a ", 50), strings.Repeat("a ", 49) + "a"},
		{"words", strings.Repeat("a b ", 60), strings.Repeat("a b ", 24) + "a b"},
		{"characters", strings.Repeat("ü", 500), strings.Repeat("ü", 399) + "…"},
	} {
		if _, err := s.Find(t.Context(), tt.in); err != nil || query != tt.want {
			t.Errorf("%s: asked for %q, %v", tt.name, query, err)
		}
	}
}

func TestBraveEntities(t *testing.T) {
	hits, err := brave{}.hits([]byte(`{"web":{"results":[{"title":"Tom &amp; Jerry&#x27;s","url":"https://a.test","description":"a &lt; b"}]}}`))
	if err != nil || len(hits) != 1 || hits[0].Title != "Tom & Jerry's" || hits[0].Snippet != "a < b" {
		t.Errorf("got %+v, %v", hits, err)
	}
}

func TestSearchFindsNothing(t *testing.T) {
	for name, s := range engines(t, func(w http.ResponseWriter, r *http.Request) { both(t, w, r, nil) }) {
		res, err := s.Call(t.Context(), nacre.Caller{}, json.RawMessage(`{"query":"pearls"}`))
		if err != nil || !strings.Contains(res.Text, "nothing") {
			t.Errorf("%s: %q, %v", name, res.Text, err)
		}
	}
}

func TestSearchRefusals(t *testing.T) {
	var status int
	var body string
	all := engines(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3")
		w.Header().Set("Location", "http://elsewhere.test/")
		w.WriteHeader(status)
		io.WriteString(w, body)
	})
	tests := []struct {
		engine string
		status int
		body   string
		want   nacre.Kind
		says   string
	}{
		{"searxng", 403, key, nacre.Denied, "search.formats"},
		{"searxng", 401, "", nacre.Denied, "password"},
		{"searxng", 429, "", nacre.Transient, "429"},
		{"searxng", 500, "", nacre.Transient, "500"},
		{"searxng", 302, "", nacre.Transient, "302"},
		{"searxng", 200, "<html>", nacre.Transient, "no sense"},
		{"searxng", 200, strings.Repeat(" ", maxBody+1), nacre.Invalid, "larger"},
		{"brave", 401, key, nacre.Denied, "key"},
		{"brave", 403, key, nacre.Denied, "key"},
		{"brave", 422, `{"error":{"code":"SUBSCRIPTION_TOKEN_INVALID","detail":"` + key + `"}}`, nacre.Denied, "key"},
		{"brave", 422, `{"error":{"code":"VALIDATION","detail":"` + key + `"}}`, nacre.Invalid, "query"},
		{"brave", 422, key, nacre.Invalid, "query"},
		{"brave", 402, "", nacre.Denied, "plan"},
		{"brave", 429, "", nacre.Transient, "429"},
		{"brave", 302, "", nacre.Transient, "302"},
		{"brave", 200, `{"web":7}`, nacre.Transient, "no sense"},
	}
	for _, tt := range tests {
		status, body = tt.status, tt.body
		_, err := all[tt.engine].Find(t.Context(), "pearls")
		if err == nil || nacre.KindOf(err) != tt.want || !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), key) {
			t.Errorf("%s %d: %v, want %v with %q", tt.engine, tt.status, err, tt.want, tt.says)
		}
		if tt.status == 429 && nacre.RetryAfter(err) != 3*time.Second {
			t.Errorf("%s: again after %v", tt.engine, nacre.RetryAfter(err))
		}
	}
}

// Whatever is wrong with the way to an engine, the error tells no secret.
func TestSearchErrorsTellNoSecret(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	closed := strings.TrimPrefix(gone.URL, "http://")
	for name, s := range map[string]*Search{
		"a password in the address": NewSearXNG("http://user:" + key + "@" + closed),
		"a key":                     newSearch(brave{"http://" + closed, key}),
		"no address":                NewSearXNG("http://user:" + key + "@%zz/"),
		"no protocol":               NewSearXNG(key),
		"a key with a line end":     newSearch(brave{"http://" + closed, key + "\n"}),
	} {
		_, err := s.Find(t.Context(), "pearls")
		if _, ok := errors.AsType[*nacre.Error](err); !ok {
			t.Errorf("%s: no sentence: %v", name, err)
			continue
		}
		for e := err; e != nil; e = errors.Unwrap(e) {
			if strings.Contains(e.Error(), key) || strings.Contains(e.Error(), closed) {
				t.Errorf("%s: %v", name, e)
			}
		}
	}
	if _, err := NewBrave(key).Find(t.Context(), " \n"); nacre.KindOf(err) != nacre.Invalid {
		t.Errorf("no words: %v", err)
	}
}
