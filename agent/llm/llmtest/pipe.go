package llmtest

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// Pipe is a net.Listener inside the process. Unlike real sockets its
// connections work under testing/synctest.
type Pipe struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

// NewPipe returns a listener that nobody dials yet.
func NewPipe() *Pipe {
	return &Pipe{conns: make(chan net.Conn), closed: make(chan struct{})}
}

// Accept implements net.Listener.
func (p *Pipe) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (p *Pipe) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

// Addr implements net.Listener; the address means nothing.
func (p *Pipe) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "pipe"} }

// DialContext connects to the listener, whatever address is asked for. It fits
// http.Transport.
func (p *Pipe) DialContext(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.conns <- theirs:
		return ours, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Serve runs h on a Pipe and returns a client whose every request goes there,
// for any plain-http URL. stop ends both; call it before a synctest bubble
// ends.
func Serve(h http.Handler) (client *http.Client, stop func()) {
	p := NewPipe()
	server := &http.Server{Handler: h}
	go server.Serve(p)
	transport := &http.Transport{DialContext: p.DialContext, MaxIdleConnsPerHost: 64}
	return &http.Client{Transport: transport}, func() {
		transport.CloseIdleConnections()
		server.Close()
	}
}
