package web

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
)

func TestLoginByLink(t *testing.T) {
	for _, c := range []struct{ name, host, cookie string }{
		{"on this machine", "", "nacre"},
		{"by the public name", publicName, "__Host-nacre"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStreet(t, nil)
			var headers []string
			if c.host != "" {
				headers = append(headers, "Host: "+c.host)
			}
			secret := s.secret(bob)
			resp, _ := s.do("POST", "/login", form(secret), headers...)
			if resp.StatusCode != 303 || resp.Header.Get("Location") != "/" || len(resp.Cookies()) != 1 {
				t.Fatalf("answered with %s, %v", resp.Status, resp.Header)
			}
			k := resp.Cookies()[0]
			if k.Name != c.cookie || !k.HttpOnly || k.SameSite != http.SameSiteStrictMode || k.Path != "/" || k.Domain != "" ||
				k.MaxAge != 30*24*60*60 || k.Secure != (c.host != "") || len(k.Value) != 43 {
				t.Errorf("the cookie is %v", k)
			}
			if resp, _ := s.do("GET", "/", "", append(headers, "Cookie: "+k.Name+"="+k.Value)...); resp.StatusCode != 200 {
				t.Errorf("the page is answered with %s", resp.Status)
			}
			if owner, err := s.logins.Login(t.Context(), nacre.LoginSession, tagOf(k.Value)); owner != bob || err != nil {
				t.Errorf("the session is of %q, %v", owner, err)
			}
		})
	}
}

func TestLinkIsRefused(t *testing.T) {
	s := newStreet(t, nil)
	used := s.secret(ann)
	if resp, _ := s.do("POST", "/login", form(used)); resp.StatusCode != 303 {
		t.Fatalf("a fresh link is answered with %s", resp.Status)
	}
	old := newSecret()
	if err := s.logins.PutLogin(t.Context(), nacre.LoginLink, tagOf(old), ann, 0); err != nil {
		t.Fatal(err)
	}
	_, wrong := s.do("POST", "/login", form(newSecret()))
	for name, body := range map[string]string{
		"used":          form(used),
		"old":           form(old),
		"a session":     form(s.session(ann)),
		"none":          "",
		"in the query":  "x=1",
		"far too large": form(strings.Repeat("x", 1<<20)),
	} {
		path := "/login"
		if name == "in the query" {
			path += "?" + form(s.secret(ann))
		}
		resp, text := s.do("POST", path, body)
		if resp.StatusCode != 403 || text != wrong || len(resp.Cookies()) != 0 {
			t.Errorf("%s: answered with %s %q, %d cookies; want the same as for a wrong one, %q", name, resp.Status, text, len(resp.Cookies()), wrong)
		}
	}
}

// Chats and mail programs look at links before the person does.
func TestLookingAtALinkUsesNothingUp(t *testing.T) {
	s := newStreet(t, nil)
	secret := s.secret(ann)
	for _, path := range []string{"/login", "/login?" + form(secret), "/login?" + secret} {
		for _, method := range []string{"GET", "HEAD"} {
			if resp, _ := s.do(method, path, ""); resp.StatusCode != 200 || len(resp.Cookies()) != 0 {
				t.Errorf("%s %s is answered with %s, %d cookies", method, path, resp.Status, len(resp.Cookies()))
			}
		}
	}
	if resp, _ := s.do("POST", "/login", form(secret)); resp.StatusCode != 303 {
		t.Errorf("then the link is answered with %s", resp.Status)
	}
}

