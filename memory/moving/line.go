package moving

import (
	"regexp"
	"strings"
)

// line is a line of a text.
type line struct {
	number int
	level  int  // of a heading; 0 for none
	bullet bool // it begins an item of a list
	indent int  // columns before it
	text   string
}

// The forms of lines, as in https://spec.commonmark.org/0.31.2/, with the bullets
// that people paste besides.
var (
	headings = regexp.MustCompile(`^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*$`)
	bullets  = regexp.MustCompile(`^(?:[-*+•◦▪‣–]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(.*)$`)
)

// linesOf reads the lines of a text, numbered from 1.
func linesOf(text string) []line {
	var list []line
	for raw := range strings.Lines(text) {
		list = append(list, lineOf(strings.TrimRight(raw, "\r\n"), len(list)+1))
	}
	return list
}

func lineOf(raw string, number int) line {
	if m := headings.FindStringSubmatch(raw); m != nil {
		return line{number: number, level: len(m[1]), text: m[2]}
	}
	text := strings.TrimSpace(raw)
	l := line{number: number, indent: indent(raw), text: text}
	if m := bullets.FindStringSubmatch(text); m != nil {
		l.bullet, l.text = true, strings.TrimSpace(m[1])
	}
	return l
}

// tabStop is how many columns a tab goes on to.
const tabStop = 4

// indent counts the columns before a text.
func indent(raw string) int {
	n := 0
	for _, r := range raw {
		switch r {
		case ' ':
			n++
		case '\t':
			n += tabStop - n%tabStop
		default:
			return n
		}
	}
	return n
}
