package browse

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"strconv"
	"time"

	"nacre"
)

// statusError refuses a response that is no page, by its status alone.
func statusError(resp *http.Response) error {
	host, code := resp.Request.URL.Hostname(), resp.StatusCode
	switch {
	case code >= 200 && code < 300:
		return nil
	case code == http.StatusNotFound || code == http.StatusGone:
		return nacre.Errorf(nacre.NotFound, "%s has no such page (%d); check the address or search for it", host, code)
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return nacre.Errorf(nacre.Denied, "%s does not let me read this page (%d); try another source", host, code)
	case code == http.StatusTooManyRequests || code >= 500:
		return &nacre.Error{Kind: nacre.Transient, After: retryAfter(resp), Text: host + " cannot answer now (" + strconv.Itoa(code) + "); try later or another source"}
	}
	return nacre.Errorf(nacre.Invalid, "%s answered with status %d instead of a page; try another address", host, code)
}

// retryAfter reads the seconds of that header, 0 if there are none.
func retryAfter(resp *http.Response) time.Duration {
	n, err := strconv.ParseUint(resp.Header.Get("Retry-After"), 10, 16)
	if err != nil {
		return 0
	}
	return time.Duration(n) * time.Second
}

// explain makes a sentence of why a fetch failed. ctx is the caller's own: when
// it has ended, nobody reads the sentence.
func explain(ctx context.Context, err error, host string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if e, ok := errors.AsType[*nacre.Error](err); ok {
		return e
	}
	if e, ok := errors.AsType[*net.DNSError](err); ok && e.IsNotFound {
		return nacre.Errorf(nacre.NotFound, "there is no site called %s; check the address or search for it", host)
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return nacre.Errorf(nacre.Denied, "%s cannot prove that it is that site (its certificate is not valid); try another source", host)
	}
	if late(err) {
		return nacre.Errorf(nacre.Transient, "%s did not answer in time; try later or another source", host)
	}
	return nacre.Errorf(nacre.Transient, "the connection to %s failed; check the address, or try another source", host)
}

func late(err error) bool {
	e, ok := errors.AsType[net.Error](err)
	return ok && e.Timeout()
}
