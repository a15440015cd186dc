package moving

import (
	"iter"
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

// maxHeading is how many bytes of a heading can be put before what stands below it.
const maxHeading = 100

// heading is the text of a heading that can be put before what stands below it; empty
// if it is too long for that.
func (l line) heading() string {
	if len(l.text) > maxHeading {
		return ""
	}
	return l.text
}

// linesOf are the lines of a text, numbered from 1.
func linesOf(text string) iter.Seq[line] {
	return func(yield func(line) bool) {
		number := 0
		for raw := range strings.Lines(text) {
			number++
			if !yield(lineOf(strings.TrimRight(raw, "\r\n"), number)) {
				return
			}
		}
	}
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

// bold is a line that is all in bold.
var bold = regexp.MustCompile(`^(?:\*\*([^*]+)\*\*|__([^_]+)__):?$`)

// boldLevel is the level of headings that have no sign of one: below all that do.
const boldLevel = 7

// headed is a line as people mean it who write headings without signs: one that is all
// in bold, unless that is a sentence, and one that names an area and ends with a colon.
func headed(l line) line {
	if l.level > 0 || l.bullet || l.indent > 0 || len(l.text) > maxHeading {
		return l
	}
	if m := bold.FindStringSubmatch(l.text); m != nil {
		if text := strings.TrimSpace(m[1] + m[2]); says(text) && !ended(text) {
			l.level, l.text = boldLevel, text
		}
		return l
	}
	if text, ok := strings.CutSuffix(l.text, ":"); ok {
		if _, known := areaOf(text); known {
			l.level, l.text = boldLevel, text
		}
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
