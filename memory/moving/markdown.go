package moving

import (
	"regexp"
	"strings"
	"unicode"

	"nacre/memory"
)

// markdown reads a text of notes: headings that name areas, in English or German,
// and a list below each, of which an item is a note. What is nested in an item, or
// goes on below it, belongs to it; "key: value" gives the note its name. A text
// without any list is a note a line. Notes without an area are about the owner. What
// Nacre exported is read as such. It ends at MaxNotes; whole reports whether there are
// no more.
func markdown(text string) (list []Note, whole bool) {
	if exported(text) {
		list = export(text)
	} else {
		list = listed(text)
	}
	if len(list) > MaxNotes {
		return list[:MaxNotes], false
	}
	return list, true
}

// listed reads a text that Nacre did not write, up to a note more than MaxNotes.
func listed(text string) []Note {
	text = comment.ReplaceAllStringFunc(text, func(c string) string { return strings.Repeat("\n", strings.Count(c, "\n")) })
	d := document{area: memory.About}
	for l := range linesOf(text) {
		if d.listed = l.bullet; d.listed {
			break
		}
	}
	for l := range linesOf(text) {
		if d.take(headed(l)); len(d.notes) > MaxNotes {
			break
		}
	}
	d.end()
	name(d.notes)
	return d.notes
}

// comment is what nobody sees of a Markdown file.
var comment = regexp.MustCompile(`(?s)<!--.*?(?:-->|\z)`)

// document is a text while it is read.
type document struct {
	listed bool // its notes are items
	area   memory.Area
	level  int // of the heading that named the area
	item   *item
	notes  []Note
}

// item is an item of a list while it is read, with what is nested in it.
type item struct {
	line, indent int
	text         strings.Builder
	last         string // what was added last
	nested       bool
}

func (i *item) add(between, text string) {
	i.text.WriteString(between)
	i.text.WriteString(text)
	i.last = text
}

func (d *document) take(l line) {
	switch {
	case l.level > 0:
		d.end()
		d.enter(l)
	case l.bullet && d.item != nil && l.indent > d.item.indent:
		d.item.nest(l.text)
	case l.bullet:
		d.end()
		d.item = &item{line: l.number, indent: l.indent}
		d.item.add("", l.text)
	case !says(l.text):
	case d.item != nil && l.indent > d.item.indent:
		d.item.add(" ", l.text)
	case d.listed:
		d.end()
		d.notes = append(d.notes, Note{Line: l.number, Draft: memory.Draft{Area: d.area, Text: l.text}, Left: outside})
	default:
		d.notes = append(d.notes, Note{Line: l.number, Draft: memory.Draft{Area: d.area, Text: l.text}})
	}
}

// enter goes below a heading. One that names no area is of the area above it, if it
// stands deeper than what named that.
func (d *document) enter(l line) {
	area, known := areaOf(l.text)
	switch {
	case known:
		d.area, d.level = area, l.level
	case l.level <= d.level:
		d.area, d.level = memory.About, 0
	}
}

// nest adds an item to the one that it is nested in.
func (i *item) nest(text string) {
	switch {
	case strings.HasSuffix(i.last, ":") || ended(i.last):
		i.add(" ", text)
	case i.nested:
		i.add("; ", text)
	default:
		i.add(": ", text)
	}
	i.nested = true
}

// ended reports whether a text ends as a sentence does.
func ended(text string) bool { return text != "" && strings.ContainsAny(text[len(text)-1:], ".!?") }

// end makes a note of the item that was read.
func (d *document) end() {
	if i := d.item; i != nil && says(i.text.String()) {
		d.notes = append(d.notes, Note{Line: i.line, Draft: memory.Draft{Area: d.area, Text: i.text.String()}})
	}
	d.item = nil
}

// says reports whether a text says anything, as a line of dashes does not.
func says(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.So) })
}
