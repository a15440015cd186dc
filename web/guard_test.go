package web

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"nacre"
	"nacre/gateway/gatewaytest"
)

// street is a Nacre on a loopback address, also reached as a public name.
type street struct {
	t      *testing.T
	host   string // host:port
	logins *keptLogins
	porter *Porter
	site   Site
}

const publicName = "nacre.example.org"

// newStreet serves on loopback; change may alter the options.
func newStreet(t *testing.T, change func(*Options)) *street {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	s := &street{t: t, host: server.Listener.Addr().String(), logins: newLogins()}
	var err error
	if s.site, err = NewSite(Serving{Listen: s.host, URL: "https://" + publicName}); err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	chat := NewChat(log)
	s.porter = NewPorter(s.logins, s.logins, chat, log)
	ended := make(chan struct{})
	go func() { defer close(ended); chat.Run(t.Context(), gatewaytest.NewHost()) }()
	t.Cleanup(func() { <-ended }) // the test's context ends before
	o := Options{Desk: plainDesk{}, Chat: chat, Porter: s.porter, Operator: func() nacre.OwnerID { return ann }, Site: s.site, Token: "the-token", Log: log}
	if change != nil {
		change(&o)
	}
	server.Config.Handler = Public(o)
	server.Start()
	t.Cleanup(server.Close)
	return s
}

// session is the cookie of a browser that is logged in.
func (s *street) session(owner nacre.OwnerID) string {
	s.t.Helper()
	secret, err := s.porter.session(s.t.Context(), owner, "Firefox, Linux")
	if err != nil {
		s.t.Fatal(err)
	}
	return secret
}

// token is a fresh one.
func (s *street) token(owner nacre.OwnerID) Token {
	s.t.Helper()
	token, err := s.porter.Access(Hand{Owner: owner}).MakeToken(s.t.Context(), TokenWish{Name: "backup"})
	if err != nil {
		s.t.Fatal(err)
	}
	return token
}

// secret is that of a fresh link.
func (s *street) secret(owner nacre.OwnerID) string {
	s.t.Helper()
	link, err := s.porter.Link(s.t.Context(), s.site, owner)
	if err != nil {
		s.t.Fatal(err)
	}
	_, secret, _ := strings.Cut(link, "#")
	return secret
}

// do makes a request with headers given as "Name: value", of which Host is one.
func (s *street) do(method, path, body string, headers ...string) (*http.Response, string) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, "http://"+s.host+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			req.Host = value
		}
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return resp, string(b)
}

