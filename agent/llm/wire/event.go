package wire

import (
	"bytes"
	"errors"
	"io"
)

// Event is one Server-Sent Event, as far as providers use them: one line of
// data, and for some a name.
type Event struct {
	Name string // empty for most providers
	Data []byte
}

// events reads Server-Sent Events. Comments and other fields are skipped, and
// so is the data of named events unless it is an object, such as a server's
// heartbeat. Two lines of data are two events.
// Format: https://html.spec.whatwg.org/multipage/server-sent-events.html.
type events struct {
	lines *lines
	name  string // of the event that is being read
}

func newEvents(r io.Reader) *events { return &events{lines: newLines(r)} }

// next returns the next event with data. The error is io.EOF after the last.
func (e *events) next() (Event, error) {
	for {
		line, err := e.lines.line()
		if err != nil && !errors.Is(err, io.EOF) {
			return Event{}, err // the line is torn
		}
		field, value, colon := bytes.Cut(bytes.TrimSpace(line), []byte(":"))
		value = bytes.TrimSpace(value)
		switch string(field) {
		case "":
			if !colon { // else a comment, which ends nothing
				e.name = ""
			}
		case "event":
			e.name = string(value)
		case "data":
			if len(value) > 0 && (value[0] == '{' || e.name == "") {
				return Event{e.name, value}, nil
			}
		}
		if err != nil {
			return Event{}, err
		}
	}
}
