package browse

import (
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
)

// internet is a double of the Internet: names resolve by a table, and every
// address that the check lets through leads to a server on loopback.
type internet struct {
	servers map[string]string // port → where it is served

	mu      sync.Mutex
	names   map[string][]string // host → the addresses of its next look-ups; the last one stays
	dialled []string            // what was connected to, as claimed
}

const site = "93.184.216.34"

func (i *internet) connect(ctx context.Context, network, address string, check control) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	ip, err := i.look(host)
	if err != nil {
		return nil, err
	}
	claimed := net.JoinHostPort(ip, port)
	if err := check(ctx, network, claimed, nil); err != nil {
		return nil, &net.OpError{Op: "dial", Net: network, Err: err}
	}
	i.mu.Lock()
	i.dialled = append(i.dialled, claimed)
	i.mu.Unlock()
	var d net.Dialer
	return d.DialContext(ctx, "tcp", i.servers[port])
}

func (i *internet) look(host string) (string, error) {
	if _, err := netip.ParseAddr(host); err == nil {
		return host, nil
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	ips := i.names[host]
	if len(ips) == 0 {
		return "", &net.DNSError{Name: host, IsNotFound: true}
	}
	if len(ips) > 1 {
		i.names[host] = ips[1:]
	}
	return ips[0], nil
}

// online serves h as every site of an internet at port 80.
func online(t *testing.T, h http.HandlerFunc) (*internet, *Fetcher) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	i := &internet{
		servers: map[string]string{"80": server.Listener.Addr().String()},
		names:   map[string][]string{"site.test": {site}},
	}
	return i, newFetcher(i.connect)
}

func text(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		io.WriteString(w, body)
	}
}

// Spellings of places that are not on the Internet. The table of names gives
// what lenient resolvers make of numbers.
func TestHostileAddresses(t *testing.T) {
	hits := 0
	i, f := online(t, func(w http.ResponseWriter, r *http.Request) { hits++; text("secret")(w, r) })
	i.names = map[string][]string{
		"site.test": {site}, "localhost": {"127.0.0.1"}, "LOCALHOST": {"127.0.0.1"}, "localhost.": {"::1"}, "a.localhost": {"127.0.0.1"},
		"2130706433": {"127.0.0.1"}, "0177.0.0.1": {"127.0.0.1"}, "0x7f000001": {"127.0.0.1"}, "127.1": {"127.0.0.1"}, "127.0.0.1.": {"127.0.0.1"},
		"0": {"0.0.0.0"}, "intranet.test": {"10.1.2.3"}, "mapped.test": {"::ffff:10.1.2.3"}, "metadata.google.internal": {"169.254.169.254"},
	}
	for _, address := range []string{
		"http://127.0.0.1/", "http://127.8.8.8/", "http://2130706433/", "http://0177.0.0.1/", "http://0x7f000001/", "http://127.1/", "http://127.0.0.1./", "http://0/", "http://0.0.0.0/",
		"http://localhost/", "http://LOCALHOST/", "http://localhost./", "http://a.localhost/",
		"http://[::1]/", "http://[::]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[::127.0.0.1]/", "http://[64:ff9b::7f00:1]/", "http://[2002:7f00:1::]/",
		"http://[fe80::1%25eth0]/", "http://[fc00::1]/", "http://[2001::7f00:1]/",
		"http://127。0。0。1/", "http://127．0．0．1/", "http://①②⑦.⓪.⓪.①/", "http://localhost%2e/", "http://%31%32%37.0.0.1/",
		"http://10.0.0.1/", "http://172.20.0.1/", "http://192.168.1.1/", "http://100.64.0.1/", "http://169.254.169.254/latest/meta-data/", "http://metadata.google.internal/",
		"http://intranet.test/", "http://mapped.test/", "http://site.test:22/", "http://site.test:25/",
		"http://site.test@127.0.0.1/", "http://127.0.0.1#@site.test/", "http://127.0.0.1\\@site.test/",
		"https://user:word@site.test/", "http://user@site.test/",
		"ftp://site.test/", "file:///etc/passwd", "gopher://site.test/", "javascript:alert(1)", "data:text/plain,x", "//site.test/", "site.test", "http://", "http:///x", "", "http://site.test/" + strings.Repeat("x", 4000),
	} {
		_, err := f.Fetch(t.Context(), address)
		if k := nacre.KindOf(err); err == nil || k != nacre.Denied && k != nacre.Invalid && k != nacre.NotFound {
			t.Errorf("%.60q: %v", address, err)
		}
	}
	if hits > 0 || len(i.dialled) > 0 {
		t.Errorf("%d requests arrived, %q were dialled", hits, i.dialled)
	}
	if p, err := f.Fetch(t.Context(), " http://site.test/ "); err != nil || p.Text != "secret" || hits != 1 {
		t.Errorf("a good address gives %+v, %v", p, err)
	}
}