func TestGuards(t *testing.T) {
	s := newStreet(t, nil)
	_, port, _ := net.SplitHostPort(s.host)
	local, public := "Cookie: nacre="+s.session(ann), "Cookie: __Host-nacre="+s.session(ann)
	stranger := "Cookie: nacre=" + s.session(bob)
	const bearer = "Authorization: Bearer the-token"
	for _, c := range []struct {
		name    string
		request string
		headers []string
		want    int
	}{
		{"the page", "GET /", []string{local}, 200},
		{"without a cookie", "GET /", nil, 303},
		{"with a wrong cookie", "GET /", []string{"Cookie: nacre=" + newSecret()}, 303},
		{"with the cookie of another scheme", "GET /", []string{strings.Replace(local, "nacre=", "__Host-nacre=", 1)}, 303},
		{"with the token", "GET /", []string{bearer}, 200},
		{"with the token as bearer", "GET /", []string{"Authorization: bearer the-token"}, 200},
		{"with the token as BEARER", "GET /", []string{"Authorization: BEARER the-token"}, 200},
		{"with a wrong token", "GET /app.js", []string{"Authorization: Bearer the-tokem"}, 401},
		{"with an empty token", "GET /app.js", []string{"Authorization: Bearer "}, 401},
		{"with the token as another scheme", "GET /app.js", []string{"Authorization: Basic the-token"}, 401},

		{"by localhost", "GET /", []string{local, "Host: localhost:" + port}, 200},
		{"by LOCALHOST", "GET /", []string{local, "Host: LOCALHOST:" + port}, 200},
		{"by IPv6", "GET /", []string{local, "Host: [::1]:" + port}, 200},
		{"by the public name", "GET /", []string{public, "Host: " + publicName}, 200},
		{"by another name", "GET /", []string{local, "Host: evil.example:" + port}, 421},
		{"by another port", "GET /", []string{local, "Host: localhost:1"}, 421},
		{"by a name below ours", "GET /login", []string{"Host: x." + publicName}, 421},
		{"the way in by another name", "GET /login", []string{"Host: evil.example"}, 421},
		{"the way in", "GET /login", nil, 200},

		{"script of the page", "GET /app.js", []string{local}, 200},
		{"script of the page without a cookie", "GET /app.js", nil, 401},
		{"script of the way in", "GET /login.js", nil, 200},
		{"style", "GET /style.css", nil, 200},
		{"what is not there", "GET /nothing", []string{local}, 404},
		{"what is not there, without a cookie", "GET /nothing", nil, 401},
		{"the folder", "GET /page/app.js", []string{local}, 404},
		{"sign of life", "GET /healthz", []string{"Host: whatever"}, 200},

		{"status", "GET /api/status", []string{local}, 200},
		{"status with the token", "GET /api/status", []string{bearer}, 200},
		{"status without a cookie", "GET /api/status", nil, 401},
		{"status for who is not the operator", "GET /api/status", []string{stranger}, 403},
		{"link for who is not the operator", "POST /api/login", []string{stranger}, 403},
		{"link", "POST /api/login", []string{bearer}, 200},

		{"POST from our page", "POST /api/login", []string{local, "Origin: http://" + s.host}, 200},
		{"POST from our page, behind a proxy", "POST /api/login", []string{local, "Origin: https://" + publicName}, 200},
		{"POST from another page", "POST /api/login", []string{local, "Origin: https://evil.example"}, 403},
		{"POST from another port", "POST /api/login", []string{local, "Origin: http://127.0.0.1:1"}, 403},
		{"POST from nowhere", "POST /api/login", []string{local, "Origin: null"}, 403},
		{"POST as the browser sees it, own", "POST /api/login", []string{local, "Origin: http://" + s.host, "Sec-Fetch-Site: same-origin"}, 200},
		{"POST as the browser sees it, cross-site", "POST /api/login", []string{local, "Sec-Fetch-Site: cross-site"}, 403},
		{"POST as the browser sees it, same-site", "POST /api/login", []string{local, "Sec-Fetch-Site: same-site"}, 403},
		{"cross-site login", "POST /login", []string{"Origin: https://evil.example"}, 403},
		{"cross-site logout", "POST /logout", []string{local, "Sec-Fetch-Site: cross-site"}, 403},
		{"logout by GET", "GET /logout", []string{local}, 404},
		{"still logged in", "GET /", []string{local}, 200},
		{"webhook where there is none", "POST /telegram", nil, 401},
	} {
		method, path, _ := strings.Cut(c.request, " ")
		if resp, body := s.do(method, path, "", c.headers...); resp.StatusCode != c.want {
			t.Errorf("%s: %s %q, want %d", c.name, resp.Status, body, c.want)
		}
	}
}

// What pages of others send is refused in the form of all problems.
func TestWhatOthersSendIsRefusedInJSON(t *testing.T) {
	s := newStreet(t, nil)
	for _, path := range []string{"/api/memory/undo", "/login", "/logout"} {
		resp, body := s.do("POST", path, "", "Cookie: nacre="+s.session(ann), "Origin: https://evil.example")
		var p problem
		if err := json.Unmarshal([]byte(body), &p); err != nil || resp.StatusCode != 403 || p != problemOf(errForeign) || resp.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %s, %s, %q", path, resp.Status, resp.Header.Get("Content-Type"), body)
		}
	}
}

