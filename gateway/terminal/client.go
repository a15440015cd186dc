package terminal

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"time"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/live"
)

// client is the server's view of one attached chat.
type client struct {
	*live.Client[frame]
	conn net.Conn
	in   io.Reader // what the chat sends
}

// write sends what is queued until the chat is gone.
func (cl client) write() {
	for {
		select {
		case f := <-cl.Out():
			if writeFrame(cl.conn, f) != nil {
				return
			}
		case <-cl.Gone():
			return
		}
	}
}

// read takes in what the chat sends until the connection ends. Lines that make
// no sense are answered and skipped.
func (cl client) read() error {
	lines := frameLines(cl.in)
	for lines.Scan() {
		f, err := parseRequest(lines.Bytes())
		switch {
		case err != nil:
			cl.Send(frame{T: frameError, ID: f.ID, Text: err.Error()})
		case f.T == frameShown:
			cl.Shown(nacre.DeliveryID(f.ID))
		case !cl.Ask(func() bool { return cl.say(f) }):
			return nil
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nacre.Errorf(nacre.Invalid, "A chat sent a line of more than %d bytes and was cut off.", maxLine)
	}
	return nil // otherwise a lost connection is how chats leave
}

// say stores a message and acknowledges it.
func (cl client) say(f frame) (ok bool) {
	m := message(f, time.Now())
	err, ok := cl.Insist(func(ctx context.Context, host gateway.Host) error {
		return host.Receive(ctx, []nacre.Message{m})
	})
	switch {
	case !ok:
	case err != nil:
		cl.Send(frame{T: frameError, ID: f.ID, Text: live.Refusal(err, "Nacre could not store this message; its log says why.")})
	default:
		cl.Send(frame{T: frameStored, ID: f.ID})
	}
	return ok
}
