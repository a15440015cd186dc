package whatsapp

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	wastore "go.mau.fi/whatsmeow/store"
)

// pages answers every request with one page and counts them.
type pages struct {
	page  string
	asked int
}

func (p *pages) RoundTrip(r *http.Request) (*http.Response, error) {
	p.asked++
	if p.page == "" {
		return nil, errors.New("no network")
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(p.page)), Request: r}, nil
}

// keepVersion puts the version of the library back when the test is over.
func keepVersion(t *testing.T) {
	before := wastore.GetWAVersion()
	t.Cleanup(func() { wastore.SetWAVersion(before) })
}

func TestVersionIsTakenOnlyWhenItIsNewer(t *testing.T) {
	ours := wastore.GetWAVersion().String()
	for _, c := range []struct {
		name, page string
		newer      bool
		want       string
	}{
		{"newer", `{"client_revision":1999999999,"x":1}`, true, "2.3000.1999999999"},
		{"older", `{"client_revision":1000000000,"x":1}`, false, ours},
		{"another page", `<html>Please log in to the café's network</html>`, false, ours},
		{"too large a number", `{"client_revision":99999999999999999999,"x":1}`, false, ours},
		{"no network", "", false, ours},
	} {
		t.Run(c.name, func(t *testing.T) {
			keepVersion(t)
			var v version
			if got := v.renew(t.Context(), &http.Client{Transport: &pages{page: c.page}}); got != c.newer {
				t.Errorf("renew = %v", got)
			}
			if got := wastore.GetWAVersion().String(); got != c.want {
				t.Errorf("the version is %s, want %s", got, c.want)
			}
		})
	}
}

func TestVersionIsAskedForOnceADay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := &pages{}
		web := &http.Client{Transport: net}
		var v version
		for range 48 {
			v.refresh(t.Context(), web)
			time.Sleep(time.Hour)
		}
		if net.asked != 2 {
			t.Errorf("asked %d times in two days", net.asked)
		}
	})
}