// Whatever is asked over the API is guarded alike. The requests make no sense: what
// is let in is answered with 400.
func TestRoutesAreGuarded(t *testing.T) {
	s := newStreet(t, func(o *Options) { o.Site.proxy = true })
	const name = "Cookie: __Host-nacre="
	cookie, token, revoked, old := name+s.session(ann), s.token(ann), s.token(ann), newSecret()
	if err := s.porter.end(t.Context(), ann, nacre.LoginID(revoked.ID)); err != nil {
		t.Fatal(err)
	}
	expired := nacre.Login{ID: "old", Kind: nacre.LoginSession, Owner: ann, Expires: time.Now()}
	if err := s.logins.PutLogin(t.Context(), expired, tagOf(old)); err != nil {
		t.Fatal(err)
	}
	own, foreign := "Origin: http://"+s.host, "Origin: https://evil.example"
	posts := 0
	for i, r := range routes(plainDesk{}) {
		elsewhere := fmt.Sprintf("X-Forwarded-For: 192.0.2.%d", i) // so that nobody fails often
		method, path, _ := strings.Cut(r.pattern, " ")
		reads := method == "GET"
		want := func(post, get int) int {
			if reads {
				return get
			}
			return post
		}
		if !reads {
			posts++
		}
		for _, c := range []struct {
			name    string
			headers []string
			want    int
		}{
			{"from our page", []string{cookie, own}, 400},
			{"from nowhere", []string{cookie}, want(403, 400)},
			{"from another page", []string{cookie, foreign}, want(403, 400)},
			{"from a page of no origin", []string{cookie, "Origin: null"}, want(403, 400)},
			{"a program", []string{"Authorization: Bearer " + token.Token}, 400},
			{"the program of the configuration", []string{program}, 400},
			{"another page that has a token", []string{"Authorization: Bearer " + token.Token, foreign}, want(403, 400)},
			{"a token that is revoked", []string{"Authorization: Bearer " + revoked.Token, elsewhere}, 401},
			{"a session that is old", []string{name + old, own}, 401},
			{"nobody", []string{own}, 401},
			{"by another name", []string{cookie, own, "Host: evil.example"}, 421},
		} {
			target, body := path, "["
			switch {
			case reads:
				target, body = path+"?nonsense=1", ""
			case path == "/api/import": // whose body is what is imported, whatever that is
				target = path + "?nonsense=1"
			}
			resp, answer := s.do(method, target, body, c.headers...)
			if letIn := resp.StatusCode == 200 && c.want == 400; resp.StatusCode != c.want && !letIn { // as files are, whatever is asked
				t.Errorf("%s, %s: %s %s, want %d", r.pattern, c.name, resp.Status, answer, c.want)
			}
		}
	}
	if posts < 20 {
		t.Errorf("%d routes change something", posts)
	}
}

func TestWebsocketGuards(t *testing.T) {
	s := newStreet(t, nil)
	local, public := "nacre="+s.session(ann), "__Host-nacre="+s.session(ann)
	own := "http://" + s.host
	for _, c := range []struct {
		name   string
		header map[string]string
		want   int
	}{
		{"from our page", map[string]string{"Cookie": local, "Origin": own}, 101},
		{"by the public name", map[string]string{"Cookie": public, "Origin": "https://" + publicName, "Host": publicName}, 101},
		{"behind a proxy that changes the name", map[string]string{"Cookie": local, "Origin": "https://" + publicName}, 101},
		{"a program", map[string]string{"Authorization": "Bearer the-token"}, 101},
		{"without a cookie", map[string]string{"Origin": own}, 401},
		{"a wrong token", map[string]string{"Authorization": "Bearer x"}, 401},
		{"without origin", map[string]string{"Cookie": local}, 403},
		{"from another page", map[string]string{"Cookie": local, "Origin": "http://evil.example"}, 403},
		{"from another port", map[string]string{"Cookie": local, "Origin": "http://127.0.0.1:1"}, 403},
		{"from another scheme", map[string]string{"Cookie": local, "Origin": "https://" + s.host}, 403},
		{"from the public name by another scheme", map[string]string{"Cookie": public, "Origin": "http://" + publicName, "Host": publicName}, 403},
		{"from nowhere", map[string]string{"Cookie": local, "Origin": "null"}, 403},
		{"another page that has the token", map[string]string{"Authorization": "Bearer the-token", "Origin": "http://evil.example"}, 403},
		{"by another name", map[string]string{"Cookie": local, "Origin": "http://evil.example", "Host": "evil.example"}, 421},
	} {
		header := http.Header{}
		for k, v := range c.header {
			header.Set(k, v)
		}
		conn, resp, err := websocket.DefaultDialer.DialContext(t.Context(), "ws://"+s.host+"/ws", header)
		if resp == nil || resp.StatusCode != c.want {
			t.Errorf("%s: %v, %v, want %d", c.name, resp, err, c.want)
		}
		if err == nil {
			conn.Close()
		}
	}
}

