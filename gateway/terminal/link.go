package terminal

import (
	"context"
	"encoding/json"
	"net"
	"slices"
	"time"

	"nacre"
	"nacre/gateway/live"
)

const (
	// shownKept is how many delivery ids a chat remembers, to know repeats.
	shownKept = 1000
	// firstRetry and lastRetry bound the doubling pauses between tries to
	// connect.
	firstRetry = 100 * time.Millisecond
	lastRetry  = 5 * time.Second
)

// link is a chat's side of the connection. It keeps every message until the
// server has stored it and sends it again, with the same id, after a loss. run
// works in a goroutine of its own; all else belongs to the goroutine that takes
// from events and passes each one to update first.
type link struct {
	dial    func(context.Context) (net.Conn, error)
	events  chan event
	conn    net.Conn // nil while we are not attached
	away    bool     // the person knows that the server is away
	waiting []frame  // said and not stored yet, in order
	sent    int      // how many of waiting this connection carried
	shown   []string // ids of the latest parts on the screen, oldest first
}

// event is what happened on a connection: a frame came, or it was lost.
type event struct {
	conn  net.Conn
	frame frame
	lost  bool
}

func newLink(dial func(context.Context) (net.Conn, error)) *link {
	return &link{dial: dial, events: make(chan event)}
}

// run reads from conn and from the connections after it until ctx ends. The
// pauses between them grow unless a connection lasted.
func (l *link) run(ctx context.Context, conn net.Conn) {
	pause := firstRetry
	for {
		if conn != nil {
			began := time.Now()
			l.listen(ctx, conn)
			l.emit(ctx, event{lost: true})
			if time.Since(began) > lastRetry {
				pause = firstRetry
			}
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
		pause = min(2*pause, lastRetry)
		conn, _ = l.dial(ctx) // nil on an error: the server is still away
	}
}

// listen passes on what the server sends over conn until that ends.
func (l *link) listen(ctx context.Context, conn net.Conn) {
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	lines := frameLines(conn)
	for lines.Scan() {
		var f frame
		if json.Unmarshal(lines.Bytes(), &f) != nil {
			return // not our server; a new connection may reach it
		}
		l.emit(ctx, event{conn: conn, frame: f})
	}
}

func (l *link) emit(ctx context.Context, e event) {
	select {
	case l.events <- e:
	case <-ctx.Done():
	}
}

// update does the link's own part of an event and reports whether the person
// should hear of it too: each loss once, and that it is over.
func (l *link) update(e event) bool {
	known := l.away
	switch {
	case e.lost:
		l.conn, l.away = nil, true
		return !known
	case e.frame.T == frameReady:
		l.conn, l.away, l.sent = e.conn, false, 0
		l.fill()
		return known
	case e.frame.T == frameStored:
		l.forget(e.frame.ID)
		return false
	case e.frame.T == frameError:
		l.forget(e.frame.ID)
		return e.frame.ID != "" || !known
	case e.frame.T == framePart && slices.Contains(l.shown, e.frame.ID):
		l.write(frame{T: frameShown, ID: e.frame.ID})
		return false
	}
	return true
}

// say takes a message for delivery and returns the id it gave it. A text too
// long for one frame is Invalid.
func (l *link) say(text string) (id string, err error) {
	f := frame{T: frameSay, ID: nacre.NewID(time.Now()), Text: text}
	if _, err := f.encode(); err != nil {
		return "", err
	}
	l.waiting = append(l.waiting, f)
	l.fill()
	return f.ID, nil
}

// acknowledge tells the server that a part is on the screen.
func (l *link) acknowledge(id string) {
	l.shown = append(l.shown, id)
	if len(l.shown) > shownKept {
		l.shown = slices.Delete(l.shown, 0, 1)
	}
	l.write(frame{T: frameShown, ID: id})
}

// unsent returns otherwise, except when there are messages of which the server
// has not said that it stored them.
func (l *link) unsent(otherwise error) error {
	switch n := len(l.waiting); n {
	case 0:
		return otherwise
	case 1:
		return nacre.Errorf(nacre.Transient, "The last message may not have reached Nacre; say it again when it is back.")
	default:
		return nacre.Errorf(nacre.Transient, "The last %d messages may not have reached Nacre; say them again when it is back.", n)
	}
}

// fill sends what waits, as far as the window allows.
func (l *link) fill() {
	for l.conn != nil && l.sent < min(len(l.waiting), live.Window) {
		l.write(l.waiting[l.sent])
		l.sent++
	}
}

// forget drops a message that the server answered for.
func (l *link) forget(id string) {
	i := slices.IndexFunc(l.waiting, func(f frame) bool { return f.ID == id })
	if i < 0 {
		return
	}
	l.waiting = slices.Delete(l.waiting, i, i+1)
	if i < l.sent {
		l.sent--
	}
	l.fill()
}

// write sends a frame if the server is there. A connection that takes none is
// cut, and run tells the rest.
func (l *link) write(f frame) {
	if l.conn == nil {
		return
	}
	if writeFrame(l.conn, f) != nil {
		l.conn.Close()
	}
}
