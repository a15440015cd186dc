package wadouble

import (
	"time"

	waBinary "go.mau.fi/whatsmeow/binary"
	"go.mau.fi/whatsmeow/types"
)

type (
	node  = waBinary.Node
	attrs = waBinary.Attrs
)

// linger is how long a connection stays open after its last words. A client forgets
// what it has not handled yet when the socket ends.
const linger = 100 * time.Millisecond

// conn is the connection of one client: while it waits to be linked, or of a
// companion that logged in.
type conn struct {
	server *Server
	wire   *wire
	greeting
	wake chan struct{} // something is to be written
	gone chan struct{} // closed when nobody reads any more

	// Guarded by the server's lock.
	out       []node
	ending    bool       // out is the last
	visit     *visit     // of a client that is not linked
	companion *companion // of one that is
	active    bool       // the companion wants its messages
}

// attend talks with a client until the connection ends.
func (s *Server) attend(w *wire) {
	defer w.close()
	if w.begin() != nil {
		return
	}
	g, err := s.handshake(w.exchange)
	if err != nil {
		return
	}
	c := &conn{server: s, wire: w, greeting: g, wake: make(chan struct{}, 1), gone: make(chan struct{})}
	s.arrive(c)
	defer s.leave(c)
	written := make(chan struct{})
	go func() {
		defer close(written)
		defer w.close()
		c.write()
	}()
	c.read()
	close(c.gone)
	w.close() // writing may have to be interrupted
	<-written
}

func (s *Server) arrive(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conns[c] = true
	if c.payload.GetDevicePairingData() != nil {
		c.welcome()
	} else {
		c.login()
	}
	s.change()
}

func (s *Server) leave(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
	if c.companion != nil && c.companion.conn == c {
		c.companion.conn = nil
	}
	s.change()
}

func (c *conn) read() {
	for {
		frame, err := c.wire.receive()
		if err != nil {
			return
		}
		plain, err := c.greeting.read.open(frame, nil)
		if err != nil {
			return
		}
		plain, err = waBinary.Unpack(plain)
		if err != nil {
			return
		}
		n, err := waBinary.Unmarshal(plain)
		if err != nil {
			return
		}
		c.handle(n)
	}
}

// handle takes a stanza. Nothing but IQs is heard from a client that is not logged
// in.
func (c *conn) handle(n *node) {
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	defer c.server.change()
	switch {
	case c.ending:
	case n.Tag == "iq":
		c.query(n)
	case c.companion == nil:
	case n.Tag == "message":
		c.relay(n)
	case n.Tag == "receipt":
		c.receipt(n)
	case n.Tag == "ack":
		c.companion.acknowledged(n.AttrGetter().String("class"), n.AttrGetter().String("id"))
	case n.Tag == "chatstate":
		c.chatstate(n)
	}
}

// send queues a stanza. Call it with the lock held.
func (c *conn) send(nodes ...node) {
	if c.ending {
		return
	}
	c.out = append(c.out, nodes...)
	c.nudge()
}

// end says last words and closes the connection a little later. Call it with the
// lock held.
func (c *conn) end(last ...node) {
	c.send(last...)
	c.ending = true
	c.nudge()
}

// drop closes the connection at once. It may be called with the lock held.
func (c *conn) drop() {
	c.ending = true
	c.wire.close()
}

func (c *conn) nudge() {
	select {
	case c.wake <- struct{}{}:
	default: // it will look anyway
	}
}

func (c *conn) write() {
	for {
		batch, ending := c.take()
		for _, n := range batch {
			data, err := waBinary.Marshal(n)
			must(err)
			if c.wire.send(c.greeting.write.seal(data, nil)) != nil {
				return
			}
		}
		wake, late := c.wake, (<-chan time.Time)(nil)
		if ending {
			wake, late = nil, time.After(linger)
		}
		select {
		case <-wake:
		case <-c.gone:
			return
		case <-late:
			return
		}
	}
}

func (c *conn) take() (batch []node, ending bool) {
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	batch, c.out = c.out, nil
	return batch, c.ending
}

// result answers an IQ.
func (c *conn) result(to *node, content ...node) {
	c.send(node{Tag: "iq", Attrs: attrs{"type": "result", "id": to.Attrs["id"], "from": types.ServerJID}, Content: content})
}

// refusal answers an IQ with an error.
func (c *conn) refusal(to *node, code int, words string) {
	c.send(node{Tag: "iq", Attrs: attrs{"type": "error", "id": to.Attrs["id"], "from": types.ServerJID},
		Content: []node{{Tag: "error", Attrs: attrs{"code": code, "text": words}}}})
}
