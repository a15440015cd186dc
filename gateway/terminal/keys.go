package terminal

import (
	"bufio"
	"io"
	"strings"
)

// Terminals in bracketed-paste mode put these around what is pasted.
const (
	pasteBegins = "\x1b[200~"
	pasteEnds   = "\x1b[201~"
)

// keys reads what a person types and knows whether it is being pasted. One Read
// gives no byte after a line end, so that when the line editor returns a line,
// pasting is true exactly if that line's end was pasted. (The editor's own
// term.ErrPasteIndicator misses a line of which only the end was.)
type keys struct {
	in      *bufio.Reader
	pasting bool
	tail    string // the latest bytes, as many as a mark has
}

func newKeys(in io.Reader) *keys { return &keys{in: bufio.NewReader(in)} }

// Read blocks until there is a byte and then takes those that are there. CR LF
// comes out as CR.
func (k *keys) Read(p []byte) (n int, err error) {
	for n < len(p) && (n == 0 || k.in.Buffered() > 0) {
		b, err := k.in.ReadByte()
		if err != nil {
			return n, err
		}
		p[n] = b
		n++
		k.note(b)
		if b == '\r' {
			k.skipNewline()
		}
		if b == '\r' || b == '\n' {
			break
		}
	}
	return n, nil
}

// skipNewline drops a newline that has come already.
func (k *keys) skipNewline() {
	if k.in.Buffered() == 0 {
		return
	}
	if next, _ := k.in.Peek(1); next[0] == '\n' {
		k.in.Discard(1)
	}
}

// note watches for the marks.
func (k *keys) note(b byte) {
	k.tail += string([]byte{b})
	k.tail = k.tail[max(0, len(k.tail)-len(pasteBegins)):]
	switch {
	case strings.HasSuffix(k.tail, pasteBegins):
		k.pasting = true
	case strings.HasSuffix(k.tail, pasteEnds):
		k.pasting = false
	}
}
