package telegram

import (
	"unicode"
	"unicode/utf16"
)

const (
	zeroWidthNonJoiner = '\u200C'
	zeroWidthJoiner    = '\u200D'
)

// cluster measures the first character of text as people see it, in bytes and
// in UTF-16 units: a letter with its marks, a flag, an emoji with skin tone or
// joined with others. It follows the spirit of the grapheme clusters of
// Unicode Annex #29 without its tables, and errs towards keeping together. One
// that has more than limit units, which nobody writes for others to read, is
// given in pieces.
func cluster(text string, limit int) (bytes, units int) {
	var prev rune
	for i, r := range text {
		size := utf16.RuneLen(r)
		if i > 0 && (!joined(prev, r, i == regionalLen) || units+size > limit) {
			return i, units
		}
		units += size
		prev = r
	}
	return len(text), units
}

// regionalLen is the number of bytes of a regional indicator in UTF-8.
const regionalLen = 4

// joined reports whether r continues the character that prev belongs to. Two
// regional indicators make a flag if they are the first two runes.
func joined(prev, r rune, second bool) bool {
	switch {
	case r < 0x80 && prev < 0x80:
		return prev == '\r' && r == '\n'
	case unicode.IsControl(prev), unicode.IsControl(r):
		return false
	case extends(r):
		return true
	case prev == zeroWidthJoiner:
		return !unicode.IsSpace(r)
	default:
		return second && regional(prev) && regional(r)
	}
}

// extends reports whether r is only ever a part of the character before it:
// marks, variation selectors, joiners, skin tones, the tags of regional flags,
// and the later letters of a Korean syllable that is written in pieces.
func extends(r rune) bool {
	switch {
	case r < 0x300:
		return false
	case r == zeroWidthJoiner, r == zeroWidthNonJoiner,
		r >= 0x1160 && r <= 0x11FF,
		r >= 0x1F3FB && r <= 0x1F3FF,
		r >= 0xE0020 && r <= 0xE007F:
		return true
	}
	return unicode.IsMark(r)
}

func regional(r rune) bool { return r >= 0x1F1E6 && r <= 0x1F1FF }
