package web

import (
	"maps"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"nacre"
)

func TestSite(t *testing.T) {
	const local = "127.0.0.1:8080 [::1]:8080 localhost:8080"
	for _, c := range []struct{ listen, public, origin, hosts string }{
		{"127.0.0.1:8080", "", "http://127.0.0.1:8080", local},
		{"localhost:8080", "", "http://localhost:8080", local},
		{":8080", "", "http://127.0.0.1:8080", local},
		{"0.0.0.0:8080", "", "http://127.0.0.1:8080", local},
		{"[::]:8080", "", "http://127.0.0.1:8080", local},
		{"192.0.2.7:8080", "", "http://192.0.2.7:8080", local[:15] + "192.0.2.7:8080 " + local[15:]},
		{"127.0.0.1:80", "", "http://127.0.0.1", "127.0.0.1 [::1] localhost"},
		{"127.0.0.1:8080", "https://Nacre.Example.org/", "https://nacre.example.org", local + " nacre.example.org"},
		{"127.0.0.1:8080", "https://n.example:443", "https://n.example", local + " n.example"},
		{"127.0.0.1:8080", "http://[2001:db8::1]:81", "http://[2001:db8::1]:81", "127.0.0.1:8080 [2001:db8::1]:81 [::1]:8080 localhost:8080"},
	} {
		s, err := NewSite(Serving{Listen: c.listen, URL: c.public})
		if err != nil {
			t.Errorf("%s %s: %v", c.listen, c.public, err)
			continue
		}
		if hosts := strings.Join(slices.Sorted(maps.Keys(s.own)), " "); s.Origin() != c.origin || hosts != c.hosts {
			t.Errorf("%s %s: %s reached as %s, want %s reached as %s", c.listen, c.public, s.Origin(), hosts, c.origin, c.hosts)
		}
	}
	for _, c := range [][2]string{
		{"8080", ""}, {"[fe80::1%eth0]:1", ""}, {"a b:1", ""}, {"", ""}, {":1", "nacre.example.org"}, {":1", "ftp://x"}, {":1", "https://"}, {":1", "https://x/path"},
		{":1", "https://u:p@x"}, {":1", "https://x?q"}, {":1", "https://x#f"}, {":1", "https://x y"}, {":1", ":"},
	} {
		if s, err := NewSite(Serving{Listen: c[0], URL: c[1]}); nacre.KindOf(err) != nacre.Invalid {
			t.Errorf("%q gave %v, %v", c, s, err)
		}
	}
}

// Cookies are for https alone where browsers come by it, and browsers are told to
// come by nothing else where the server itself speaks it.
func TestHTTPS(t *testing.T) {
	const public = "https://nacre.example"
	for _, c := range []struct {
		name           string
		serving        Serving
		host           string
		secure, pledge bool
	}{
		{"on this machine", Serving{Listen: "127.0.0.1:8080"}, "127.0.0.1:8080", false, false},
		{"by the public name", Serving{Listen: "127.0.0.1:8080", URL: public}, "nacre.example", true, false},
		{"on this machine, beside a public name", Serving{Listen: "127.0.0.1:8080", URL: public}, "localhost:8080", false, false},
		{"behind a proxy", Serving{Listen: ":8080", URL: public, Proxy: true}, "nacre.example", true, false},
		{"behind a proxy that changes the name", Serving{Listen: ":8080", URL: public, Proxy: true}, "127.0.0.1:8080", true, false},
		{"behind a proxy without https", Serving{Listen: ":8080", Proxy: true}, "127.0.0.1:8080", false, false},
		{"with a certificate", Serving{Listen: ":8443", URL: public + ":8443", TLS: true}, "nacre.example:8443", true, true},
		{"with a certificate, on this machine", Serving{Listen: ":8443", URL: public, TLS: true}, "localhost:8443", true, false},
	} {
		s, err := NewSite(c.serving)
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest("GET", "/login", nil)
		r.Host = c.host
		r.Header.Set("X-Forwarded-Proto", "https") // anybody can say so
		w := httptest.NewRecorder()
		guard(s, asset("login.html")).ServeHTTP(w, r)
		if secure, pledge := s.secure(r), w.Header().Get("Strict-Transport-Security") == "max-age=31536000"; w.Code != 200 || secure != c.secure || pledge != c.pledge {
			t.Errorf("%s: answered with %d, secure %v, pledge %v", c.name, w.Code, secure, pledge)
		}
	}
	if s, err := NewSite(Serving{Listen: "127.0.0.1:443", TLS: true}); err != nil || s.Origin() != "https://127.0.0.1" {
		t.Errorf("with a certificate the origin is %s, %v", s.Origin(), err)
	}
}
