package moving

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// element is one of the values that a file of JSON holds side by side. Its bytes are
// good until the next one is read.
type element struct {
	number int // from 1
	line   int // of the file, from 1, where it begins
	raw    []byte
}

// splitter takes a file of JSON apart into its elements, and holds one of them at a
// time. It counts brackets and minds strings, and leaves it to whoever decodes an
// element to say that it is malformed; so one that is takes no other with it.
type splitter struct {
	in   *bufio.Reader
	key  string // of the list, where the file is an object
	most int    // bytes of an element

	take func(element) error
	left func(element, string) error // what cannot be taken, and why, as a sentence; without bytes

	buf    []byte
	line   int
	number int
	junk   bool // there was something between the elements
}

// Why a part of a file of JSON is left out.
const (
	tooLong  = "It is longer than 8 MB."
	cutOff   = "The file breaks off here; what came before is read. Export it again if you need the rest."
	notJSON  = "It is no JSON, so that nothing in it can be told apart."
	trailing = "Something follows the end of the list; it is left out."
	between  = "Something stands between the entries that belongs to none of them; it is left out."
)

// readEntries hands over the elements of the list that a file is, or that it holds
// under a key. An object without such a list is an element itself. Elements longer
// than MaxEntry are passed over in constant memory and told, as are a file that breaks
// off and what follows its end. Errors are those of reading, of take and of left.
func readEntries(in io.Reader, key string, take func(element) error, left func(element, string) error) error {
	s := splitter{in: bufio.NewReaderSize(in, 64<<10), key: key, most: MaxEntry, line: 1}
	s.take = func(e element) error { return notEnd(take(e)) }
	s.left = func(e element, why string) error { return notEnd(left(e, why)) }
	return s.file()
}

// file reads all of it.
func (s *splitter) file() error {
	if head, _ := s.in.Peek(len(mark)); string(head) == mark {
		s.skip(len(mark))
	}
	c, err := s.space()
	switch {
	case err == io.EOF:
		return nil
	case err != nil:
		return err
	case c == '[':
		err = s.list()
	case c == '{':
		err = s.object()
	default:
		return s.left(element{line: s.line}, notJSON)
	}
	if err == io.EOF {
		return s.tell(cutOff)
	}
	if err != nil {
		return err
	}
	return s.end()
}

// mark is the byte order mark that some programs begin a text with.
const mark = "\uFEFF"

// end tells what else was found.
func (s *splitter) end() error {
	if s.junk {
		if err := s.left(element{}, between); err != nil {
			return err
		}
	}
	if _, err := s.space(); err != io.EOF {
		if err != nil {
			return err
		}
		return s.left(element{}, trailing)
	}
	return nil
}

// tell tells that the element that is read now cannot be taken.
func (s *splitter) tell(why string) error {
	return s.left(element{number: s.number, line: s.line}, why)
}

// list reads the elements of a list, at its bracket. io.EOF if it is not closed.
func (s *splitter) list() error {
	s.skip(1)
	for {
		c, err := s.space()
		if err != nil {
			return err
		}
		switch c {
		case ',':
			s.skip(1)
		case ']':
			s.skip(1)
			return nil
		case '}', ':':
			s.junk = true
			s.skip(1)
		default:
			s.buf = s.buf[:0]
			if err := s.one(); err != nil {
				return err
			}
		}
	}
}

// one reads an element and hands it over. Only a list that breaks off in it is io.EOF.
func (s *splitter) one() error {
	s.number++
	begins := s.line
	fits, err := s.value()
	switch {
	case err != nil:
		return err
	case !fits:
		return s.left(element{number: s.number, line: begins}, tooLong)
	}
	return s.take(element{s.number, begins, s.buf})
}

