package terminal

import (
	"bufio"
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"nacre"
)

// outQueue is how many frames may wait for a chat before it counts as too slow.
const outQueue = 64

// client is the server's view of one attached chat. Three goroutines serve it:
// one reads, one stores what was said, one writes.
type client struct {
	conn net.Conn
	out  chan frame    // to be written
	says chan frame    // to be stored; closed by the reader
	gone chan struct{} // closed by drop
	drop func()        // cuts the connection; may be called by anyone, often
}

func newClient(conn net.Conn) *client {
	gone := make(chan struct{})
	return &client{
		conn: conn,
		out:  make(chan frame, outQueue),
		says: make(chan frame, window),
		gone: gone,
		drop: sync.OnceFunc(func() {
			close(gone)
			conn.Close()
		}),
	}
}

// send queues a frame. It does not block: a chat whose queue is full is dropped
// and comes back when it can.
func (cl *client) send(f frame) {
	select {
	case cl.out <- f:
	default:
		cl.drop()
	}
}

// hint queues a frame that nobody misses where there is no room.
func (cl *client) hint(f frame) {
	select {
	case cl.out <- f:
	default:
	}
}

// write sends what is queued until the chat is gone.
func (cl *client) write() {
	defer cl.drop()
	for {
		select {
		case f := <-cl.out:
			if writeFrame(cl.conn, f) != nil {
				return
			}
		case <-cl.gone:
			return
		}
	}
}

// read takes in what the chat sends until the connection ends. Lines that make
// no sense are answered and skipped.
func (c *Channel) read(cl *client, in io.Reader) error {
	lines := frameLines(in)
	for lines.Scan() {
		f, err := parseRequest(lines.Bytes())
		switch {
		case err != nil:
			cl.send(frame{T: frameError, ID: f.ID, Text: err.Error()})
		case f.T == frameShown:
			c.shown(nacre.DeliveryID(f.ID))
		default:
			select {
			case cl.says <- f:
			case <-cl.gone:
				return nil
			}
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nacre.Errorf(nacre.Invalid, "A chat sent a line of more than %d bytes and was cut off.", maxLine)
	}
	return nil // otherwise a lost connection is how chats leave
}

// receive stores what the chat said, in order, and acknowledges it. Words said
// while leaving count. It stops at what cannot be stored now, because what was
// said later must not overtake it.
func (c *Channel) receive(cl *client) {
	for f := range cl.says {
		answer, ok := c.store(cl, f)
		if !ok {
			return
		}
		cl.send(answer)
	}
}

// store offers a message to the host until it is durable or refused for good,
// and returns the answer to the chat. There is none when the host stays unable
// and either side left: the chat will say it again.
func (c *Channel) store(cl *client, f frame) (answer frame, ok bool) {
	m := message(f, time.Now())
	for pause := firstRetry; ; pause = min(2*pause, lastRetry) {
		err := c.host.Receive(c.ctx, []nacre.Message{m})
		if err == nil {
			return frame{T: frameStored, ID: f.ID}, true
		}
		if c.ctx.Err() != nil {
			return frame{}, false
		}
		c.log.Warn("message not stored", "channel", nacre.Terminal, "external", f.ID, "err", err)
		if nacre.KindOf(err) != nacre.Transient {
			return frame{T: frameError, ID: f.ID, Text: refusal(err)}, true
		}
		select {
		case <-time.After(max(pause, nacre.RetryAfter(err))):
		case <-cl.gone:
			return frame{}, false
		case <-c.ctx.Done():
			return frame{}, false
		}
	}
}

// refusal is what the person reads about a message that cannot be taken.
func refusal(err error) string {
	var e *nacre.Error
	if errors.As(err, &e) && e.Kind != nacre.Internal {
		return e.Text
	}
	return "Nacre could not store this message; its log says why."
}
