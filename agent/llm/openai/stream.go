package openai

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"nacre/agent/llm"
)

const (
	idle      = 90 * time.Second // longest silence inside an answer
	tail      = 2 * time.Second  // longest wait for what may follow a finished answer
	maxLine   = 1 << 20          // bytes of one event; a whole answer without stream may be longer
	maxAnswer = 32 << 20         // bytes of one answer; only a broken server sends more
)

var (
	errIdle = errors.New("nothing arrived for " + idle.String())
	errCut  = errors.New("the stream was cut before the answer ended")
)

// patient reads a body and cancels the call when the server stays silent for
// longer than wait. One timer serves the whole body; it runs only while a Read
// is waiting, so slow readers do no harm.
type patient struct {
	body  io.Reader
	wait  time.Duration
	timer *time.Timer
}

func newPatient(body io.Reader, cancel context.CancelCauseFunc) *patient {
	p := &patient{body: body, wait: idle, timer: time.AfterFunc(idle, func() { cancel(errIdle) })}
	p.timer.Stop()
	return p
}

func (p *patient) Read(b []byte) (int, error) {
	p.timer.Reset(p.wait)
	defer p.timer.Stop()
	return p.body.Read(b)
}

// drain reads what is left, because a connection is used again only when its
// last answer was read to the end. It takes tail at most.
func (p *patient) drain() {
	p.timer.Reset(tail)
	io.Copy(io.Discard, p.body)
	p.timer.Stop()
}

// events reads Server-Sent Events, as far as Chat Completions uses them: each
// event is one data line. Comments and other fields are skipped, and so is the
// data of named events unless it is an object, such as a server's heartbeat.
// Format: https://html.spec.whatwg.org/multipage/server-sent-events.html.
type events struct {
	in    *bufio.Reader
	long  []byte // a line longer than the buffer of in
	named bool   // the event that is being read has a name
}

func newEvents(r io.Reader) *events { return &events{in: bufio.NewReader(r)} }

// next returns the data of the next event, valid until the following call. The
// error is io.EOF after the last one.
func (e *events) next() ([]byte, error) {
	for {
		line, err := e.line()
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err // the line is torn
		}
		field, value, colon := bytes.Cut(bytes.TrimSpace(line), []byte(":"))
		value = bytes.TrimSpace(value)
		switch string(field) {
		case "":
			e.named = e.named && colon // a comment is no blank line
		case "event":
			e.named = true
		case "data":
			if len(value) > 0 && (value[0] == '{' || !e.named) {
				return value, nil
			}
		}
		if err != nil {
			return nil, err
		}
	}
}

// line returns one line with its end. The last one may come with an io.EOF,
// which the following call repeats.
func (e *events) line() ([]byte, error) {
	line, err := e.in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	e.long = append(e.long[:0], line...)
	for errors.Is(err, bufio.ErrBufferFull) {
		line, err = e.in.ReadSlice('\n')
		if len(e.long)+len(line) > maxLine {
			return nil, problem{cause: llm.BadAnswer, words: "an event longer than 1 MiB"}
		}
		e.long = append(e.long, line...)
	}
	return e.long, err
}