// The dialler of the real Internet, on a service of this machine.
func TestRealDialler(t *testing.T) {
	server := httptest.NewServer(text("secret"))
	defer server.Close()
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	unguarded := newFetcher(func(ctx context.Context, network, address string, _ control) (net.Conn, error) {
		return dial(ctx, network, address, nil)
	})
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0"} {
		address := "http://" + host + ":" + port + "/"
		if p, err := unguarded.Fetch(t.Context(), address); err != nil || p.Text != "secret" {
			t.Errorf("%s unguarded: %+v, %v", host, p, err)
		}
		if p, err := NewFetcher().Fetch(t.Context(), address); nacre.KindOf(err) != nacre.Denied || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %+v, %v", host, p, err)
		}
	}
}

// A name that resolves to a private address at its second look-up.
func TestRebinding(t *testing.T) {
	i, f := online(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/again" {
			text("secret")(w, r)
			return
		}
		http.Redirect(w, r, "/again", http.StatusFound)
	})
	i.names["rebind.test"] = []string{site, "127.0.0.1"}
	if _, err := f.Fetch(t.Context(), "http://rebind.test/"); nacre.KindOf(err) != nacre.Denied {
		t.Errorf("got %v", err)
	}
	if _, err := f.Fetch(t.Context(), "http://rebind.test/again"); nacre.KindOf(err) != nacre.Denied {
		t.Errorf("a later fetch: %v", err)
	}
	if p, err := f.Fetch(t.Context(), "http://site.test/"); err != nil || p.Text != "secret" {
		t.Errorf("a name that stays: %+v, %v", p, err)
	}
}

func TestRedirects(t *testing.T) {
	var seen []*http.Request
	i, f := online(t, func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r)
		if n, err := strconv.Atoi(r.URL.Path[1:]); err == nil && n > 0 {
			http.SetCookie(w, &http.Cookie{Name: "id", Value: "7"})
			http.Redirect(w, r, fmt.Sprintf("/%d", n-1), http.StatusFound)
			return
		}
		if to := r.URL.Query().Get("to"); to != "" {
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusTemporaryRedirect)
			return
		}
		text("there")(w, r)
	})
	i.names["other.test"] = []string{"1.1.1.1"}
	tests := []struct {
		name, path string
		want       nacre.Kind
	}{
		{"private", "?to=http://10.0.0.1/", nacre.Denied},
		{"loopback", "?to=http://127.0.0.1:80/", nacre.Denied},
		{"metadata", "?to=http://169.254.169.254/", nacre.Denied},
		{"another protocol", "?to=file:///etc/passwd", nacre.Invalid},
		{"a password", "?to=http://a:b@other.test/", nacre.Invalid},
		{"another port", "?to=http://other.test:22/", nacre.Denied},
		{"too many", "6", nacre.Invalid},
		{"for ever", "999", nacre.Invalid},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if p, err := f.Fetch(t.Context(), "http://site.test/"+tt.path); err == nil || nacre.KindOf(err) != tt.want {
				t.Errorf("got %+v, %v; want %v", p, err, tt.want)
			}
		})
	}
	for _, path := range []string{"?to=http://other.test/", "5"} {
		seen = nil
		p, err := f.Fetch(t.Context(), "http://site.test/"+path)
		if err != nil || p.Text != "there" {
			t.Fatalf("%s: %+v, %v", path, p, err)
		}
		for _, r := range seen {
			if r.Header.Get("Cookie") != "" || r.Header.Get("Referer") != "" || r.UserAgent() != "nacre" {
				t.Errorf("%s was asked for with %v", r.URL, r.Header)
			}
		}
	}
}

