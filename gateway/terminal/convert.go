package terminal

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"nacre"
	"nacre/gateway/live"
)

// maxPart is the longest part in characters (runes). A screen has no such
// limit; this one keeps frames and redraws small.
const maxPart = 16_000

// localChat is the one chat of this channel: whoever can open the server's
// socket is the operator, in however many windows.
var localChat = nacre.Chat{Channel: nacre.Terminal, ID: "local"}

// message is what a say frame means.
func message(f frame, now time.Time) nacre.Message {
	return nacre.Message{
		Chat:     localChat,
		External: nacre.ExternalID(f.ID),
		Author:   nacre.LocalAddress(nacre.Terminal),
		Private:  true,
		Sent:     now,
		Received: now,
		Segments: []nacre.Segment{{Provenance: nacre.ByOwner, Text: f.Text}},
	}
}

// Render leaves Markdown as it is, for the chat to show, and takes out what a
// terminal would obey. A text of more than 16,000 characters is cut at a line
// or word where there is one.
func (c *Channel) Render(r nacre.Reply) []nacre.Part {
	var parts []nacre.Part
	for _, piece := range split(clean(withOptions(r)), maxPart) {
		if live.Visible(piece) {
			parts = append(parts, nacre.Part{Text: piece})
		}
	}
	for _, f := range r.Files {
		parts = append(parts, fileParts(f)...)
	}
	return parts
}

// maxFilePart is the longest piece of a file in characters. Written as JSON one
// takes six bytes at most, so that a piece always fits into a frame.
const maxFilePart = 100_000

// fileParts are a text file, in pieces where it is long. Of another file there is
// nothing to show but its name.
func fileParts(f nacre.File) []nacre.Part {
	name := strings.Join(strings.Fields(clean(f.Name)), " ")
	text := clean(string(f.Data))
	if !utf8.Valid(f.Data) || !live.Visible(text) {
		return []nacre.Part{{Text: name + ": a file that a terminal cannot show."}}
	}
	var parts []nacre.Part
	for _, piece := range split(text, maxFilePart) {
		parts = append(parts, nacre.Part{File: &nacre.File{Name: name, MIME: f.MIME, Data: []byte(piece)}})
	}
	return parts
}

// withOptions is a reply's text, with the answers to choose from where there
// are some. Whoever chooses types.
func withOptions(r nacre.Reply) string {
	var b strings.Builder
	b.WriteString(r.Text)
	for i, o := range r.Options {
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString("\n- " + o)
	}
	return b.String()
}

// clean removes every control character (C0, DEL, C1) except newline and tab,
// because replies may quote strangers and a terminal obeys escape sequences.
// Bytes that are no UTF-8, which alone may be C1 codes too, become U+FFFD.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
}

// split cuts text into pieces of at most limit runes, dropping only line ends
// around a cut.
func split(text string, limit int) []string {
	var pieces []string
	for utf8.RuneCountInString(text) > limit {
		at := cut(text, limit)
		pieces = append(pieces, strings.TrimRight(text[:at], "\n"))
		text = strings.TrimLeft(text[at:], "\n")
	}
	return append(pieces, text)
}

// cut returns the byte offset at which a piece of at most limit runes ends:
// after the last newline in its second half, else after the last space there,
// else before a rune that stands by itself.
func cut(text string, limit int) int {
	end, half := runeOffset(text, limit), runeOffset(text, limit/2)
	for _, sep := range []string{"\n", " "} {
		if i := strings.LastIndex(text[half:end], sep); i >= 0 {
			return half + i + 1
		}
	}
	for at := end; at > half; {
		r, _ := utf8.DecodeRuneInString(text[at:])
		before, size := utf8.DecodeLastRuneInString(text[:at])
		if !joins(r) && before != zeroWidthJoiner {
			return at
		}
		at -= size
	}
	return end
}

const zeroWidthJoiner = '\u200d'

// joins reports whether r belongs to the character before it: a combining mark,
// a skin tone, or the glue of an emoji sequence.
func joins(r rune) bool {
	return r == zeroWidthJoiner || unicode.Is(unicode.M, r) || unicode.Is(unicode.Sk, r)
}

// runeOffset returns where the n-th rune of text begins; text has more.
func runeOffset(text string, n int) int {
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}
