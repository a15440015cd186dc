package terminal

import (
	"regexp"
	"strings"
)

// page shows Markdown on a terminal of a width in columns. It knows what
// assistants write most: headings, lists, quotes, rules, fenced code, bold,
// italics and inline code; anything else stays as it is. Every line of the
// source begins a line on the screen. Unstyled, it only wraps, and the marks
// stay.
type page struct {
	width  int
	styled bool
}

var (
	fenceLine   = regexp.MustCompile("^\\s*(```+|~~~+)([^`]*)$")
	headingLine = regexp.MustCompile(`^ {0,3}#{1,6}\s+(.*?)(?:\s+#+)?\s*$`)
	ruleLine    = regexp.MustCompile(`^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$`)
	itemLine    = regexp.MustCompile(`^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$`)
	quoteLine   = regexp.MustCompile(`^\s*>\s?(.*)$`)
	plainLine   = regexp.MustCompile(`^(\s*)(.*)$`)
)

// render returns text ready for a terminal, each line with a newline.
func (p page) render(text string) string {
	var b strings.Builder
	fence := "" // the mark that opened the code block we are in
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		line = strings.ReplaceAll(line, "\t", "    ")
		mark := fenceLine.FindStringSubmatch(line)
		switch {
		case fence == "" && mark != nil:
			fence = mark[1]
			p.fence(&b, line)
		case fence != "" && mark != nil && strings.HasPrefix(mark[1], fence) && strings.TrimSpace(mark[2]) == "":
			fence = ""
			p.fence(&b, line)
		case fence != "":
			p.code(&b, line)
		default:
			p.prose(&b, line)
		}
	}
	return b.String()
}

// fence writes the line around a code block, which styled text does without.
func (p page) fence(b *strings.Builder, line string) {
	if !p.styled {
		b.WriteString(line + "\n")
	}
}

// code writes a line of a code block. It is not wrapped, so that it can be
// copied.
func (p page) code(b *strings.Builder, line string) {
	if p.styled {
		paint(b, glyphs("  "+line, dim))
		line = ""
	}
	b.WriteString(line + "\n")
}

// prose writes any other line, wrapped, with what follows below its beginning.
func (p page) prose(b *strings.Builder, line string) {
	lead, hang, text := p.parts(line)
	width := max(p.width-len(lead), 1)
	for _, row := range wrap(text, width) {
		paint(b, lead)
		paint(b, row)
		b.WriteByte('\n')
		lead = hang
	}
}

// parts takes a line apart: what stands before its text, what stands before
// the text of the lines it wraps into, and the text. Leads have no wide
// characters.
func (p page) parts(line string) (lead, hang, text []glyph) {
	if p.styled && ruleLine.MatchString(line) {
		return nil, nil, glyphs(strings.Repeat("─", min(p.width, 40)), dim)
	}
	if m := headingLine.FindStringSubmatch(line); m != nil && p.styled {
		return nil, nil, inline(m[1], bold)
	}
	if m := itemLine.FindStringSubmatch(line); m != nil {
		lead := m[1] + p.bullet(m[2]) + " "
		return glyphs(lead, 0), glyphs(strings.Repeat(" ", len([]rune(lead))), 0), p.inline(m[3])
	}
	if m := quoteLine.FindStringSubmatch(line); m != nil {
		bar := glyphs(p.bar(), p.only(dim))
		return bar, bar, p.inline(m[1])
	}
	m := plainLine.FindStringSubmatch(line)
	indent := glyphs(m[1], 0)
	return indent, indent, p.inline(m[2])
}

func (p page) bullet(mark string) string {
	if p.styled && strings.Contains("-*+", mark) {
		return "•"
	}
	return mark
}

func (p page) bar() string {
	if p.styled {
		return "│ "
	}
	return "> "
}

// only returns s on a page that has styles.
func (p page) only(s style) style {
	if p.styled {
		return s
	}
	return 0
}

func (p page) inline(text string) []glyph {
	if p.styled {
		return inline(text, 0)
	}
	return glyphs(text, 0)
}
