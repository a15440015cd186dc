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
}

// NewSite takes the address that the server listens on, as host:port, and the
// public origin if there is one, such as https://nacre.example.org. Without one
// links name the listen address, or this machine where that is all addresses.
// The error is Invalid and is a sentence for the operator.
func NewSite(listen, origin string) (Site, error) {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return Site{}, nacre.Errorf(nacre.Invalid, "%q is not an address to listen on; write it as 127.0.0.1:8080", listen)
	}
	s := Site{own: map[string]string{}, posts: http.NewCrossOriginProtection()}
	for _, h := range []string{"localhost", "::1", "127.0.0.1", host} {
		if ip, err := netip.ParseAddr(h); h != "" && (err != nil || !ip.IsUnspecified()) {
			s.origin = s.add("http", h, port)
		}
	}
	if origin == "" {
		return s, s.trust()
	}
	u, err := url.Parse(origin)
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

// secure reports whether the browser reaches us by https.
func (s Site) secure(r *http.Request) bool { return strings.HasPrefix(s.originOf(r), "https:") }

// from reports whether a page of ours made a request. Behind a proxy that
// changes the Host header pages come from the public origin nevertheless.
func (s Site) from(r *http.Request) bool {
	o := r.Header.Get("Origin")
	return o != "" && (o == s.originOf(r) || o == s.origin)
}
