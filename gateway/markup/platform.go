package markup

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// platform is how a network wants its messages.
type platform struct{ text, plain form }

// parts cuts rich text into messages. White space at their borders goes, save
// the indentation of code.
func (p platform) parts(r rich) []Part {
	var parts []Part
	for from := r.start(0); from < len(r.text); {
		to := from + cut(r.text[from:], p.reach(r, from)-from)
		end := from + len(strings.TrimRightFunc(r.text[from:to], unicode.IsSpace))
		if visible(r.text[from:end]) {
			parts = append(parts, Part{p.text.write(r, from, end), p.plain.write(r, from, end)})
		}
		from = r.start(to)
	}
	return parts
}

// start returns where a part begins at the earliest: behind white space, or
// behind the blank lines before code.
func (r rich) start(at int) int {
	text := at + indentation(r.text[at:])
	if text < len(r.text) && r.runs[r.run(text)].style.has(pre) {
		return at + 1 + strings.LastIndexByte(r.text[at:text], '\n')
	}
	return text
}

// reach returns how far a part that begins at from may go: at least a rune.
// Plain shows whatever there is, so no more than its room is looked at.
func (p platform) reach(r rich, from int) int {
	to := from + prefix(r.text[from:], p.plain.most.units, p.plain.unit)
	to = p.text.reach(r, from, p.plain.reach(r, from, to))
	_, size := utf8.DecodeRuneInString(r.text[from:])
	return max(to, from+size)
}
