package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// sheet prints a diagnosis: in a terminal in colour and wrapped, else plain and
// a line for each finding.
type sheet struct {
	out   io.Writer
	rich  bool
	width int // columns; 0 wraps nothing
}

func newSheet(c call) *sheet {
	s := &sheet{out: c.out}
	if f, ok := c.out.(*os.File); ok && isTerminal(f) {
		s.rich = c.getenv("NO_COLOR") == "" && c.getenv("TERM") != "dumb"
		s.width, _, _ = term.GetSize(int(f.Fd()))
	}
	return s
}

func (s *sheet) print(d diagnosis) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Nacre %s, built with %s for %s\n", d.Version, d.Go, d.Platform)
	for i, done := range d.Fixed {
		if i == 0 {
			fmt.Fprintf(&b, "\n%s\n", s.paint("1", "Fixed"))
		}
		fmt.Fprintf(&b, "  %s\n", done)
	}
	names := 0
	for _, f := range d.Findings {
		names = max(names, len(f.Name))
	}
	group := ""
	for _, f := range d.Findings {
		if f.Group != group {
			group = f.Group
			fmt.Fprintf(&b, "\n%s\n", s.paint("1", group))
		}
		s.line(&b, f, names)
	}
	b.WriteString("\n")
	if d.count(problem) == 0 {
		fmt.Fprintf(&b, "Nacre is well: %s.\n", d.summary())
	}
	_, err := io.WriteString(s.out, b.String())
	return err
}

// line writes one finding under the names of all.
func (s *sheet) line(b *strings.Builder, f finding, names int) {
	mark := s.mark(f.Level)
	indent := 2 + mark.columns + 2 + names + 2
	text := f.Found
	if f.Do != "" {
		text += "; " + f.Do
	}
	fmt.Fprintf(b, "  %s  %-*s  ", mark.text, names, f.Name)
	for i, row := range wrap(text, s.width-indent) {
		if i > 0 {
			fmt.Fprintf(b, "%*s", indent, "")
		}
		b.WriteString(row + "\n")
	}
}

// mark is a sign for a level, and how wide it is on the screen.
type mark struct {
	text    string
	columns int
}

func (s *sheet) mark(l level) mark {
	plain, sign, colour := "ok  ", "✓", "32"
	switch l {
	case warning:
		plain, sign, colour = "warn", "!", "33"
	case problem:
		plain, sign, colour = "FAIL", "✗", "31"
	}
	if s.rich {
		return mark{s.paint(colour, sign), 1}
	}
	return mark{plain, len(plain)}
}

// paint puts a text between a colour and its end.
func (s *sheet) paint(code, text string) string {
	if !s.rich {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// narrow is the least width at which wrapping makes anything better.
const narrow = 30

// wrap cuts a text into rows at its spaces.
func wrap(text string, width int) []string {
	if width < narrow {
		return []string{text}
	}
	var rows []string
	row := ""
	for _, word := range strings.Fields(text) {
		if row != "" && len([]rune(row))+1+len([]rune(word)) > width {
			rows = append(rows, row)
			row = ""
		}
		if row != "" {
			row += " "
		}
		row += word
	}
	return append(rows, row)
}
