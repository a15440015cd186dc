package web

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/gateway/gatewaytest"
)

func TestPasswordsAreChecked(t *testing.T) {
	s := newGate(t)
	long := strings.Repeat("a", longestPassword)
	for name, c := range map[string]struct {
		p    Password
		want int
	}{
		"short":              {Password{"ann", "123456789"}, 400},
		"short, but long":    {Password{"ann", "ääääääääää"}, 200},
		"long":               {Password{"ann", long}, 200},
		"too long":           {Password{"ann", long + "a"}, 400},
		"name too short":     {Password{"a", "1234567890"}, 400},
		"name with a space":  {Password{"an n", "1234567890"}, 400},
		"name with a letter": {Password{"Änn.O-1_2", "1234567890"}, 200},
	} {
		body, _ := json.Marshal(c.p)
		if got := s.access("POST /password", string(body), program, nil); got != c.want {
			t.Errorf("%s: answered with %d, want %d", name, got, c.want)
		}
	}
	var list AccessListing
	if s.access("GET ", "", program, &list); list.Password == "" {
		t.Error("the list does not say that there is a password")
	}
	if got := s.access("POST /password/drop", "", program, nil); got != 200 {
		t.Errorf("it is dropped with %d", got)
	}
	list = AccessListing{}
	if s.access("GET ", "", program, &list); list.Password != "" {
		t.Errorf("then there is one of %q", list.Password)
	}
}

// TestHasherTakesTurns also shows that a name without a password is compared like
// another.
func TestHasherTakesTurns(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		p := h.porter()
		p.hashes.turn <- struct{}{} // somebody hashes
		answers := make(chan error, 2*mostHashing)
		for range 2 * mostHashing {
			go func() {
				_, err := p.byPassword(t.Context(), "nobody", "a long password")
				answers <- err
			}()
		}
		synctest.Wait()
		if n := len(answers); n != mostHashing {
			t.Errorf("%d of %d were sent away", n, 2*mostHashing)
		}
		for len(answers) > 0 {
			if err := <-answers; err != errCrowd {
				t.Errorf("sent away with %v", err)
			}
		}
		<-p.hashes.turn
		for range mostHashing {
			if err := <-answers; nacre.KindOf(err) != nacre.NotFound {
				t.Errorf("then answered with %v", err)
			}
		}
	})
}

func TestHash(t *testing.T) {
	h := newHasher()
	hash, err := h.hash(t.Context(), "päss wörd")
	if err != nil || !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Fatalf("the hash is %q, %v", hash, err)
	}
	if other, _ := h.hash(t.Context(), "päss wörd"); other == hash {
		t.Error("two hashes have the same salt")
	}
	for _, c := range []struct {
		name, hash, password string
		want                 bool
	}{
		{"the same", hash, "päss wörd", true},
		{"composed otherwise", hash, "pa\u0308ss wo\u0308rd", true},
		{"another", hash, "pass word", false},
		{"empty", hash, "", false},
		{"of nobody", nobody, "", false},
		// Made by: echo -n "a good password" | argon2 sixteenbytesalt -id -t 2 -k 19456 -p 1 -l 32 -e
		{"of another program", "$argon2id$v=19$m=19456,t=2,p=1$c2l4dGVlbmJ5dGVzYWx0$ev7CCXiTwdUCVMX9RvZ5u9v0jueNVV8BoOHtKtTI+wA", "a good password", true},
	} {
		if got, err := h.matches(t.Context(), c.hash, c.password); got != c.want || err != nil {
			t.Errorf("%s: matches is %v, %v", c.name, got, err)
		}
	}
	if _, err := h.matches(t.Context(), "$argon2i$v=19$m=1,t=1,p=1$AAAA$AAAA", "x"); err == nil {
		t.Error("a hash of another kind is taken")
	}
}

const longWord = "a long password"

// guesser is the door of a house behind a proxy, at which passwords are tried.
type guesser struct {
	*house
	door http.Handler
}

// newGuesser gives ann a password.
func newGuesser(h *house) guesser {
	h.t.Helper()
	o := h.options()
	o.Site.proxy = true
	if err := o.Porter.Access(Hand{Owner: ann}).SetPassword(h.t.Context(), Password{"Ann", longWord}); err != nil {
		h.t.Fatal(err)
	}
	return guesser{h, Public(o)}
}

