package moving

import (
	"bytes"
	"io"
	"strings"
)

// lineEnds makes the ends of lines, which programs write in three ways, one.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// plain is a text as all readers of texts take it: valid UTF-8, without a mark of order,
// its lines ended by "\n".
func plain(text string) string {
	return lineEnds.Replace(strings.TrimPrefix(strings.ToValidUTF8(text, "\uFFFD"), mark))
}

// newlines is what is read, its lines ended by "\n".
type newlines struct {
	in io.Reader
	cr bool // the last byte was "\r"
}

// Read implements io.Reader.
func (r *newlines) Read(p []byte) (int, error) {
	for {
		n, err := r.in.Read(p)
		kept := r.unify(p[:n])
		if kept > 0 || n == 0 || err != nil {
			return kept, err
		}
	}
}

// unify rewrites bytes in their place, and returns how many they are then.
func (r *newlines) unify(p []byte) int {
	if !r.cr && bytes.IndexByte(p, '\r') < 0 {
		return len(p)
	}
	n := 0
	for _, c := range p {
		second := r.cr && c == '\n'
		if r.cr = c == '\r'; r.cr {
			c = '\n'
		}
		if !second {
			p[n] = c
			n++
		}
	}
	return n
}
