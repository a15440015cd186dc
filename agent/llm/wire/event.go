package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// Event is one Server-Sent Event, as far as providers use them: data, and for
// some a name.
type Event struct {
	Name string // empty for most providers
	Data []byte
}

// Last reports whether e is the one with which servers of OpenAI's format end
// a stream.
func (e Event) Last() bool { return string(e.Data) == "[DONE]" }

// events reads Server-Sent Events. Comments and other fields are skipped, and
// so is the data of named events unless it is an object or the last one, such
// as a server's heartbeat. Lines of data that follow each other belong
// together, except where a server leaves out the empty line between events: a
// line that is whole by itself is one.
// Format: https://html.spec.whatwg.org/multipage/server-sent-events.html.
type events struct {
	lines *lines
	name  string // of the event that is being read
	data  []byte // its data so far
}

func newEvents(r io.Reader) *events { return &events{lines: newLines(r)} }

// next returns the next event with data, valid until the following call. The
// error is io.EOF after the last.
func (e *events) next() (Event, error) {
	for {
		line, err := e.lines.line()
		if err != nil && !errors.Is(err, io.EOF) {
			return Event{}, err // the line is torn
		}
		event, ok, malformed := e.take(bytes.TrimSpace(line))
		if malformed != nil {
			return Event{}, malformed
		}
		if !ok && err != nil {
			event, ok = e.end()
		}
		if ok {
			return event, nil
		}
		if err != nil {
			return Event{}, err
		}
	}
}

// take takes one line and returns the event that it ends, if any.
func (e *events) take(line []byte) (Event, bool, error) {
	field, value, colon := bytes.Cut(line, []byte(":"))
	value = bytes.TrimSpace(value)
	switch string(field) {
	case "":
		if !colon { // else a comment, which ends nothing
			event, ok := e.end()
			return event, ok, nil
		}
	case "event":
		e.name = string(value)
	case "data":
		if len(e.data)+len(value) > maxLine {
			return Event{}, false, Senseless("an event longer than 1 MiB", nil)
		}
		if json.Valid(e.data) {
			event, ok := e.end()
			e.data = bytes.Clone(value) // apart from that of event
			return event, ok, nil
		}
		if len(e.data) > 0 {
			e.data = append(e.data, '\n')
		}
		e.data = append(e.data, value...)
	}
	return Event{}, false, nil
}

// end ends the event that is being read and returns it if it counts.
func (e *events) end() (Event, bool) {
	event := Event{e.name, e.data}
	e.name, e.data = "", e.data[:0]
	return event, len(event.Data) > 0 && (event.Name == "" || event.Data[0] == '{' || event.Last())
}
