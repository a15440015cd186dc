package web

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"nacre"
)

// Site is under which names browsers reach the page. Only these are answered,
// so that a stranger's name which resolves to this machine (DNS rebinding)
// reaches nothing.
type Site struct {
	origin string            // how links name the page
	own    map[string]string // Host header → origin of a page that is loaded by it
	posts  *http.CrossOriginProtection
	tls    bool
	proxy  bool
	alone  bool // nobody but this machine reaches it, as far as is known
}

// Serving is how the page is served.
type Serving struct {
	Listen string // host:port that the server listens on
	URL    string // the public origin, such as https://nacre.example.org; empty if there is none
	TLS    bool   // the server speaks https itself
	Proxy  bool   // browsers reach it through a proxy alone, which adds to X-Forwarded-For
}

// NewSite makes the Site of a page. Without a public origin links name the listen
// address, or this machine where that is all addresses. The error is Invalid and is
// a sentence for the operator.
func NewSite(p Serving) (Site, error) {
	host, port, err := net.SplitHostPort(p.Listen)
	if err != nil {
		return Site{}, nacre.Errorf(nacre.Invalid, "%q is not an address to listen on; write it as 127.0.0.1:8080", p.Listen)
	}
	s := Site{own: map[string]string{}, posts: http.NewCrossOriginProtection(), tls: p.TLS, proxy: p.Proxy}
	ip, err := netip.ParseAddr(host)
	s.alone = p.URL == "" && !p.Proxy && (host == "localhost" || err == nil && ip.IsLoopback())
	s.posts.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		problemOf(errForeign).answer(w, http.StatusForbidden)
	}))
	scheme := "http"
	if p.TLS {
		scheme = "https"
	}
	for _, h := range []string{"localhost", "::1", "127.0.0.1", host} {
		if ip, err := netip.ParseAddr(h); h != "" && (err != nil || !ip.IsUnspecified()) {
			s.origin = s.add(scheme, h, port)
		}
	}
	if p.URL == "" {
		return s, s.trust()
	}
	u, err := url.Parse(p.URL)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil ||
		strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return Site{}, nacre.Errorf(nacre.Invalid, "the public address of the page is not usable; write it as https://nacre.example.org, without a path")
	}
	s.origin = s.add(u.Scheme, u.Hostname(), u.Port())
	return s, s.trust()
}

// trust lets pages of the origin post, also where a proxy changes the Host
// header.
func (s Site) trust() error {
	if err := s.posts.AddTrustedOrigin(s.origin); err != nil {
		return nacre.Errorf(nacre.Invalid, "browsers cannot open %s (%w); listen on another address", s.origin, err)
	}
	return nil
}

// add makes a name known and returns its origin. Browsers leave out the port
// that is usual for the scheme.
func (s Site) add(scheme, host, port string) (origin string) {
	host = strings.ToLower(host)
	switch {
	case port != "" && port != usualPort[scheme]:
		host = net.JoinHostPort(host, port)
	case strings.Contains(host, ":"):
		host = "[" + host + "]"
	}
	s.own[host] = scheme + "://" + host
	return s.own[host]
}

var usualPort = map[string]string{"http": "80", "https": "443"}

// Origin is how links name the page, without a slash at the end.
func (s Site) Origin() string { return s.origin }

// originOf is the origin of a page that is loaded by the name in a request;
// empty if the name is a stranger's.
func (s Site) originOf(r *http.Request) string { return s.own[strings.ToLower(r.Host)] }

// secure reports whether the browser reaches us by https. Behind a proxy it is what
// the public origin says, whatever Host header the proxy sends, and not what a header
// says that anybody could send.
func (s Site) secure(r *http.Request) bool {
	origin := s.originOf(r)
	if s.proxy {
		origin = s.origin
	}
	return strings.HasPrefix(origin, "https:")
}

// pledged reports whether a browser is to come by https alone from now on. That
// would count for every server of a host, so this machine's own name is spared.
func (s Site) pledged(r *http.Request) bool {
	return s.tls && !strings.HasPrefix(strings.ToLower(r.Host), "localhost")
}

// from reports whether a page of ours made a request. Behind a proxy that
// changes the Host header pages come from the public origin nevertheless.
func (s Site) from(r *http.Request) bool {
	o := r.Header.Get("Origin")
	return o != "" && (o == s.originOf(r) || o == s.origin)
}
