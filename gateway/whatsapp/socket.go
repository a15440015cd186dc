package whatsapp

import (
	"cmp"
	"io"
	"net/http"
	"sync"
	"time"
)

// drainTime is how long what a cut socket still holds may take to be read.
const drainTime = time.Second

// cutter is a transport whose newest socket can be cut. A line must not end in
// another way: where the library is told to stop while it takes a frame, a goroutine
// of it waits for ever.
type cutter struct {
	base http.RoundTripper // nil is http.DefaultTransport

	mu     sync.Mutex // guards socket
	socket *rawSocket // nil before there is one
}

// RoundTrip implements http.RoundTripper.
func (c *cutter) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := cmp.Or(c.base, http.DefaultTransport).RoundTrip(r)
	if err != nil || resp.StatusCode != http.StatusSwitchingProtocols {
		return resp, err
	}
	if body, ok := resp.Body.(io.ReadWriteCloser); ok {
		s := &rawSocket{ReadWriteCloser: body, drained: make(chan struct{})}
		resp.Body = s
		c.mu.Lock()
		defer c.mu.Unlock()
		c.socket = s
	}
	return resp, nil
}

// cut closes the socket, if there is one, and returns when the library has read what
// came before.
func (c *cutter) cut() {
	c.mu.Lock()
	s := c.socket
	c.mu.Unlock()
	if s == nil {
		return
	}
	go s.Close() // may wait for a dead network to take a farewell
	late := time.NewTimer(drainTime)
	defer late.Stop()
	select {
	case <-s.drained:
	case <-late.C:
	}
}

// rawSocket is the connection beneath a websocket.
type rawSocket struct {
	io.ReadWriteCloser
	drained chan struct{} // closed when the reader has seen the end
	once    sync.Once
}

func (s *rawSocket) Read(p []byte) (int, error) {
	n, err := s.ReadWriteCloser.Read(p)
	if err != nil {
		s.once.Do(func() { close(s.drained) })
	}
	return n, err
}
