// Package browse lets the model read the web: web_fetch turns one public page
// into text, web_search asks a search engine that the operator has configured.
//
// What comes back is text of strangers. It is marked llm.FromWeb, cleaned of
// characters that people cannot see, and bounded in time, bytes and characters
// whatever the other side sends. A page is fetched from nowhere but the
// Internet, so that strangers cannot have the network around Nacre read to
// them. One address there is not recognised: the public IPv4 address of the
// home itself, which a router may lead back inside to whatever it forwards.
package browse

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"nacre"
)

// Limits of one fetch.
const (
	maxTime      = 20 * time.Second // all of it, redirects and body included
	maxDial      = 10 * time.Second // of one connection
	maxURL       = 4000             // bytes
	maxRedirects = 5
	maxHeader    = 64 << 10 // bytes of a response's header
	maxBody      = 5 << 20  // bytes, after decompression
	maxAtOnce    = 2        // pages in the making; others wait, which bounds memory
)

// userAgent is who we say we are. No robots.txt is asked: a page is read
// because a person wants it read now, as in a browser.
const userAgent = "nacre"

// Fetcher reads public web pages. It connects to nothing but addresses on the
// Internet, uses no proxy, keeps no cookies and no connections. It may be used
// from many goroutines at once.
type Fetcher struct {
	client *http.Client
	slots  chan struct{} // holds one per page in the making
}

// control is net.Dialer's hook that sees each address before it is dialled.
type control func(ctx context.Context, network, address string, c syscall.RawConn) error

// connect opens a connection to a host and port. It calls check with every
// address that the host resolves to before dialling it, and gives up on those
// that check refuses.
type connect func(ctx context.Context, network, address string, check control) (net.Conn, error)

// NewFetcher returns a Fetcher for the real Internet.
func NewFetcher() *Fetcher { return newFetcher(dial) }

func newFetcher(to connect) *Fetcher {
	transport := &http.Transport{
		Proxy: nil, // a proxy would connect for us, past the guard
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			return to(ctx, network, address, guard)
		},
		TLSHandshakeTimeout:    maxDial,
		MaxResponseHeaderBytes: maxHeader,
		DisableKeepAlives:      true,
	}
	return &Fetcher{
		client: &http.Client{Transport: transport, CheckRedirect: follow},
		slots:  make(chan struct{}, maxAtOnce),
	}
}

// dial is the connect of the real Internet.
func dial(ctx context.Context, network, address string, check control) (net.Conn, error) {
	d := net.Dialer{Timeout: maxDial, ControlContext: check}
	return d.DialContext(ctx, network, address)
}

// Fetch gets a page and makes text of it. Errors are sentences for the model
// and tell nothing of what a private address answered.
func (f *Fetcher) Fetch(ctx context.Context, address string) (Page, error) {
	u, err := parse(address)
	if err != nil {
		return Page{}, err
	}
	whole, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	final, kind, body, err := f.get(whole, u)
	if err != nil {
		return Page{}, explain(ctx, err, u.Hostname())
	}
	select {
	case f.slots <- struct{}{}:
		defer func() { <-f.slots }()
		return newPage(final, kind, body)
	case <-whole.Done():
		return Page{}, explain(ctx, whole.Err(), u.Hostname())
	}
}

// parse accepts what a Fetcher may ask for, apart from where it leads.
func parse(address string) (*url.URL, error) {
	if len(address) > maxURL {
		return nil, nacre.Errorf(nacre.Invalid, "a web address has at most %d bytes", maxURL)
	}
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return nil, nacre.Errorf(nacre.Invalid, "this is not a web address; write it whole, such as https://example.com/page")
	}
	return u, acceptable(u)
}

// acceptable refuses other protocols and addresses with a password in them.
func acceptable(u *url.URL) error {
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return nacre.Errorf(nacre.Invalid, "only http and https pages can be read; write the whole address, such as https://example.com/page")
	}
	if u.User != nil {
		return nacre.Errorf(nacre.Invalid, "a web address with a user name or password in it is not read; leave that part out")
	}
	return nil
}

// follow decides about a redirect. One from https to http is refused, because
// what was asked for privately would be asked for in the open; the model may
// still ask for the http address itself.
func follow(next *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return nacre.Errorf(nacre.Invalid, "the page redirects more than %d times; try another address", maxRedirects)
	}
	if via[len(via)-1].URL.Scheme == "https" && next.URL.Scheme == "http" {
		return nacre.Errorf(nacre.Denied, "the page redirects from https to unencrypted http, which is not followed; ask for the http address itself if that is meant")
	}
	next.Header.Del("Referer")
	return acceptable(next.URL)
}

// get asks for a page and returns where it was found in the end, its media
// type as the site calls it, and its bytes.
func (f *Fetcher) get(ctx context.Context, u *url.URL) (final *url.URL, kind string, body []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, "", nil, err
	}
	req.Header.Set("User-Agent", userAgent)
	req.Header.Set("Accept", "text/html, application/xhtml+xml, text/*;q=0.9, application/json;q=0.9, application/xml;q=0.9, */*;q=0.1")
	resp, err := f.client.Do(req)
	if err != nil {
		return nil, "", nil, err
	}
	defer resp.Body.Close()
	if err := statusError(resp); err != nil {
		return nil, "", nil, err
	}
	body, err = bounded(resp.Body)
	return resp.Request.URL, resp.Header.Get("Content-Type"), body, err
}

// bounded reads a body whole, or not at all.
func bounded(r io.Reader) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r, maxBody+1))
	if err == nil && len(body) > maxBody {
		return nil, nacre.Errorf(nacre.Invalid, "the page is larger than %d MiB, which is too much to read", maxBody>>20)
	}
	return body, err
}
