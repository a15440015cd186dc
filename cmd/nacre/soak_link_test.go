//go:build linux

package main

import (
	"io"
	"net"
	"sync"
	"testing"
)

// reachable is what a link does with bytes.
type reachable int

const (
	carries reachable = iota
	refuses           // resets what is there and what comes
	hangs             // takes connections and bytes, and hands nothing on
)

// link is the network between the program and one double.
type link struct {
	to string
	l  net.Listener

	mu      sync.Mutex
	is      reachable
	changed chan struct{} // closed and replaced when it is different
	conns   map[net.Conn]bool
}

// newLink carries to a server until the test ends.
func newLink(t *testing.T, to string) *link {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	k := &link{to: to, l: l, changed: make(chan struct{}), conns: map[net.Conn]bool{}}
	t.Cleanup(func() { l.Close(); k.be(refuses) })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go k.carry(conn)
		}
	}()
	return k
}

func (k *link) addr() string { return k.l.Addr().String() }

// be changes what it does.
func (k *link) be(r reachable) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.is = r
	close(k.changed)
	k.changed = make(chan struct{})
	for conn := range k.conns {
		if r == refuses {
			reset(conn)
		}
	}
}

// carry serves one connection.
func (k *link) carry(from net.Conn) {
	if !k.open(from) {
		return
	}
	defer k.close(from)
	to, err := net.Dial("tcp", k.to)
	if err != nil || !k.open(to) {
		return
	}
	defer k.close(to)
	go func() {
		k.copy(to, from)
		k.close(to) // which ends the other direction
	}()
	k.copy(from, to)
}

// open takes a connection into account, unless all are refused.
func (k *link) open(conn net.Conn) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.is == refuses {
		reset(conn)
		return false
	}
	k.conns[conn] = true
	return true
}

func (k *link) close(conn net.Conn) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.conns, conn)
	conn.Close()
}

// copy hands bytes on in one direction, while it may.
func (k *link) copy(to io.Writer, from io.Reader) {
	b := make([]byte, 16<<10)
	for {
		n, err := from.Read(b)
		k.passes()
		if _, failed := to.Write(b[:n]); err != nil || failed != nil {
			return
		}
	}
}

// passes waits while it hangs.
func (k *link) passes() {
	for {
		k.mu.Lock()
		is, changed := k.is, k.changed
		k.mu.Unlock()
		if is != hangs {
			return
		}
		<-changed
	}
}

// reset ends a connection as a host does that knows nothing of it.
func reset(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		tcp.SetLinger(0)
	}
	conn.Close()
}
