package ledger

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"nacre/memory"
)

// sieve lets through every text that a Needle could find something in, and
// little else, at a small part of the cost: most of what is kept of an owner has
// nothing to do with what they forget.
type sieve struct {
	all   bool
	marks [][]byte   // one of them stands in the text
	words [][][]byte // or two of one list do, or the only one
	lower []byte     // the text in lower case; used again
}

// newSieve takes from each wording its longest part that looks the same in
// every text: canonical forms are in lower case, and their words apart by single
// spaces.
func newSieve(n *memory.Needle) *sieve {
	s := &sieve{all: n.All}
	for _, list := range [][]string{n.Quotes, n.Marks} {
		for _, form := range list {
			s.marks = append(s.marks, firmest(form))
		}
	}
	for _, list := range n.Words {
		var beginnings [][]byte
		for _, stem := range list {
			beginnings = append(beginnings, firmest(stem[:min(stemLength, len(stem))]))
		}
		s.words = append(s.words, beginnings)
	}
	return s
}

// stemLength is how many bytes of a stem begin its words, whatever they end
// with; as Needle takes it.
const stemLength = 4

// firmest is the longest run of ASCII letters and digits of a form, empty where
// there is none, which stands in every text.
func firmest(form string) []byte {
	longest := ""
	for _, run := range strings.FieldsFunc(form, func(r rune) bool { return !('a' <= r && r <= 'z' || '0' <= r && r <= '9') }) {
		if len(run) > len(longest) {
			longest = run
		}
	}
	return []byte(longest)
}

// passes reports whether a text has to be looked at closely.
func (s *sieve) passes(text []byte) bool {
	if s.all {
		return true
	}
	lower, ok := appendLower(s.lower[:0], text)
	s.lower = lower
	if !ok {
		return true
	}
	for _, m := range s.marks {
		if bytes.Contains(lower, m) {
			return true
		}
	}
	for _, list := range s.words {
		if count(lower, list) >= min(2, len(list)) {
			return true
		}
	}
	return false
}

func count(text []byte, words [][]byte) (n int) {
	for _, w := range words {
		if bytes.Contains(text, w) {
			n++
		}
	}
	return n
}

// appendLower appends a text with its ASCII letters in lower case. It returns
// false for a text with characters of which a canonical form makes ASCII, or
// nothing.
func appendLower(out, text []byte) ([]byte, bool) {
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if c < ' ' && c != '\n' && c != '\t' {
				return out, false
			}
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			out = append(out, c)
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if !firm(r) {
			return out, false
		}
		out = append(out, text[i:i+size]...)
		i += size
	}
	return out, true
}

// firm reports whether a character stays what it is in a canonical form, or
// becomes another outside ASCII or a space: letters with accents but ß, Cyrillic,
// kana, Han, Hangul, dashes and quotation marks, pictures.
func firm(r rune) bool {
	switch {
	case 'À' <= r && r <= 'ÿ':
		return r != 'ß'
	case 'Ѐ' <= r && r <= 'ѿ', 'Ҋ' <= r && r <= 'ӿ', 'ぁ' <= r && r <= 'ヺ', '一' <= r && r <= '鿿', '가' <= r && r <= '힣':
		return true
	case '‐' <= r && r <= '‟', '🌀' <= r && r <= '🫿':
		return true
	}
	return false
}
