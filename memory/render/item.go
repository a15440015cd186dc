package render

import (
	"strings"

	"nacre/memory"
)

// Item is the line of one note, as the section of a prompt has it: its place, its
// text on one line, when it holds and whether it is certain. Tools give it to
// models.
func Item(n *memory.Note) string {
	e := entry{note: n}
	e.show(n.Text, "")
	return strings.TrimSuffix(e.line, "\n")
}
