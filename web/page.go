package web

import (
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"nacre"
)

const (
	// outQueue is how many frames may wait for a page before it counts as too
	// slow.
	outQueue = 64
	// window is how many requests a page sends ahead of their answers. The
	// server has room for as many, so that it never stops reading.
	window = 16
	// pingEvery is how often a page must prove that it is there, quietWait how
	// long it may be silent.
	pingEvery = 25 * time.Second
	quietWait = 60 * time.Second
	// firstRetry and lastRetry bound the doubling pauses between tries to store.
	firstRetry = 100 * time.Millisecond
	lastRetry  = 5 * time.Second
)

// page is the server's view of one open page. Three goroutines serve it: one
// reads, one carries out what was asked, one writes.
type page struct {
	owner nacre.OwnerID
	login string // the browser that opened it; see visitor
	conn  *websocket.Conn
	out   chan frame    // to be written
	asks  chan request  // to be carried out; closed by the reader
	gone  chan struct{} // closed by drop
	drop  func()        // cuts the connection; may be called by anyone, often
}

func newPage(v visitor, conn *websocket.Conn) *page {
	gone := make(chan struct{})
	return &page{
		owner: v.owner,
		login: v.login,
		conn:  conn,
		out:   make(chan frame, outQueue),
		asks:  make(chan request, window),
		gone:  gone,
		drop: sync.OnceFunc(func() {
			close(gone)
			conn.Close()
		}),
	}
}

// serve is one page, from its arrival to its end. The caller has checked who
// it is and where it comes from.
func (c *Chat) serve(w http.ResponseWriter, r *http.Request, v visitor) {
	upgrader := websocket.Upgrader{
		HandshakeTimeout: writeWait,
		CheckOrigin:      func(*http.Request) bool { return true },
	}
	conn, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		c.log.Info("page not attached", "err", err) // and told why
		return
	}
	defer conn.Close()
	p := newPage(v, conn)
	if err := c.attach(p); err != nil {
		p.deliver(frame{T: frameError, Text: err.Error()})
		return
	}
	defer c.serving.Done()

	var work sync.WaitGroup
	defer work.Wait()
	work.Go(p.write)
	work.Go(func() { c.carryOut(p) })
	c.host.Flush(chatOf(p.owner))

	c.read(p)
	c.detach(p)
}

// send queues a frame. It does not block: a page whose queue is full is dropped
// and comes back when it can.
func (p *page) send(f frame) {
	select {
	case p.out <- f:
	default:
		p.drop()
	}
}

// hint queues a frame that nobody misses where there is no room.
func (p *page) hint(f frame) {
	select {
	case p.out <- f:
	default:
	}
}

// write sends what is queued, and pings, until the page is gone.
func (p *page) write() {
	defer p.drop()
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	for {
		var err error
		select {
		case f := <-p.out:
			err = p.deliver(f)
		case <-ping.C:
			err = p.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(writeWait))
		case <-p.gone:
			return
		}
		if err != nil {
			return
		}
	}
}

// deliver writes one frame. Only one goroutine at a time may call it.
func (p *page) deliver(f frame) error {
	p.conn.SetWriteDeadline(time.Now().Add(f.patience()))
	return p.conn.WriteJSON(f)
}

// read takes in what the page sends until the connection ends. Frames that make
// no sense are answered and skipped, one that is too long ends it.
func (c *Chat) read(p *page) {
	heard := func(string) error { return p.conn.SetReadDeadline(time.Now().Add(quietWait)) }
	heard("")
	p.conn.SetPongHandler(heard)
	p.conn.SetReadLimit(maxRequest)
	for {
		_, data, err := p.conn.ReadMessage()
		if errors.Is(err, websocket.ErrReadLimit) {
			c.log.Info("page cut off, it sent too long a frame")
		}
		if err != nil {
			return // a lost connection is how pages leave
		}
		r, err := parseRequest(data)
		switch {
		case err != nil:
			p.send(frame{T: frameError, ID: r.ID, Text: err.Error()})
		case r.T == frameShown:
			c.in(chatOf(p.owner).ID, func(room *room) { room.settle(nacre.DeliveryID(r.ID), nil) })
		default:
			select {
			case p.asks <- r:
			case <-p.gone:
				return
			}
		}
	}
}

// carryOut does what the page asked, in order. Words said while leaving count.
// It stops at what cannot be done now, because what was said later must not
// overtake it; the page will ask again.
func (c *Chat) carryOut(p *page) {
	for r := range p.asks {
		do := c.say
		if r.T == framePress {
			do = c.press
		}
		if !do(p, r) {
			return
		}
	}
}

// say stores a message and acknowledges it; the owner's other pages show it.
func (c *Chat) say(p *page, r request) (ok bool) {
	m := message(p.owner, r, time.Now())
	err, ok := c.insist(p, func() error { return c.host.Receive(c.ctx, []nacre.Message{m}) })
	switch {
	case !ok:
	case err != nil:
		p.send(frame{T: frameError, ID: r.ID, Text: refusal(err)})
	default:
		p.send(frame{T: frameStored, ID: r.ID})
		c.in(m.Chat.ID, func(room *room) { room.tell(p, frame{T: frameSaid, ID: r.ID, Text: r.Text}) })
	}
	return ok
}

// press chooses an option; all pages of the owner show the choice.
func (c *Chat) press(p *page, r request) (ok bool) {
	var option string
	err, ok := c.insist(p, func() (err error) {
		option, err = c.host.Press(c.ctx, press(p.owner, r))
		return err
	})
	switch {
	case !ok:
	case err != nil:
		p.send(frame{T: frameError, Question: r.Question, Text: refusal(err)})
	default:
		c.in(chatOf(p.owner).ID, func(room *room) {
			room.tell(nil, frame{T: frameChosen, Question: r.Question, Text: option})
		})
	}
	return ok
}

// insist calls the host until it succeeds or refuses for good. ok is false when
// the host stays unable and either side left.
func (c *Chat) insist(p *page, call func() error) (err error, ok bool) {
	for pause := firstRetry; ; pause = min(2*pause, lastRetry) {
		err := call()
		if err == nil {
			return nil, true
		}
		if c.ctx.Err() != nil {
			return err, false
		}
		c.log.Warn("request of a page not carried out", "owner", p.owner, "err", err)
		if nacre.KindOf(err) != nacre.Transient {
			return err, true
		}
		select {
		case <-time.After(max(pause, nacre.RetryAfter(err))):
		case <-p.gone:
			return err, false
		case <-c.ctx.Done():
			return err, false
		}
	}
}

// refusal is what the person reads about a request that cannot be carried out.
func refusal(err error) string {
	var e *nacre.Error
	if errors.As(err, &e) && e.Kind != nacre.Internal {
		return e.Text
	}
	return "Nacre could not store this; its log says why."
}
