package terms

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"nacre/memory/canon"
)

// particles are the characters of Chinese and Japanese that carry no meaning of
// their own.
const particles = "的了是我你您他她它们們吗嗎呢吧啊呀很也都就在和與与有不没沒这這那个個之をはがのにでともへやねよかなだー"

// unspaced reports whether a character is of a script that puts no spaces between
// words, or, in Korean, glues particles to them.
func unspaced(r rune) bool {
	switch {
	case r < 0x0e00:
		return false
	case 0x3400 <= r && r <= 0x9fff, 0xac00 <= r && r <= 0xd7a3:
		return true
	}
	return canon.Unspaced(r)
}

// grams reads a run of writing without spaces: each character, and each with the
// next. Who looks for a word of it finds the pairs; the single ones are there
// for words of one character, and the length of a Form tells them apart. It
// returns where the run ends.
func (r *reader) grams(from int) int {
	first, end := span{from, r.unit(from)}, 0
	for ; ; first = (span{first.to, end}) {
		r.gram(first)
		end = r.unit(first.to)
		if end == first.to {
			return end
		}
		r.place--
		r.gram(span{first.from, end})
	}
}

// unit returns where the character of writing without spaces that stands at a
// byte ends, with its vowel signs and tones; at itself if there is none.
func (r *reader) unit(at int) int {
	c, size := utf8.DecodeRuneInString(r.text[at:])
	if !unspaced(c) && c != 'ー' {
		return at
	}
	for end := at + size; ; end += size {
		if c, size = utf8.DecodeRuneInString(r.text[end:]); c < 0x0300 || !unicode.Is(unicode.M, c) {
			return end
		}
	}
}

func (r *reader) gram(s span) {
	r.add(Token{From: s.from, Kind: Gram}, r.a.lexeme(r.lower(r.text[s.from:s.to])), lowerCase)
}

// particle reports whether a form is made of particles alone.
func particle(form string) bool {
	return strings.Trim(form, particles) == ""
}