// try tries a password from an address, and returns the answer.
func (g guesser) try(from, name, password string) *http.Response {
	form := url.Values{"name": {name}, "password": {password}}.Encode()
	r := httptest.NewRequest("POST", gatewaytest.PipeURL+"/login/password", strings.NewReader(form))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", gatewaytest.PipeURL)
	r.Header.Set("X-Forwarded-For", from)
	w := httptest.NewRecorder()
	g.door.ServeHTTP(w, r)
	return w.Result()
}

// want tries a password and wants it to be answered with a status, and how many
// seconds there are to wait.
func (g guesser) want(what, from, name, password string, status int, pause string) {
	g.t.Helper()
	resp := g.try(from, name, password)
	in := len(resp.Cookies()) == 1
	if resp.StatusCode != status || in != (status == 303) || resp.Header.Get("Retry-After") != pause {
		g.t.Errorf("%s: answered with %s, %d cookies, wait %q; want %d, %q", what, resp.Status, len(resp.Cookies()), resp.Header.Get("Retry-After"), status, pause)
	}
}

func TestLoginByPassword(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		g := newGuesser(h)
		g.want("right", "192.0.2.1", "ann", longWord, 303, "")
		g.want("wrong", "192.0.2.2", "ann", "a wrong password", 403, "")
		g.want("of nobody", "192.0.2.3", "bob", longWord, 403, "")
		g.want("no name", "192.0.2.4", "", "", 403, "")
		list, _ := h.logins.Logins(t.Context(), ann)
		if len(list) != 1 || list[0].Kind != nacre.LoginSession {
			t.Errorf("logins %+v", list)
		}
		if err := h.porter().Access(Hand{Owner: ann}).DropPassword(t.Context()); err != nil {
			t.Fatal(err)
		}
		g.want("dropped", "192.0.2.5", "ann", longWord, 403, "")
	})
}

// A browser says that the form is ours; nobody else may log somebody in.
func TestLoginByPasswordComesFromOurPage(t *testing.T) {
	s := newGate(t)
	if err := s.porter.Access(Hand{Owner: ann}).SetPassword(t.Context(), Password{"ann", longWord}); err != nil {
		t.Fatal(err)
	}
	for origin, want := range map[string]int{"http://" + s.host: 303, "https://evil.example": 403, "null": 403, "": 403} {
		var headers []string
		if origin != "" {
			headers = []string{"Origin: " + origin}
		}
		resp, _ := s.do("POST", "/login/password", url.Values{"name": {"ann"}, "password": {longWord}}.Encode(), headers...)
		if resp.StatusCode != want || (len(resp.Cookies()) == 1) != (want == 303) {
			t.Errorf("from %q: answered with %s, %d cookies, want %d", origin, resp.Status, len(resp.Cookies()), want)
		}
	}
}

// A name is guessed at ever more slowly, from wherever and however it is written; also
// the right password has to wait. It is forgotten with the first that is right.
func TestNameIsGuessedSlowly(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		g := newGuesser(h)
		for i, name := range []string{"ann", "ANN", "aNn", "Ann", "ann"} {
			g.want("wrong", "192.0.2."+string(rune('1'+i)), name, "a wrong password", 403, "")
		}
		g.want("right, too early", "198.51.100.1", "ann", longWord, 429, "1")
		g.want("another name from there", "198.51.100.1", "bob", longWord, 403, "")
		time.Sleep(time.Second)
		g.want("wrong again", "192.0.2.6", "ann", "a wrong password", 403, "")
		time.Sleep(time.Second)
		g.want("right, too early again", "198.51.100.1", "ann", longWord, 429, "1")
		time.Sleep(time.Second)
		g.want("right in time", "198.51.100.1", "ann", longWord, 303, "")
		g.want("wrong after it", "192.0.2.7", "ann", "a wrong password", 403, "")
		g.want("right after it", "192.0.2.7", "ann", longWord, 303, "")
	})
}

// An address guesses ever more slowly, whatever names it tries; who comes from
// elsewhere does not feel it.
func TestAddressGuessesSlowly(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		g := newGuesser(h)
		for range 10 {
			g.want("right", "192.0.2.1", "ann", longWord, 303, "")
		}
		for i := range passwordPatience.free {
			g.want("wrong", "192.0.2.1", "name"+string(rune('a'+i)), "a wrong password", 403, "")
		}
		g.want("right, too early", "192.0.2.1", "ann", longWord, 429, "1")
		g.want("from elsewhere", "192.0.2.2", "ann", longWord, 303, "")
		time.Sleep(time.Second)
		g.want("right in time", "192.0.2.1", "ann", longWord, 303, "")
		g.want("after it", "192.0.2.1", "ann", longWord, 303, "")
	})
}