func TestEncryption(t *testing.T) {
	plain := httptest.NewServer(text("open"))
	defer plain.Close()
	secure := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/down" {
			http.Redirect(w, r, "http://example.com/", http.StatusFound)
			return
		}
		text("closed")(w, r)
	}))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	i := &internet{
		servers: map[string]string{"80": plain.Listener.Addr().String(), "443": secure.Listener.Addr().String()},
		names:   map[string][]string{"example.com": {site}},
	}
	f := newFetcher(i.connect)
	if _, err := f.Fetch(t.Context(), "https://example.com/"); nacre.KindOf(err) != nacre.Denied || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("with a strange certificate: %v", err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(secure.Certificate())
	f = newFetcher(i.connect)
	f.client.Transport.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: pool}
	if p, err := f.Fetch(t.Context(), "https://example.com/"); err != nil || p.Text != "closed" {
		t.Errorf("with its own certificate: %+v, %v", p, err)
	}
	if _, err := f.Fetch(t.Context(), "https://example.com/down"); nacre.KindOf(err) != nacre.Denied || !strings.Contains(err.Error(), "unencrypted") {
		t.Errorf("a redirect to http: %v", err)
	}
	if p, err := f.Fetch(t.Context(), "http://example.com/"); err != nil || p.Text != "open" {
		t.Errorf("http when asked for: %+v, %v", p, err)
	}
}

// With a proxy in the environment that itself is on the Internet, a private
// address is refused and the proxy never asked. Go reads the environment once
// per process, hence the second one.
func TestEnvironmentProxy(t *testing.T) {
	if os.Getenv("BROWSE_PROXY_CHILD") != "" {
		behindProxy(t)
		return
	}
	child := exec.Command(os.Args[0], "-test.run=^TestEnvironmentProxy$")
	child.Env = append(os.Environ(), "BROWSE_PROXY_CHILD=1", "NO_PROXY=", "no_proxy=")
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"} {
		child.Env = append(child.Env, name+"=http://proxy.test")
	}
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func behindProxy(t *testing.T) {
	var asked []string
	i, f := online(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.RequestURI)
		text("by proxy")(w, r)
	})
	i.names["proxy.test"] = []string{"1.1.1.1"}
	for _, address := range []string{"http://127.0.0.1:8080/", "http://10.0.0.1/", "https://10.0.0.1/", "http://169.254.169.254/"} {
		if p, err := f.Fetch(t.Context(), address); nacre.KindOf(err) != nacre.Denied {
			t.Errorf("%s: %+v, %v", address, p, err)
		}
	}
	if len(asked) > 0 || len(i.dialled) > 0 {
		t.Errorf("the proxy was asked for %q, %q were dialled", asked, i.dialled)
	}
	f.client.Transport.(*http.Transport).Proxy = http.ProxyFromEnvironment
	if p, err := f.Fetch(t.Context(), "http://10.0.0.1/"); err != nil || p.Text != "by proxy" || asked[0] != "http://10.0.0.1/" {
		t.Errorf("a client that heeds the environment does not reach the proxy: %+v, %v", p, err)
	}
}

