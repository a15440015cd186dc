package whatsapp

import (
	"context"
	"io"
	"net/http"
)

// allowance is how many bytes a download may bring. The library reads a file into
// memory for as long as the server sends, whatever the message said about its size;
// so the allowance travels in the request's context to the transport, where the
// body is cut off.
type allowance struct {
	most int64
	end  context.CancelCauseFunc // of the download's context
}

type allowanceKey struct{}

// mostUnasked is what a download may bring that the library began by itself: what the
// account's phone knows of its settings and its history, of which we want next to none.
const mostUnasked = 64 << 20

// allowing is ctx for a download of at most that many bytes. One that brings more
// ends it, with tooLarge as the cause: else the library would go on to the next
// server.
func allowing(ctx context.Context, most int64) (context.Context, context.CancelCauseFunc) {
	ctx, end := context.WithCancelCause(ctx)
	return context.WithValue(ctx, allowanceKey{}, allowance{most, end}), end
}

// files is the client for files, and for all else that is not the connection itself.
func (c *Channel) files() *http.Client {
	web := c.web()
	if web.Transport == nil {
		web.Transport = http.DefaultTransport
	}
	web.Transport = capped{web.Transport}
	return web
}

// capped is a transport that keeps to the allowance of a request, or to mostUnasked.
type capped struct{ http.RoundTripper }

func (c capped) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := c.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	a, ok := r.Context().Value(allowanceKey{}).(allowance)
	if !ok {
		a = allowance{mostUnasked, func(error) {}}
	}
	resp.Body = &cappedBody{ReadCloser: resp.Body, left: a.most, end: a.end}
	return resp, nil
}

// cappedBody is a body that fails when it brings more than is left.
type cappedBody struct {
	io.ReadCloser
	left int64
	end  context.CancelCauseFunc
}

func (b *cappedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		err := tooLarge()
		b.end(err)
		return 0, err
	}
	return n, err
}