func TestHeaders(t *testing.T) {
	s := newStreet(t, nil)
	cookie := "Cookie: nacre=" + s.session(ann)
	for _, path := range []string{"/", "/login", "/app.js", "/nothing", "/ws"} {
		resp, _ := s.do("GET", path, "", cookie)
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
				"form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
			"X-Content-Type-Options":       "nosniff",
			"Referrer-Policy":              "same-origin",
			"Strict-Transport-Security":    "",
			"Cross-Origin-Opener-Policy":   "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin",
		} {
			if got := resp.Header.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", path, name, got, want)
			}
		}
		if got, want := resp.Header.Get("Cache-Control"), "no-store"; path != "/app.js" && got != want {
			t.Errorf("%s: Cache-Control is %q, want %q", path, got, want)
		}
	}
	resp, _ := s.do("GET", "/app.js", "", cookie)
	if again, body := s.do("GET", "/app.js", "", cookie, "If-None-Match: "+resp.Header.Get("ETag")); again.StatusCode != 304 || body != "" {
		t.Errorf("what the browser has already is sent again: %s", again.Status)
	}
}

// The policy forbids inline scripts and styles, so that the pages must not
// need any.
func TestPagesNeedNothingInline(t *testing.T) {
	for _, name := range []string{"page/index.html", "page/login.html"} {
		b, err := assets.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"<style", "style=", "onclick", "onload", "javascript:", "http://", "https://", "<script>"} {
			if strings.Contains(string(b), bad) {
				t.Errorf("%s contains %q", name, bad)
			}
		}
		if !strings.Contains(string(b), `<script type="module" src="/`) {
			t.Errorf("%s loads no script", name)
		}
	}
}

// Strangers get what the way in needs, and nothing else of the page.
func TestStrangersGetTheWayInAlone(t *testing.T) {
	s := newStreet(t, nil)
	var got []string
	for _, name := range files() {
		resp, _ := s.do("GET", "/"+name, "")
		if resp.StatusCode == 200 {
			got = append(got, name)
		} else if resp.StatusCode != 401 {
			t.Errorf("%s is answered with %s", name, resp.Status)
		}
	}
	if want := []string{"de/login.js", "gmail.js", "icon.svg", "login.js", "rooms.css", "style.css", "words.js"}; !slices.Equal(got, want) {
		t.Errorf("strangers get %q, want %q", got, want)
	}
}

func TestWebhookIsOutsideOfTheGuards(t *testing.T) {
	called := 0
	s := newStreet(t, func(o *Options) {
		o.Webhook = http.HandlerFunc(func(http.ResponseWriter, *http.Request) { called++ })
	})
	if resp, _ := s.do("POST", "/telegram", "", "Host: whatever", "Origin: https://telegram.example"); resp.StatusCode != 200 || called != 1 {
		t.Errorf("the webhook was answered with %s and called %d times", resp.Status, called)
	}
	if resp, _ := s.do("GET", "/telegram", ""); resp.StatusCode != 401 || called != 1 {
		t.Errorf("GET was answered with %s, the webhook called %d times", resp.Status, called)
	}
}

func TestWithoutATokenNoTokenIsRight(t *testing.T) {
	s := newStreet(t, func(o *Options) { o.Token = "" })
	for _, header := range []string{"Authorization: Bearer ", "Authorization: Bearer the-token"} {
		if resp, _ := s.do("GET", "/api/status", "", header); resp.StatusCode != 401 {
			t.Errorf("%q was answered with %s", header, resp.Status)
		}
	}
	if resp, _ := s.do("GET", "/api/status", "", "Cookie: nacre="+s.session(ann)); resp.StatusCode != 200 {
		t.Errorf("a session was answered with %s", resp.Status)
	}
}

func form(secret string) string { return url.Values{"link": {secret}}.Encode() }