func TestLinkAndSessionGrowOld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, site := newLogins(), Site{origin: "https://" + publicName}
		link, err := Link(t.Context(), l, site, ann)
		base, secret, _ := strings.Cut(link, "#")
		if err != nil || base != "https://"+publicName+"/login" || len(secret) != 43 {
			t.Fatalf("the link is %q, %v", link, err)
		}
		time.Sleep(15*time.Minute - time.Second)
		if owner, err := l.Login(t.Context(), nacre.LoginLink, tagOf(secret)); owner != ann || err != nil {
			t.Errorf("before 15 minutes the link is of %q, %v", owner, err)
		}
		time.Sleep(time.Second)
		if owner, err := l.Login(t.Context(), nacre.LoginLink, tagOf(secret)); err == nil {
			t.Errorf("after 15 minutes the link is of %q still", owner)
		}
		h := newHouse(t)
		cookie := h.logIn(ann)
		time.Sleep(30*24*time.Hour - time.Second)
		if resp := h.post("/v1/login", cookie); resp.StatusCode != 200 {
			t.Errorf("before 30 days the session is answered with %s", resp.Status)
		}
		time.Sleep(time.Second)
		if resp := h.post("/v1/login", cookie); resp.StatusCode != 401 {
			t.Errorf("after 30 days the session is answered with %s", resp.Status)
		}
	})
}

func TestFailedLoginsAreLimited(t *testing.T) {
	for _, c := range []struct {
		name string
		try  func(*street) int
	}{
		{"links", func(s *street) int { r, _ := s.do("POST", "/login", form("wrong")); return r.StatusCode }},
		{"tokens", func(s *street) int {
			r, _ := s.do("GET", "/v1/status", "", "Authorization: Bearer wrong")
			return r.StatusCode
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStreet(t, nil)
			session := "Cookie: nacre=" + s.session(ann)
			for range mostFails {
				if got := c.try(s); got != 401 && got != 403 {
					t.Fatalf("answered with %d too early", got)
				}
			}
			if got := c.try(s); got != 429 {
				t.Errorf("after %d failures answered with %d", mostFails, got)
			}
			if resp, _ := s.do("POST", "/login", form(s.secret(ann))); resp.StatusCode != 303 {
				t.Errorf("a right link is answered with %s", resp.Status)
			}
			if resp, _ := s.do("GET", "/v1/status", "", "Authorization: Bearer the-token"); resp.StatusCode != 429 {
				t.Errorf("the right token is answered with %s", resp.Status)
			}
			if resp, _ := s.do("GET", "/", "", session); resp.StatusCode != 200 {
				t.Errorf("who is logged in already is answered with %s", resp.Status)
			}
		})
	}
}

func TestThrottle(t *testing.T) {
	th, start := newThrottle(), now()
	one, two := netip.MustParsePrefix("192.0.2.1/32"), netip.MustParsePrefix("192.0.2.2/32")
	for range mostFails {
		if !th.open(one, start) {
			t.Fatal("closed too early")
		}
		th.fail(one, start)
	}
	for _, c := range []struct {
		name string
		from netip.Prefix
		at   time.Duration
		want bool
	}{
		{"at once", one, 0, false},
		{"within the minute", one, failTime - 1, false},
		{"after it", one, failTime, true},
		{"another address", two, 0, true},
	} {
		if got := th.open(c.from, start.Add(c.at)); got != c.want {
			t.Errorf("%s: open is %v", c.name, got)
		}
	}
	for i := range 2 * mostFailed {
		th.fail(netip.PrefixFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 32), start)
	}
	if n := len(th.failed); n > mostFailed {
		t.Errorf("%d addresses are remembered", n)
	}
}

func TestSender(t *testing.T) {
	for addr, want := range map[string]string{
		"192.0.2.1:1234": "192.0.2.1/32", "[::ffff:192.0.2.1]:1": "192.0.2.1/32",
		"[2001:db8:1:2:3::4]:1": "2001:db8:1:2::/64", "[fe80::1%eth0]:1": "fe80::/64", "pipe": "invalid Prefix",
	} {
		if got := fmt.Sprint(sender(&http.Request{RemoteAddr: addr})); got != want {
			t.Errorf("%s counts as %s, want %s", addr, got, want)
		}
	}
}
