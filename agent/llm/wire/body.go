package wire

import (
	"context"
	"errors"
	"io"
	"time"
)

const (
	// Idle is the longest silence inside an answer.
	Idle = 90 * time.Second
	// Linger is the longest silence after an answer that is whole but for its
	// usage. It has been shown by then, and only the turn waits: long enough
	// for any server that sends the usage at all, so that few answers have to
	// be paid for by an estimate.
	Linger = 2 * time.Second

	drainTime = 100 * time.Millisecond // for what follows the last event, which is all but always nothing
	maxAnswer = 32 << 20               // bytes of one answer; only a broken server sends more
)

var (
	errIdle = errors.New("the answer stopped arriving")
	errLate = errors.New("no answer began in time")
	errCut  = errors.New("the stream was cut before the answer ended")
)

// State says how far an answer has come.
type State int

// The states. What goes wrong after Ended cannot spoil the answer.
const (
	Open  State = iota // more must come
	Ended              // whole, though something such as the usage may follow
	Done               // nothing follows
)

// Body is the body of an answer. It ends the call when the server stays silent
// for longer than Idle. One timer serves the whole body; it runs only while a
// Read is waiting, so slow readers do no harm.
type Body struct {
	Whole bool // one JSON object rather than a stream

	in    io.Reader
	wait  time.Duration
	timer *time.Timer
}

// NewBody returns a Body over in which calls cancel on silence. Post makes the
// Bodies of real answers; tests make their own.
func NewBody(in io.Reader, cancel context.CancelCauseFunc) *Body {
	b := &Body{in: in, wait: Idle, timer: time.AfterFunc(Idle, func() { cancel(errIdle) })}
	b.timer.Stop()
	return b
}

// Read implements io.Reader.
func (b *Body) Read(p []byte) (int, error) {
	b.timer.Reset(b.wait)
	defer b.timer.Stop()
	return b.in.Read(p)
}

// Take reads an answer of either form: event takes those of a stream, whole an
// answer that is one object although a stream was asked for.
func (b *Body) Take(event func(Event) (State, error), whole func([]byte) error) error {
	if !b.Whole {
		return b.Events(event)
	}
	raw, err := io.ReadAll(b)
	if err != nil {
		return err
	}
	return whole(raw)
}

// Events gives take every event of a Server-Sent Events stream until the
// answer is Done or the body ends. The event is valid during the call only.
func (b *Body) Events(take func(Event) (State, error)) error {
	events := newEvents(b)
	return follow(b, events.next, take)
}

// Lines gives take every line that is not empty, without its end, until the
// answer is Done or the body ends. The line is valid during the call only.
func (b *Body) Lines(take func(line []byte) (State, error)) error {
	lines := newLines(b)
	return follow(b, lines.next, take)
}

// follow drives both forms. A body that ends before the answer is an error.
func follow[T any](b *Body, next func() (T, error), take func(T) (State, error)) error {
	state := Open
	for {
		item, err := next()
		switch {
		case err != nil && state >= Ended:
			return nil
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return errCut
		case err != nil:
			return err
		}
		now, err := take(item)
		if err != nil && state < Ended {
			return err
		}
		state = max(state, now)
		if state >= Ended {
			b.wait = Linger
		}
		if state == Done {
			b.drain()
			return nil
		}
	}
}

// drain reads what is left, because a connection is used again only when its
// last answer was read to the end. It is no loss if the server keeps it open.
func (b *Body) drain() {
	b.timer.Reset(drainTime) // for all of it
	io.Copy(io.Discard, b.in)
	b.timer.Stop()
}
