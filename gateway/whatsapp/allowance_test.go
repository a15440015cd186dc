package whatsapp

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"nacre"
)

// What the library fetches by itself ends too, however much a server sends.
func TestDownloadThatNobodyAskedForIsBounded(t *testing.T) {
	for _, c := range []struct {
		size int64
		kind nacre.Kind // Internal for none
	}{{mostUnasked, nacre.Internal}, {mostUnasked + 1, nacre.Invalid}} {
		serve := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			io.CopyN(w, zeros{}, c.size)
		})
		server := httptest.NewServer(serve)
		defer server.Close()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, strings.NewReader(""))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := capped{http.DefaultTransport}.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if n > mostUnasked || nacre.KindOf(err) != c.kind || c.kind == nacre.Internal && err != nil {
			t.Errorf("of %d bytes %d came, and %v", c.size, n, err)
		}
	}
}

// zeros has no end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
