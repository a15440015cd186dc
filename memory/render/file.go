package render

import (
	"slices"
	"strings"

	"nacre"
	"nacre/memory"
)

// The marks around the generated section of MEMORY.md. They are known by their
// beginnings; the words after these are for people, who may change them.
const (
	beginMark = "<!-- memory:begin"
	endMark   = "<!-- memory:end"
	markEnd   = "-->"

	beginLine = beginMark + " One note a line, as “- name: text”. Change, add or remove lines down to the next mark. " + markEnd
	endLine   = endMark + " " + markEnd
)

// pinnedTitle is the heading over the notes that are always at hand.
const pinnedTitle = "Pinned"

// preamble begins a file that did not exist. It is prose from then on.
const preamble = "# Memory\n\nThis is what I remember about you. What you write outside the marked section is yours: it stays as it is, and I do not learn from it.\n\n"

// File is the whole text of MEMORY.md: old with its generated section made anew
// from the live notes of the private scope, every other byte as it was. A file
// without the section gets it at its end. The error is Invalid, and says what to
// do, if old has only one of the marks, or one of them twice.
func File(old string, notes []*memory.Note) (string, error) {
	s, err := find(old)
	switch {
	case err == nil:
		return old[:s.from] + generated(notes, newline(old)) + old[s.to:], nil
	case nacre.KindOf(err) != nacre.NotFound:
		return "", err
	case old == "":
		old = preamble
	}
	nl := newline(old)
	return old + gap(old, nl) + generated(notes, nl) + nl, nil
}

// newline is how a text ends its lines.
func newline(text string) string {
	if i := strings.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// gap is what is missing for an empty line at the end of a text.
func gap(text, nl string) string {
	switch {
	case strings.HasSuffix(text, nl+nl):
		return ""
	case strings.HasSuffix(text, nl):
		return nl
	}
	return nl + nl
}

// generated is the section with its marks.
func generated(notes []*memory.Note, nl string) string {
	notes = slices.SortedFunc(slices.Values(notes), bySlot)
	lines := []string{beginLine}
	add := func(title string, some []*memory.Note, name func(memory.Slot) string) {
		if len(some) == 0 {
			return
		}
		lines = append(lines, "", "## "+title, "")
		for _, n := range some {
			lines = append(lines, bullet(n, name(n.Slot)))
		}
	}
	add(pinnedTitle, only(notes, func(n *memory.Note) bool { return n.Pinned }), memory.Slot.String)
	for _, area := range memory.Areas {
		some := only(inArea(notes, area), func(n *memory.Note) bool { return !n.Pinned })
		add(heading(area), some, func(s memory.Slot) string { return s.Slug })
	}
	return strings.Join(append(lines, "", endLine), nl)
}

// bullet is the line of a note. Its remarks are a comment, so that they are not
// taken for its text when the line is read back.
func bullet(n *memory.Note, name string) string {
	line := "- " + name + ":"
	if n.Text != "" {
		line += " " + Plain(n.Text)
	}
	if r := remarks(n); r != "" {
		line += " <!-- " + r + " " + markEnd
	}
	return line
}

// place is where the generated section of a file stands.
type place struct {
	from, inner int // the begin mark, and what follows it
	outer, to   int // the end mark, and what follows that
}

// find finds the generated section. NotFound means that there is no mark at all,
// Invalid that the marks are not as they should be.
func find(file string) (place, error) {
	begins, ends := strings.Count(file, beginMark), strings.Count(file, endMark)
	if begins+ends == 0 {
		return place{}, nacre.Errorf(nacre.NotFound, "MEMORY.md has no generated section")
	}
	s := place{from: strings.Index(file, beginMark), outer: strings.Index(file, endMark)}
	s.inner, s.to = closing(file, s.from), closing(file, s.outer)
	if begins != 1 || ends != 1 || s.inner < 0 || s.to < 0 || s.inner > s.outer {
		return place{}, nacre.Errorf(nacre.Invalid, "MEMORY.md needs its marks once each: a line %s %s before the notes, and a line %s after them; mend them, or delete both with all between them, and the section is written anew", beginMark, markEnd, endLine)
	}
	return s, nil
}

// closing is where the mark that begins at a place ends; -1 if it does not on
// its own line.
func closing(file string, at int) int {
	if at < 0 {
		return -1
	}
	line, _, _ := strings.Cut(file[at:], "\n")
	if i := strings.Index(line, markEnd); i >= 0 {
		return at + i + len(markEnd)
	}
	return -1
}