// notEnd is an error of somebody else, which is not to be taken for the end of the file.
func notEnd(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// object reads an object, at its bracket: the list under its key, or all of it as one
// element. io.EOF if it is not closed.
func (s *splitter) object() error {
	begins, fits, found := s.line, true, false
	s.buf = append(s.buf[:0], '{')
	s.skip(1)
	for {
		c, err := s.space()
		switch {
		case err != nil:
			return err
		case c == '}':
			s.skip(1)
			return s.whole(element{1, begins, append(s.buf, '}')}, fits, found)
		case c == ',' || c == ':' || c == ']':
			fits = s.keep([]byte{c}, fits)
			s.skip(1)
			continue
		}
		if !fits {
			s.buf = s.buf[:0] // room for the next key
		}
		from := len(s.buf)
		ok, err := s.value()
		if err != nil {
			return err
		}
		fits = fits && ok
		if !ok || string(s.buf[from:]) != `"`+s.key+`"` {
			continue
		}
		if listed, err := s.under(); err != nil {
			return err
		} else if listed {
			found, fits, s.buf = true, false, s.buf[:0]
		}
	}
}

// under reads the list that follows a key, if one does.
func (s *splitter) under() (listed bool, err error) {
	c, err := s.space()
	if err != nil || c != ':' {
		return false, err
	}
	s.skip(1)
	if c, err = s.space(); err != nil || c != '[' {
		s.buf = append(s.buf, ':')
		return false, err
	}
	return true, s.list()
}

// whole hands over an object without a list.
func (s *splitter) whole(e element, fits, found bool) error {
	s.number = max(s.number, 1)
	switch {
	case found:
		return nil
	case !fits:
		return s.left(element{number: 1, line: e.line}, tooLong)
	}
	return s.take(e)
}

// keep adds bytes to the element that is read, if they still fit.
func (s *splitter) keep(b []byte, fits bool) bool {
	if fits = fits && len(s.buf)+len(b) <= s.most; fits {
		s.buf = append(s.buf, b...)
	}
	return fits
}

// space passes over white space, and returns the byte behind it, which is still to be
// read.
func (s *splitter) space() (byte, error) {
	for {
		window, err := s.window()
		if err != nil {
			return 0, err
		}
		for i, c := range window {
			switch c {
			case '\n':
				s.line++
			case ' ', '\t', '\r':
			default:
				s.skip(i)
				return c, nil
			}
		}
		s.skip(len(window))
	}
}

// value reads the value that begins here into buf, and whether it fitted. io.EOF if it
// does not end.
func (s *splitter) value() (fits bool, err error) {
	v := valueState{}
	for fits = true; ; {
		window, err := s.window()
		if err == io.EOF && v.bare {
			return fits, nil
		}
		if err != nil {
			return fits, err
		}
		n, done := v.read(window)
		s.line += bytes.Count(window[:n], []byte{'\n'})
		fits = s.keep(window[:n], fits)
		s.skip(n)
		if done {
			return fits, nil
		}
	}
}

// window is what is read already, and at least a byte.
func (s *splitter) window() ([]byte, error) {
	if s.in.Buffered() == 0 {
		if _, err := s.in.Peek(1); err != nil {
			return nil, err
		}
	}
	return s.in.Peek(s.in.Buffered())
}

// skip goes on by bytes that window or Peek has shown.
func (s *splitter) skip(n int) { _, _ = s.in.Discard(n) }

// valueState is how far into a value a reader is.
type valueState struct {
	depth   int
	text    bool // in a string
	escaped bool // behind a backslash
	bare    bool // in a number or a word outside of all brackets
}

// read reads on, and returns how many of the bytes belong to the value and whether it
// is at its end.
func (v *valueState) read(b []byte) (n int, done bool) {
	for n < len(b) {
		if v.text {
			n += v.string(b[n:])
			if !v.text && v.depth == 0 {
				return n, true
			}
			continue
		}
		c := b[n]
		if v.bare && bytes.IndexByte([]byte(" \t\r\n,:[]{}\""), c) >= 0 {
			return n, true
		}
		n++
		switch c {
		case '"':
			v.text = true
		case '[', '{':
			v.depth++
		case ']', '}':
			if v.depth--; v.depth == 0 {
				return n, true
			}
		default:
			v.bare = v.depth == 0
		}
	}
	return n, false
}

// string reads on in a string, and returns how many bytes it took.
func (v *valueState) string(b []byte) int {
	for i, c := range b {
		switch {
		case v.escaped:
			v.escaped = false
		case c == '\\':
			v.escaped = true
		case c == '"':
			v.text = false
			return i + 1
		}
	}
	return len(b)
}

// readLines hands over the lines of a file, without their ends, whichever these are, numbered from 1; a
// line is good until the next one is read. One longer than MaxEntry is passed over in
// constant memory and told to long. Errors are those of reading, of take and of long.
func readLines(in io.Reader, take func(number int, line []byte) error, long func(number int) error) error {
	r := bufio.NewReaderSize(&newlines{in: in}, 64<<10)
	if head, _ := r.Peek(len(mark)); string(head) == mark {
		_, _ = r.Discard(len(mark))
	}
	var buf []byte
	for number := 1; ; number++ {
		line, fits, err := readLine(r, buf[:0])
		if err != nil && err != io.EOF {
			return err
		}
		last := err == io.EOF
		switch {
		case !fits:
			err = long(number)
		case last && len(line) == 0:
			return nil
		default:
			err = take(number, bytes.TrimSuffix(line, []byte("\n")))
		}
		if err != nil || last {
			return err
		}
		buf = line
	}
}

// readLine reads one line behind buf. One that does not fit is read to its end, and
// what came of it is of no use.
func readLine(r *bufio.Reader, buf []byte) (line []byte, fits bool, err error) {
	fits = true
	for {
		part, err := r.ReadSlice('\n')
		if fits = fits && len(buf)+len(part) <= MaxEntry; fits {
			buf = append(buf, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return buf, fits, err
		}
	}
}
