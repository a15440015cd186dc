package gmailtest

import (
	"context"
	"net"
	"net/http"
	"sync"
	"testing"
)

// pipes is a network with one server, whose connections are pipes in memory. It is the
// net.Listener of that server.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once // closes done
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), done: make(chan struct{})} }

// serve answers with h until the test ends.
func (p *pipes) serve(t testing.TB, h http.Handler) {
	s, served := &http.Server{Handler: h}, make(chan struct{})
	go func() {
		defer close(served)
		s.Serve(p)
	}()
	t.Cleanup(func() {
		s.Close()
		<-served
	})
}

// dial connects to the server, whatever the address.
func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.conns <- there:
		return here, nil
	case <-p.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept implements net.Listener.
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (p *pipes) Close() error {
	p.once.Do(func() { close(p.done) })
	return nil
}

// Addr implements net.Listener.
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "pipe"} }
