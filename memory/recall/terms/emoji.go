package terms

import (
	"unicode"
	"unicode/utf8"
)

// joiner makes one picture of two (ZERO WIDTH JOINER).
const joiner = '\u200d'

// picture reports whether a character is an emoji or another symbol that means
// something by itself. Lines, blocks and Braille only draw.
func picture(r rune) bool {
	switch {
	case r < 0xa9, 0x2500 <= r && r < 0x2600, 0x2800 <= r && r < 0x2900, r == utf8.RuneError:
		return false
	}
	return unicode.Is(unicode.So, r)
}

func skin(r rune) bool     { return 0x1f3fb <= r && r <= 0x1f3ff }
func tag(r rune) bool      { return 0xe0020 <= r && r <= 0xe007f }
func regional(r rune) bool { return 0x1f1e6 <= r && r <= 0x1f1ff }

// pictured reports whether a joiner after a character joins pictures.
func pictured(r rune) bool { return picture(r) || skin(r) }

// picture reads the emoji that begins at a byte: it is found as a whole, and
// without the colour of its skin or by each of the pictures that are joined in
// it. It returns where the emoji ends.
func (r *reader) picture(from int) int {
	end, bases := from, r.parts[:0]
	for end < len(r.text) {
		first, size := utf8.DecodeRuneInString(r.text[end:])
		if !picture(first) {
			break
		}
		bases = append(bases, span{end, end + size})
		end = r.adorned(end+size, first)
		if next := end + len(string(joiner)); next < len(r.text) && firstRune(r.text[end:]) == joiner && picture(firstRune(r.text[next:])) {
			end = next
		} else {
			break
		}
	}
	r.parts = bases
	r.exact(r.text[from:end], from)
	for _, b := range bases {
		if b.to-b.from < end-from && !regional(firstRune(r.text[from:])) {
			r.place--
			r.exact(r.text[b.from:b.to], b.from)
		}
	}
	return end
}

// adorned returns where what belongs to a picture ends: the second letter of a
// flag, a colour of skin, tags.
func (r *reader) adorned(at int, first rune) int {
	next, size := utf8.DecodeRuneInString(r.text[at:])
	if regional(first) {
		if regional(next) {
			return at + size
		}
		return at
	}
	for skin(next) || tag(next) {
		at += size
		next, size = utf8.DecodeRuneInString(r.text[at:])
	}
	return at
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}
