package wire

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre/agent/llm"
	"nacre/gateway/gatewaytest"
)

// ask posts to h over pipes and returns the answer that came.
func ask(t *testing.T, e Endpoint, h http.HandlerFunc) (string, bool, error) {
	t.Helper()
	network := gatewaytest.NewPipeNet()
	network.Serve(t, h)
	transport := &http.Transport{DialContext: network.DialContext}
	defer transport.CloseIdleConnections()
	e.Provider, e.URL, e.Client = "double", "http://double/ask", &http.Client{Transport: transport}
	var whole bool
	text := NewText(func(string) {})
	err := New(e).Post(t.Context(), []byte("{}"), text, func(in *Body) error {
		whole = in.Whole
		b, err := io.ReadAll(in)
		text.Add(string(b))
		return err
	})
	return text.String(), whole, err
}

func TestPost(t *testing.T) {
	e := Endpoint{Secret: testKey, Header: http.Header{"X-Key": {testKey}}}
	tests := []struct {
		name, contentType, want string
		status                  int
		whole                   bool
		cause                   llm.Cause
	}{
		{"stream", "text/event-stream", "hi", 200, false, ""},
		{"lines", "application/x-ndjson", "hi", 200, false, ""},
		{"object", "application/json; charset=utf-8", "hi", 200, true, ""},
		{"page", "text/html", "", 200, false, llm.BadAnswer},
		{"refused", "text/plain", "", 403, false, llm.Refused},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, whole, err := ask(t, e, func(w http.ResponseWriter, r *http.Request) {
				if r.Method != "POST" || r.URL.Path != "/ask" || r.Header.Get("X-Key") != testKey || r.Header.Get("Content-Type") != "application/json" {
					t.Errorf("got %s %s with %v", r.Method, r.URL, r.Header)
				}
				w.Header().Set("Content-Type", tt.contentType)
				w.WriteHeader(tt.status)
				io.WriteString(w, "hi")
			})
			var cause llm.Cause
			if e, ok := errors.AsType[*llm.Error](err); ok {
				cause = e.Cause
			}
			if got != tt.want || whole != tt.whole || cause != tt.cause {
				t.Errorf("got %q, whole %t, %v", got, whole, err)
			}
		})
	}
}

// A connection that breaks is told apart by whether anything was shown.
func TestPostBroken(t *testing.T) {
	for _, begin := range []string{"", "some"} {
		_, _, err := ask(t, Endpoint{}, func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, begin)
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		})
		e, ok := errors.AsType[*llm.Error](err)
		if !ok || e.Cause != llm.Network || e.Streamed != (begin != "") || strings.Contains(e.Message, "http://") {
			t.Errorf("after %q: got %+v", begin, err)
		}
	}
}

// pause waits on the clock of the test, or until the client has gone.
func pause(r *http.Request, d time.Duration) {
	io.Copy(io.Discard, r.Body)
	select {
	case <-time.After(d):
	case <-r.Context().Done():
	}
}

// Patience bounds the wait for the beginning of an answer, not for the rest.
func TestPatience(t *testing.T) {
	tests := []struct {
		name           string
		before, within time.Duration
		want           bool
	}{{"in time", 20 * time.Second, 0, true}, {"slow after its beginning", 20 * time.Second, 60 * time.Second, true}, {"late", 40 * time.Second, 0, false}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				got, _, err := ask(t, Endpoint{Patience: 30 * time.Second}, func(w http.ResponseWriter, r *http.Request) {
					pause(r, tt.before)
					w.(http.Flusher).Flush()
					pause(r, tt.within)
					io.WriteString(w, "hi")
				})
				if tt.want {
					if err != nil || got != "hi" {
						t.Errorf("got %q, %v", got, err)
					}
					return
				}
				e, ok := errors.AsType[*llm.Error](err)
				if !ok || e.Cause != llm.Network || e.Message != errLate.Error() || time.Since(start) != 30*time.Second {
					t.Errorf("got %v after %v", err, time.Since(start))
				}
			})
		})
	}
}
