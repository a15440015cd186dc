package telegram

import (
	"strings"
	"unicode"

	"nacre"
)

// textLimit is the length of a message in UTF-16 units.
// See https://core.telegram.org/bots/api#sendmessage.
const textLimit = 4096

// Render cuts the text of a Reply into plain parts that Telegram accepts.
func (c *Channel) Render(r nacre.Reply) []nacre.Part {
	var parts []nacre.Part
	for _, text := range split(r.Text, textLimit) {
		parts = append(parts, nacre.Part{Text: text})
	}
	return parts
}

// split cuts text into pieces of at most limit UTF-16 units, in order. They
// begin and end with something other than white space, which Telegram would
// remove, and none is blank, which Telegram would refuse; nothing else is
// lost. limit is at least 2.
func split(text string, limit int) []string {
	var pieces []string
	for text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD")); text != ""; {
		n := cut(text, limit)
		if piece := strings.TrimSpace(text[:n]); visible(piece) {
			pieces = append(pieces, piece)
		}
		text = strings.TrimLeftFunc(text[n:], unicode.IsSpace)
	}
	return pieces
}

// cut returns how many bytes of text to take: all, if it fits; else up to a
// line's end in the second half of what fits, else to a word's end, else, in a
// word longer than the limit, to the end of a character.
func cut(text string, limit int) int {
	var i, units, line, word int
	for i < len(text) {
		n, size := cluster(text[i:], limit)
		if i > 0 && (text[i] == '\n' || text[i] == '\r') && units >= limit/2 {
			line = i
		}
		if i > 0 && startsWithSpace(text[i:]) {
			word = i
		}
		if units+size > limit {
			break
		}
		i += n
		units += size
	}
	switch {
	case i == len(text):
		return i
	case line > 0:
		return line
	case word > 0:
		return word
	default:
		return i
	}
}

func startsWithSpace(text string) bool {
	for _, r := range text {
		return unicode.IsSpace(r)
	}
	return false
}

// visible reports whether Telegram sees something in text. Its servers call a
// message empty that holds only spaces, control and formatting characters, and
// a few others that they remove or that look like nothing.
func visible(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return !blank(r) })
}

func blank(r rune) bool {
	switch r {
	case '\u030A', '\u0333', '\u033F', '\u2800', '\uFFFC':
		return true
	}
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}
