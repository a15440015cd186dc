package ledger

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"nacre/memory"
)

// literals are wordings as bytes, to be found where nothing is sealed.
type literals struct {
	words   [][]byte // with a letter
	numbers [][]byte

	table  [256]byte
	folded []byte // used again
}

const (
	minLiteral = 4  // bytes; fewer stand anywhere
	minText    = 16 // bytes of text around a wording; four letters stand in any large file of random bytes
)

// newLiterals takes the wordings of a Needle, not its stems.
func newLiterals(n *memory.Needle) *literals {
	l := &literals{table: foldings()}
	for _, list := range [][]string{n.Quotes, n.Marks} {
		for _, form := range list {
			switch plain := bytes.Clone(bytes.TrimSpace(l.fold([]byte(form)))); {
			case len(plain) < minLiteral:
			case bytes.IndexFunc(plain, isLetter) < 0:
				l.numbers = append(l.numbers, plain)
			default:
				l.words = append(l.words, plain)
			}
		}
	}
	return l
}

func isLetter(r rune) bool { return 'a' <= r && r <= 'z' || r >= utf8.RuneSelf }

func (l *literals) none() bool { return len(l.words)+len(l.numbers) == 0 }

// in reports whether bytes hold one of them, whatever the case of its ASCII
// letters and what stands between its words.
func (l *literals) in(b []byte, wordsOnly bool) bool {
	folded := l.fold(b)
	for _, w := range l.words {
		if stands(folded, w) {
			return true
		}
	}
	for _, w := range l.numbers {
		if !wordsOnly && stands(folded, w) {
			return true
		}
	}
	return false
}

// overlap is how many bytes of one piece of a file must be looked at with the
// next.
func (l *literals) overlap() int {
	longest := 0
	for _, list := range [][][]byte{l.words, l.numbers} {
		for _, w := range list {
			longest = max(longest, len(w))
		}
	}
	return min(4*longest+2*minText, pieceSize/2)
}

func stands(b, w []byte) bool {
	for at := 0; ; at++ {
		i := bytes.Index(b[at:], w)
		if i < 0 {
			return false
		}
		if at += i; inText(b, at, at+len(w)) {
			return true
		}
	}
}

// inText reports whether a place has enough text around it, or nothing else
// around it at all.
func inText(b []byte, from, to int) bool {
	first, last := from, to
	for first > 0 && last-first < minText {
		r, size := utf8.DecodeLastRune(b[:first])
		if r == utf8.RuneError || r == 0 {
			break
		}
		first -= size
	}
	for last < len(b) && last-first < minText {
		r, size := utf8.DecodeRune(b[last:])
		if r == utf8.RuneError || r == 0 {
			break
		}
		last += size
	}
	return last-first >= minText || first == 0 && last == len(b)
}

// foldings are what becomes of each byte: ASCII letters are in lower case, spaces
// and punctuation are a space, other control bytes zero.
func foldings() (table [256]byte) {
	for i := range table {
		switch c := byte(i); {
		case c >= utf8.RuneSelf, 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			table[i] = c
		case 'A' <= c && c <= 'Z':
			table[i] = c + 'a' - 'A'
		case c > ' ' && c < 0x7f, unicode.IsSpace(rune(c)):
			table[i] = ' '
		}
	}
	return table
}

// fold returns bytes as foldings say, and of every run of spaces or zeros one.
// They are valid until it is called again.
func (l *literals) fold(b []byte) []byte {
	if cap(l.folded) < len(b) {
		l.folded = make([]byte, len(b))
	}
	out, n, last := l.folded[:len(b)], 0, byte(1)
	for _, c := range b {
		c = l.table[c]
		if c <= ' ' && c == last {
			continue
		}
		out[n], last = c, c
		n++
	}
	return out[:n]
}
