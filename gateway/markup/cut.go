package markup

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Unit says how much a rune counts for where a platform measures text.
type Unit func(r rune) int

// UTF16 counts in UTF-16 units, as Telegram does.
func UTF16(r rune) int { return utf16.RuneLen(r) }

// Characters counts every rune once.
func Characters(rune) int { return 1 }

// length measures a text.
func length(text string, unit Unit) int {
	n := 0
	for _, r := range text {
		n += unit(r)
	}
	return n
}

// prefix returns how many bytes of a text, which is not empty, fit into limit
// units: always one rune at least.
func prefix(text string, limit int, unit Unit) int {
	for i, r := range text {
		if limit -= unit(r); limit < 0 && i > 0 {
			return i
		}
	}
	return len(text)
}

// Split cuts text without markup, such as a caption, into pieces of at most
// limit units, which is 2 or more. They begin and end with something other
// than white space and none is blank. Control characters and what is not UTF-8
// are taken out; nothing else that can be seen is lost.
func Split(text string, limit int, unit Unit) []string {
	var pieces []string
	for text = strings.TrimSpace(clean(text)); text != ""; {
		n := cut(text, prefix(text, limit, unit))
		if piece := strings.TrimSpace(text[:n]); visible(piece) {
			pieces = append(pieces, piece)
		}
		text = strings.TrimLeftFunc(text[n:], unicode.IsSpace)
	}
	return pieces
}

// cut returns how many bytes of text to take if at most n may be taken: all,
// or up to a line's end in the second half of n, else to a word's end. Where
// the next word is longer than n it is cut too, at the end of a character as
// people see it; and a character longer than n, which nobody writes for others
// to read, between its code points.
func cut(text string, n int) int {
	if n == len(text) {
		return n
	}
	_, size := utf8.DecodeRuneInString(text[n:])
	within := text[:n+size] // a cut just before white space is as good
	if i := strings.LastIndexByte(within, '\n'); i > 0 && i >= n/2 {
		return i
	}
	if i := strings.LastIndexFunc(within, unicode.IsSpace); i > indentation(text) && (i >= n/2 || wordEnds(text[n:], i+1)) {
		return i
	}
	if i := boundary(text, n); i > 0 {
		return i
	}
	return n
}

// wordEnds reports whether the word that text goes on with ends within n
// bytes.
func wordEnds(text string, n int) bool {
	return n >= len(text) || strings.ContainsFunc(text[:whole(text, n+1)], unicode.IsSpace)
}

// indentation returns how many bytes of white space text begins with.
func indentation(text string) int {
	return len(text) - len(strings.TrimLeftFunc(text, unicode.IsSpace))
}

// boundary returns the last place up to n, which is less than the length, where
// a grapheme cluster (Unicode Annex #29) ends; 0 if the first has more bytes.
func boundary(text string, n int) int {
	_, size := utf8.DecodeRuneInString(text[n:])
	last := certain(text, n)
	for rest, at, state := text[last:n+size], last, -1; at <= n; {
		last = at
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		at += len(cluster)
	}
	return last
}

// certain returns the last place up to n between two ASCII characters, where a
// boundary needs no tables: clean text has no carriage returns.
func certain(text string, n int) int {
	for i := n; i > 0; i-- {
		if text[i-1] < utf8.RuneSelf && text[i] < utf8.RuneSelf {
			return i
		}
	}
	return 0
}

// visible reports whether there is something to see in text. Telegram's
// servers call a message empty that holds only spaces, control and formatting
// characters, and a few others that they remove or that look like nothing.
func visible(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return !blank(r) })
}

func blank(r rune) bool {
	switch r {
	case '\u030A', '\u0333', '\u033F', '\u2800', '\uFFFC':
		return true
	}
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
