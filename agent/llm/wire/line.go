package wire

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxLine is the bytes of one event or line. A whole answer without a stream
// may be longer.
const maxLine = 1 << 20

// lines reads a text line by line.
type lines struct {
	in   *bufio.Reader
	long []byte // a line longer than the buffer of in
}

func newLines(r io.Reader) *lines { return &lines{in: bufio.NewReader(r)} }

// next returns the next line that is not empty, without its end, valid until
// the following call. The error is io.EOF after the last one.
func (l *lines) next() ([]byte, error) {
	for {
		line, err := l.line()
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err // the line is torn
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// line returns one line with its end. The last one may come with an io.EOF,
// which the following call repeats.
func (l *lines) line() ([]byte, error) {
	line, err := l.in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	l.long = append(l.long[:0], line...)
	for errors.Is(err, bufio.ErrBufferFull) {
		line, err = l.in.ReadSlice('\n')
		if len(l.long)+len(line) > maxLine {
			return nil, Senseless("an event longer than 1 MiB", nil)
		}
		l.long = append(l.long, line...)
	}
	return l.long, err
}
