// Package wire is what the clients of model providers share: one HTTP exchange
// that ends in a Response's text or an *llm.Error, readers for the two forms of
// streams (Server-Sent Events and lines of JSON), the pieces from which answers
// are put together, and the sorting of what providers complain about.
//
// It knows no provider's format. A client encodes its request, Posts it to its
// Endpoint, and takes the answer event by event from the Body.
package wire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"time"

	"nacre/agent/llm"
)

// Endpoint is where one provider is asked. It is made by New, safe for many
// goroutines, and keeps connections.
type Endpoint struct {
	Provider string        // its name in errors
	URL      string        // of every POST
	Header   http.Header   // sent with every request: key, versions, what is accepted
	Secret   string        // the key, which no error may show
	Client   *http.Client  // nil for one tuned for long streams
	Patience time.Duration // longest wait for the answer to begin; 0 leaves it to ctx
	Silence  time.Duration // longest silence inside an answer; 0 means Idle
}

// New returns an Endpoint for use, with a Client where e had none. It opens no
// connection.
func New(e Endpoint) *Endpoint {
	if e.Client == nil {
		e.Client = newClient()
	}
	if e.Header == nil {
		e.Header = http.Header{}
	}
	return &e
}

// newClient returns a client tuned for many long streams to one host. It has no
// timeout for the first byte, because a model may think for minutes; Patience
// and the context of the call bound that. It does not ask for compression,
// which would make the server hold text back, and follows no redirect, which
// would turn the POST into a GET.
func newClient() *http.Client {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Client{
		Transport: &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         dialer.DialContext,
			ForceAttemptHTTP2:   true,
			TLSHandshakeTimeout: 10 * time.Second,
			MaxIdleConns:        256,
			MaxIdleConnsPerHost: 256,
			IdleConnTimeout:     90 * time.Second,
			DisableCompression:  true,
			// A dead HTTP/2 connection would otherwise swallow every call
			// until the kernel gives it up.
			HTTP2: &http.HTTP2Config{SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second},
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Post sends one request and hands the body of an accepted answer to read,
// which puts the answer together and adds what may be seen to text. The error
// is what Complete returns: ctx.Err() once ctx has ended, else an *llm.Error.
// It does not try again; that is for llm.Retry.
func (e *Endpoint) Post(ctx context.Context, body []byte, text *Text, read func(*Body) error) error {
	call, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if err := e.exchange(call, cancel, body, read); err != nil {
		return e.fault(ctx, call, err, text.Shown())
	}
	return nil
}

// exchange does one request; cancel ends ctx.
func (e *Endpoint) exchange(ctx context.Context, cancel context.CancelCauseFunc, body []byte, read func(*Body) error) error {
	resp, err := e.send(ctx, cancel, body)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return refusal(resp)
	}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if kind == "text/html" {
		return Problem{Cause: llm.BadAnswer, Status: resp.StatusCode, Words: "it answered with a web page; check the base URL"}
	}
	in := NewBody(io.LimitReader(resp.Body, maxAnswer), cancel)
	if e.Silence > 0 {
		in.wait = min(in.wait, e.Silence)
	}
	in.Whole = kind == "application/json"
	return read(in)
}

func (e *Endpoint) send(ctx context.Context, cancel context.CancelCauseFunc, body []byte) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, e.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header = e.Header.Clone()
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "nacre")
	if e.Patience > 0 {
		late := time.AfterFunc(e.Patience, func() { cancel(errLate) })
		defer late.Stop()
	}
	return e.Client.Do(r)
}

// fault turns any failure of a call into the error that Complete returns. ctx
// is the caller's, call ours below it, which also ends on silence; shown says
// that text was emitted before.
func (e *Endpoint) fault(ctx, call context.Context, err error, shown bool) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var p Problem
	if !errors.As(err, &p) {
		if cause := context.Cause(call); cause != nil {
			err = cause
		}
		if u, ok := errors.AsType[*url.Error](err); ok {
			err = u.Err // without the URL, which may hold a secret
		}
		p = Problem{Cause: llm.Network, Words: err.Error(), Err: err}
	}
	return &llm.Error{
		Cause:    p.Cause,
		Provider: e.Provider,
		Status:   p.Status,
		Message:  presentable(p.Words, e.Secret),
		After:    p.After,
		Streamed: shown,
		Err:      p.Err,
	}
}
