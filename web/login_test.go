package web

import (
	"net/http"
	"strings"
	"testing"
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
			resp, _ := s.do("POST", "/login", form(secret), append(headers, "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0")...)
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
			g, err := s.logins.Login(t.Context(), nacre.LoginSession, tagOf(k.Value))
			if g.Owner != bob || g.Name != "Firefox, Linux" || err != nil {
				t.Errorf("the session is %+v, %v", g, err)
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
	if err := s.logins.PutLogin(t.Context(), nacre.Login{Kind: nacre.LoginLink, Owner: ann, Expires: time.Now()}, tagOf(old)); err != nil {
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

func TestLinkGrowsOld(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		link, err := h.porter().Link(t.Context(), Site{origin: "https://" + publicName}, ann)
		base, secret, _ := strings.Cut(link, "#")
		if err != nil || base != "https://"+publicName+"/login" || len(secret) != 43 {
			t.Fatalf("the link is %q, %v", link, err)
		}
		time.Sleep(linkLife - time.Second)
		if g, err := h.logins.Login(t.Context(), nacre.LoginLink, tagOf(secret)); g.Owner != ann || err != nil {
			t.Errorf("before 10 minutes the link is of %q, %v", g.Owner, err)
		}
		time.Sleep(time.Second)
		if g, err := h.logins.Login(t.Context(), nacre.LoginLink, tagOf(secret)); err == nil {
			t.Errorf("after 10 minutes the link is of %q still", g.Owner)
		}
	})
}

// A session ends a week after it was used last, and 30 days after it began however
// much it is used.
func TestSessionGrowsOld(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		idle, used := h.logIn(ann), h.logIn(ann)
		want := func(c *http.Cookie, what string, status int) {
			t.Helper()
			if resp := h.post("/api/login", c); resp.StatusCode != status {
				t.Errorf("%s: answered with %s, want %d", what, resp.Status, status)
			}
		}
		time.Sleep(idleLife - time.Second)
		want(idle, "idle for less than a week", 200)
		time.Sleep(idleLife - time.Second)
		want(idle, "idle for less than a week, again", 200)
		want(used, "idle for two weeks", 401)
		used = h.logIn(ann)
		for range 5 {
			time.Sleep(sessionLife/5 - time.Second/5)
			want(used, "used before 30 days", 200)
		}
		time.Sleep(time.Second)
		want(used, "used after 30 days", 401)
		want(idle, "idle for more than a week", 401)
	})
}

// An open page keeps its session from being idle, and goes when its time is over.
func TestOpenPageIsUse(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		c := h.logIn(ann)
		begin := time.Now()
		p := h.deaf(c)
		go p.listen()
		p.wantReady(ann)
		time.Sleep(2 * idleLife)
		if resp := h.post("/api/login", c); resp.StatusCode != 200 {
			t.Errorf("after two weeks with an open page answered with %s", resp.Status)
		}
		<-p.ended
		if late := time.Since(begin) - sessionLife; late < 0 || late > seenEvery {
			t.Errorf("the page was closed %v after its time", late)
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
			r, _ := s.do("GET", "/api/status", "", "Authorization: Bearer wrong")
			return r.StatusCode
		}},
		{"tokens that look like ours", func(s *street) int {
			r, _ := s.do("GET", "/api/status", "", "Authorization: Bearer "+tokenPrefix+newSecret())
			return r.StatusCode
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStreet(t, nil)
			session := "Cookie: nacre=" + s.session(ann)
			for range secretPatience.free {
				if got := c.try(s); got != 401 && got != 403 {
					t.Fatalf("answered with %d too early", got)
				}
			}
			if got := c.try(s); got != 429 {
				t.Errorf("after %d failures answered with %d", secretPatience.free, got)
			}
			if resp, _ := s.do("POST", "/login", form(s.secret(ann))); resp.StatusCode != 303 {
				t.Errorf("a right link is answered with %s", resp.Status)
			}
			for _, token := range []string{"the-token", s.token(ann).Token} {
				if resp, _ := s.do("GET", "/api/status", "", "Authorization: Bearer "+token); resp.StatusCode != 200 {
					t.Errorf("a right token is answered with %s", resp.Status)
				}
			}
			if got := c.try(s); got != 429 {
				t.Errorf("afterwards a wrong one is answered with %d", got)
			}
			if resp, _ := s.do("GET", "/", "", session); resp.StatusCode != 200 {
				t.Errorf("who is logged in already is answered with %s", resp.Status)
			}
		})
	}
}

// A browser that brings a session of somebody else's choice gets another one, and one
// that was logged in before is so no more.
func TestLoginFixesNothing(t *testing.T) {
	s := newStreet(t, nil)
	for name, before := range map[string]string{"a session of an attacker": s.session(bob), "made up": newSecret()} {
		resp, _ := s.do("POST", "/login", form(s.secret(ann)), "Cookie: nacre="+before, "Origin: http://"+s.host)
		if len(resp.Cookies()) != 1 || resp.Cookies()[0].Value == before {
			t.Fatalf("%s: answered with %s, %v", name, resp.Status, resp.Cookies())
		}
		if resp, _ := s.do("GET", "/app.js", "", "Cookie: nacre="+before); resp.StatusCode != 401 {
			t.Errorf("%s: then it is answered with %s", name, resp.Status)
		}
		if resp, _ := s.do("GET", "/app.js", "", "Cookie: nacre="+resp.Cookies()[0].Value); resp.StatusCode != 200 {
			t.Errorf("%s: the new session is answered with %s", name, resp.Status)
		}
	}
}

// Who asks for a room and is not logged in gets there by the way in.
func TestWayInLeadsOn(t *testing.T) {
	s := newStreet(t, nil)
	for path, want := range map[string]string{
		"/": "/login", "/memory": "/login?to=%2Fmemory", "/memory/about/bike?as=1&b=%20": "/login?to=%2Fmemory%2Fabout%2Fbike%3Fas%3D1%26b%3D%2520",
	} {
		if resp, _ := s.do("GET", path, ""); resp.StatusCode != 303 || resp.Header.Get("Location") != want {
			t.Errorf("%s: answered with %s to %q, want %q", path, resp.Status, resp.Header.Get("Location"), want)
		}
	}
}
