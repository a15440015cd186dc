package web

import (
	"maps"
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
		s, err := NewSite(c.listen, c.public)
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
		if s, err := NewSite(c[0], c[1]); nacre.KindOf(err) != nacre.Invalid {
			t.Errorf("%q gave %v, %v", c, s, err)
		}
	}
}
