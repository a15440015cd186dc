package web

import (
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// accessDesk is a Desk with a Porter.
type accessDesk struct {
	plainDesk
	porter *Porter
}

func (d accessDesk) Access(h Hand) Access { return d.porter.Access(h) }

// newGate is a street whose porter can be asked.
func newGate(t *testing.T) *street {
	t.Helper()
	return newStreet(t, func(o *Options) { o.Desk = accessDesk{plainDesk{}, o.Porter} })
}

// access asks for who may act as an owner, or for a change of that, and reads the
// answer into out, if that is not nil. It returns the status.
func (s *street) access(request, body, who string, out any) int {
	s.t.Helper()
	method, path, _ := strings.Cut(request, " ")
	resp, answer := s.do(method, "/api/access"+path, body, who, "Origin: http://"+s.host)
	if err := json.Unmarshal([]byte(answer), out); out != nil && err != nil {
		s.t.Fatalf("%s: %s %q", request, resp.Status, answer)
	}
	return resp.StatusCode
}

func TestAccess(t *testing.T) {
	s := newGate(t)
	here, there, theirs := "Cookie: nacre="+s.session(ann), "Cookie: nacre="+s.session(ann), "Cookie: nacre="+s.session(bob)
	var token Token
	if got := s.access("POST /token", `{"name":" Büro 2 "}`, here, &token); got != 200 || !strings.HasPrefix(token.Token, "nacre_") || len(token.Token) != 49 {
		t.Fatalf("a token is answered with %d, %+v", got, token)
	}
	program := "Authorization: Bearer " + token.Token
	list := func(who string) (list AccessListing) {
		t.Helper()
		if got := s.access("GET ", "", who, &list); got != 200 {
			t.Fatalf("the list is answered with %d", got)
		}
		return list
	}
	all := list(here).Logins
	if len(all) != 3 || !all[0].Token || all[0].ID != token.ID || all[0].Name != "Büro 2" || !all[0].Expires.IsZero() {
		t.Fatalf("listed %+v", all)
	}
	asking := map[string]string{} // id → whose the list is
	for _, who := range []string{here, there, program} {
		for _, g := range list(who).Logins {
			if g.Current && asking[g.ID] != "" {
				t.Errorf("%s is current for two", g.ID)
			}
			if g.Current {
				asking[g.ID] = who
			}
		}
	}
	if len(asking) != 3 || asking[token.ID] != program {
		t.Errorf("those who ask are %v", asking)
	}
	browser := all[1]
	if browser.Token || browser.Name != "Firefox, Linux" || time.Since(browser.Made) > time.Minute || browser.Expires.Sub(browser.Made) != sessionLife {
		t.Errorf("a browser is listed as %+v", browser)
	}
	if got := list(theirs).Logins; len(got) != 1 {
		t.Errorf("another owner has %+v", got)
	}

	for name, c := range map[string]struct {
		body, who string
		want      int
	}{
		"another owner's token":   {`{"id":"` + token.ID + `"}`, theirs, 404},
		"another owner's browser": {`{"id":"` + browser.ID + `"}`, theirs, 404},
		"nothing":                 {`{"id":"x"}`, here, 404},
		"no name":                 {`{}`, here, 404},
	} {
		if got := s.access("POST /revoke", c.body, c.who, nil); got != c.want {
			t.Errorf("%s is revoked with %d, want %d", name, got, c.want)
		}
	}
	if got := len(list(program).Logins); got != 3 {
		t.Errorf("then there are %d", got)
	}
	if got := s.access("POST /revoke", `{"id":"`+token.ID+`"}`, here, nil); got != 200 {
		t.Errorf("the token is revoked with %d", got)
	}
	if got := s.access("GET ", "", program, nil); got != 401 {
		t.Errorf("a revoked token is answered with %d", got)
	}
	if got := s.access("POST /revoke", `{"others":true}`, here, nil); got != 200 {
		t.Errorf("others are revoked with %d", got)
	}
	for who, want := range map[string]int{here: 200, there: 401, theirs: 200} {
		if got := s.access("GET ", "", who, nil); got != want {
			t.Errorf("then %s is answered with %d, want %d", who, got, want)
		}
	}
}

func TestTokensAreNamed(t *testing.T) {
	s := newGate(t)
	for name, want := range map[string]int{
		"backup": 200, "Ann's": 400, "": 400, "  ": 400, "a_b-c.d 1": 200, strings.Repeat("ä", 40): 200, strings.Repeat("a", 41): 400, "a\nb": 400, "<b>": 400,
	} {
		body, _ := json.Marshal(TokenWish{name})
		if got := s.access("POST /token", string(body), program, nil); got != want {
			t.Errorf("%q is answered with %d, want %d", name, got, want)
		}
	}
}

// A token is its owner's alone, whoever else is the operator.
func TestTokensActForTheirOwner(t *testing.T) {
	s := newGate(t)
	mine, theirs := s.token(ann), s.token(bob)
	for _, c := range []struct {
		name, token, path string
		want              int
	}{
		{"the operator's", mine.Token, "/api/status", 200},
		{"another's", theirs.Token, "/api/status", 403},
		{"the other's own", theirs.Token, "/api/access", 200},
		{"the hash of one", hex.EncodeToString(tagOf(mine.Token)), "/api/access", 401},
		{"its id", mine.ID, "/api/access", 401},
		{"without its beginning", strings.TrimPrefix(mine.Token, tokenPrefix), "/api/access", 401},
		{"a session", s.session(ann), "/api/access", 401},
	} {
		if resp, _ := s.do("GET", c.path, "", "Authorization: Bearer "+c.token); resp.StatusCode != c.want {
			t.Errorf("%s: answered with %s, want %d", c.name, resp.Status, c.want)
		}
	}
	if resp, _ := s.do("GET", "/app.js", "", "Cookie: nacre="+mine.Token); resp.StatusCode != 401 {
		t.Errorf("a token as a cookie is answered with %s", resp.Status)
	}
	var list AccessListing
	s.access("GET ", "", "Authorization: Bearer "+theirs.Token, &list)
	if len(list.Logins) != 1 || list.Logins[0].ID != theirs.ID {
		t.Errorf("the other owner has %+v", list.Logins)
	}
}

// What is revoked is cut off at once, and the owner's other pages look again.
func TestRevokedPagesClose(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		first, other := h.deaf(h.logIn(ann)), h.open(bob)
		first.logins = true
		go first.listen()
		first.wantReady(ann)
		time.Sleep(time.Second)
		second := h.open(ann)
		first.want(changed(TopicAccess))
		desk := h.porter().Access(Hand{Owner: ann})
		list, err := desk.List(t.Context())
		if err != nil || len(list.Logins) != 2 {
			t.Fatalf("listed %+v, %v", list, err)
		}
		if err := desk.Revoke(t.Context(), Revocation{ID: list.Logins[0].ID}); err != nil {
			t.Fatal(err)
		}
		second.wantEnd()
		first.want(changed(TopicAccess))
		other.wantNone()
		if err := desk.Revoke(t.Context(), Revocation{Others: true}); err != nil {
			t.Fatal(err)
		}
		first.wantEnd()
		other.say("b-1", "still here")
		other.want(frame{T: frameStored, ID: "b-1"})
	})
}

// When a login was used last is known to ten minutes, so that it is not written down
// with every request.
func TestUseOfALoginIsNoted(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		cookie := h.logIn(ann)
		made := time.Now()
		seen := func() time.Duration {
			list, err := h.logins.Logins(t.Context(), ann)
			if err != nil || len(list) != 1 {
				t.Fatalf("logins %+v, %v", list, err)
			}
			return list[0].Seen.Sub(made)
		}
		for _, c := range []struct{ wait, want time.Duration }{
			{seenEvery - time.Second, 0}, {time.Second, seenEvery}, {time.Second, seenEvery}, {2 * seenEvery, 3*seenEvery + time.Second},
		} {
			time.Sleep(c.wait)
			h.post("/api/login", cookie)
			if got := seen(); got != c.want {
				t.Errorf("seen after %v, want %v", got, c.want)
			}
		}
	})
}
