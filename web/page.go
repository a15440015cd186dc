package web

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/gorilla/websocket"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/live"
)

const (
	// pingEvery is how often a page must prove that it is there, quietWait how
	// long it may be silent.
	pingEvery = 25 * time.Second
	quietWait = 60 * time.Second
)

// page is the server's view of one open page.
type page struct {
	*live.Client[frame]
	owner nacre.OwnerID
	conn  *websocket.Conn
	news  *news
	mark  string // see readers
}

// serve is one page, from its arrival to its end. The caller has checked who
// it is and where it comes from; still checks the login again once a logout
// would reach the page, since one may have come before.
func (c *Chat) serve(w http.ResponseWriter, r *http.Request, v visitor, still func() bool) {
	upgrader := websocket.Upgrader{
		HandshakeTimeout: writeWait,
		CheckOrigin:      func(*http.Request) bool { return true },
		WriteBufferPool:  &c.buffers, // so that a page at rest holds none
		Error: func(w http.ResponseWriter, _ *http.Request, status int, _ error) {
			newProblem(nacre.Invalid, "Pages attach here, by a websocket.").answer(w, status)
		},
	}
	conn, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		c.log.Info("page not attached", "err", err) // and told why
		return
	}
	defer conn.Close()
	news := c.readers.add(v.owner) // before the page is told that it is attached
	defer c.readers.drop(v.owner, news)
	mark := c.readers.mark(v.owner)
	attached, err := c.hub.Attach(chatOf(v.owner), string(v.login), conn)
	if err != nil {
		deliver(conn, frame{T: frameError, Text: err.Error()})
		return
	}
	if !still() {
		c.logout(string(v.login))
	}
	p := page{attached, v.owner, conn, news, mark}
	if err := p.Serve(p.read, p.write); err != nil {
		c.log.Info("page cut off, it sent too long a frame")
	}
}

// write sends what is queued, news and pings, until the page is gone. What is sent
// after a change comes after the news of it.
func (p page) write() {
	if p.greet() != nil {
		return
	}
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	some, rested := p.news.some, (<-chan time.Time)(nil)
	for {
		var err error
		select {
		case f := <-p.Out():
			if err = p.tell(); err == nil {
				err = deliver(p.conn, f)
			}
		case <-some:
			err = p.tell()
			some, rested = nil, time.After(newsEvery)
		case <-rested:
			some = p.news.some
		case <-ping.C:
			err = p.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(writeWait))
		case <-p.Gone():
			return
		}
		if err != nil {
			return
		}
	}
}

// greet sends the first frame, which says whose page it is: another may have logged
// in in its browser since it was loaded.
func (p page) greet() error {
	select {
	case f := <-p.Out():
		f.Owner, f.Mark = p.owner, p.mark
		return deliver(p.conn, f)
	case <-p.Gone():
		return net.ErrClosed
	}
}

// tell sends the news, if there are some.
func (p page) tell() error {
	topics := p.news.take()
	if topics == nil {
		return nil
	}
	return deliver(p.conn, frame{T: frameChange, Topics: topics})
}

// deliver writes one frame. Only one goroutine at a time may call it.
func deliver(conn *websocket.Conn, f frame) error {
	conn.SetWriteDeadline(time.Now().Add(writeWait + f.burden()))
	return conn.WriteJSON(f)
}

// read takes in what the page sends until the connection ends. Frames that make
// no sense are answered and skipped, one that is too long ends it and is the
// only error.
func (p page) read() error {
	heard := func(string) error { return p.conn.SetReadDeadline(time.Now().Add(quietWait)) }
	heard("")
	p.conn.SetPongHandler(heard)
	p.conn.SetReadLimit(maxRequest)
	for {
		_, data, err := p.conn.ReadMessage()
		if errors.Is(err, websocket.ErrReadLimit) {
			return err
		}
		if err != nil {
			return nil // a lost connection is how pages leave
		}
		r, err := parseRequest(data)
		switch {
		case err != nil:
			p.Send(frame{T: frameError, ID: r.ID, Text: err.Error()})
		case r.T == frameShown:
			p.Shown(nacre.DeliveryID(r.ID))
		case !p.Ask(func() bool { return p.carryOut(r) }):
			return nil
		}
	}
}

// fault is what the person reads of a request that failed for no reason of theirs.
const fault = "Nacre could not store this; its log says why."

// carryOut does what the page asked.
func (p page) carryOut(r request) (ok bool) {
	if r.T == framePress {
		return p.press(r)
	}
	return p.say(r)
}

// say stores a message and acknowledges it; the owner's other pages show it.
func (p page) say(r request) (ok bool) {
	m := message(p.owner, r, time.Now())
	err, ok := p.Insist(func(ctx context.Context, host gateway.Host) error {
		return host.Receive(ctx, []nacre.Message{m})
	})
	switch {
	case !ok:
	case err != nil:
		p.Send(frame{T: frameError, ID: r.ID, Text: live.Refusal(err, fault)})
	default:
		p.Send(frame{T: frameStored, ID: r.ID})
		p.TellOthers(frame{T: frameSaid, ID: r.ID, Text: r.Text})
	}
	return ok
}

// press chooses an option; all pages of the owner show the choice.
func (p page) press(r request) (ok bool) {
	var option string
	err, ok := p.Insist(func(ctx context.Context, host gateway.Host) (err error) {
		option, err = host.Press(ctx, press(p.owner, r))
		return err
	})
	switch {
	case !ok:
	case err != nil:
		p.Send(frame{T: frameError, Question: r.Question, Text: live.Refusal(err, fault)})
	default:
		p.Tell(frame{T: frameChosen, Question: r.Question, Text: option})
	}
	return ok
}
