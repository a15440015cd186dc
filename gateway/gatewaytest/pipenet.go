package gatewaytest

import (
	"context"
	"net"
	"net/http"
	"sync"
	"syscall"
	"testing"
)

// PipeURL is a base URL for a server on a PipeNet. No proxy applies to it.
const PipeURL = "http://localhost"

// PipeNet is a network with one server on it, whose connections are pipes in
// memory. Unlike sockets they do not hold up the clock of testing/synctest.
// It is the net.Listener of its server.
type PipeNet struct {
	conns chan net.Conn
	done  chan struct{}

	mu    sync.Mutex // guards all below
	down  bool
	dials int
	open  []net.Conn // both ends
}

// NewPipeNet returns a network without a server.
func NewPipeNet() *PipeNet {
	return &PipeNet{conns: make(chan net.Conn), done: make(chan struct{})}
}

// Serve answers with h until the test ends.
func (p *PipeNet) Serve(t testing.TB, h http.Handler) {
	s := &http.Server{Handler: h}
	served := make(chan struct{})
	go func() {
		defer close(served)
		s.Serve(p)
	}()
	t.Cleanup(func() {
		p.Cut()
		s.Close()
		<-served
	})
}

// DialContext connects to the server, whatever the address.
func (p *PipeNet) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	client, server := net.Pipe()
	if !p.add(client, server) {
		return nil, &net.OpError{Op: "dial", Net: network, Addr: p.Addr(), Err: syscall.ECONNREFUSED}
	}
	select {
	case p.conns <- server:
		return client, nil
	case <-p.done:
		return nil, &net.OpError{Op: "dial", Net: network, Addr: p.Addr(), Err: syscall.ECONNREFUSED}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *PipeNet) add(ends ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dials++
	if p.down {
		return false
	}
	p.open = append(p.open, ends...)
	return true
}

// Dials is how many connections were asked for.
func (p *PipeNet) Dials() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dials
}

// Refuse decides whether new connections are refused. Those that exist stay.
func (p *PipeNet) Refuse(refuse bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = refuse
}

// Cut closes every connection that exists.
func (p *PipeNet) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.open {
		c.Close()
	}
	p.open = nil
}

// Accept is for the server.
func (p *PipeNet) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

// Close is for the server, which calls it once.
func (p *PipeNet) Close() error {
	close(p.done)
	return nil
}

// Addr is for the server.
func (p *PipeNet) Addr() net.Addr { return pipeAddr{} }

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "pipe" }