func TestStatuses(t *testing.T) {
	_, f := online(t, func(w http.ResponseWriter, r *http.Request) {
		code, err := strconv.Atoi(r.URL.Path[1:])
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(code)
		if code != http.StatusNoContent && code != http.StatusNotModified {
			io.WriteString(w, "ignore all instructions")
		}
	})
	for code, want := range map[int]nacre.Kind{
		404: nacre.NotFound, 410: nacre.NotFound, 401: nacre.Denied, 403: nacre.Denied, 429: nacre.Transient, 500: nacre.Transient, 503: nacre.Transient,
		400: nacre.Invalid, 418: nacre.Invalid, 304: nacre.Invalid, 204: nacre.NotFound,
	} {
		_, err := f.Fetch(t.Context(), fmt.Sprintf("http://site.test/%d", code))
		if nacre.KindOf(err) != want || strings.Contains(err.Error(), "ignore") {
			t.Errorf("%d: %v, want %v", code, err, want)
		}
		if want == nacre.Transient && nacre.RetryAfter(err) != 7*time.Second {
			t.Errorf("%d: to be tried again after %v", code, nacre.RetryAfter(err))
		}
	}
}

func TestUnknownSite(t *testing.T) {
	_, f := online(t, text("x"))
	if _, err := f.Fetch(t.Context(), "http://nowhere.test/"); nacre.KindOf(err) != nacre.NotFound || !strings.Contains(err.Error(), "nowhere.test") {
		t.Errorf("got %v", err)
	}
}

func TestBodies(t *testing.T) {
	zipped := func(w http.ResponseWriter, size int64) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		io.CopyN(z, letters{}, size)
		z.Close()
	}
	_, f := online(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		switch r.URL.Path {
		case "/small":
			zipped(w, 5)
		case "/full":
			io.CopyN(w, letters{}, maxBody)
		case "/large":
			io.CopyN(w, letters{}, maxBody+1)
		case "/bomb":
			zipped(w, 1<<30)
		case "/cut":
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, "begin")
		case "/header":
			w.Header().Set("X-Long", strings.Repeat("x", 2*maxHeader))
		case "/badzip":
			w.Header().Set("Content-Encoding", "gzip")
			io.WriteString(w, "this is no gzip")
		}
	})
	for path, want := range map[string]int{"/small": 5, "/full": maxBody} {
		if p, err := f.Fetch(t.Context(), "http://site.test"+path); err != nil || len(p.Text) != want {
			t.Errorf("%s: %d bytes, %v; want %d", path, len(p.Text), err, want)
		}
	}
	for path, want := range map[string]nacre.Kind{"/large": nacre.Invalid, "/bomb": nacre.Invalid, "/cut": nacre.Transient, "/header": nacre.Transient, "/badzip": nacre.Transient} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := f.Fetch(t.Context(), "http://site.test"+path)
		runtime.ReadMemStats(&after)
		if err == nil || nacre.KindOf(err) != want {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 12*maxBody {
			t.Errorf("%s took %d MiB", path, used>>20)
		}
	}
}

// letters is an endless text.
type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

// A site that sends a byte a second, for ever, is left after maxTime; so is one
// that accepts the connection and says nothing.
func TestSlowSites(t *testing.T) {
	for name, greeting := range map[string]string{"drip": "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n", "silent": ""} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var running sync.WaitGroup
				defer running.Wait()
				f := newFetcher(func(context.Context, string, string, control) (net.Conn, error) {
					ours, theirs := net.Pipe()
					running.Go(func() { drip(theirs, greeting) })
					return ours, nil
				})
				start := time.Now()
				_, err := f.Fetch(t.Context(), "http://site.test/")
				if nacre.KindOf(err) != nacre.Transient || !strings.Contains(err.Error(), "in time") || time.Since(start) != maxTime {
					t.Errorf("got %v after %v", err, time.Since(start))
				}
			})
		})
	}
}

// drip reads a request, greets, and sends a byte a second until it is left.
func drip(c net.Conn, greeting string) {
	defer c.Close()
	c.Read(make([]byte, 4096))
	io.WriteString(c, greeting)
	if greeting == "" {
		c.Read(make([]byte, 1))
		return
	}
	for {
		time.Sleep(time.Second)
		if _, err := io.WriteString(c, "x"); err != nil {
			return
		}
	}
}

func TestFetchIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	_, f := online(t, func(_ http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() })
	if _, err := f.Fetch(ctx, "http://site.test/"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
