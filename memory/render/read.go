package render

import (
	"slices"
	"strings"

	"nacre/memory"
)

// Line is one line of the generated section of MEMORY.md, as it was found there.
type Line struct {
	Number int         // in the file, from 1
	Slot   memory.Slot // private; without a slug if the line has no name, zero if it is no note, or under the heading of no area
	Text   string      // of the note, with its line breaks; of what is no note, the line itself
	Pinned bool        // it stands under the heading of the pinned ones
}

// Lines reads the notes of the generated section of a MEMORY.md back, and with
// them whatever else people wrote into it, for whoever reports that. Lines that
// an editor wrapped are joined if they are indented. NotFound means that the
// file has no such section, which says nothing about its notes; the other error
// is that of File.
func Lines(file string) ([]Line, error) {
	s, err := find(file)
	if err != nil {
		return nil, err
	}
	r := reader{number: strings.Count(file[:s.inner], "\n")}
	for line := range strings.Lines(file[s.inner:s.outer]) {
		r.number++
		r.read(line)
	}
	return r.lines, nil
}

// reader reads a generated section line by line.
type reader struct {
	number int
	lines  []Line
	open   bool // the last of lines is a note that may go on
	pinned bool // under which heading it is
	area   memory.Area
}

func (r *reader) read(raw string) {
	line := strings.TrimSpace(uncommented(raw))
	item, isItem := itemOf(line)
	switch title, isTitle := strings.CutPrefix(line, "## "); {
	case line == "":
		r.open = r.open && strings.TrimSpace(raw) != ""
	case isTitle && r.enter(strings.TrimSpace(title)):
		r.open = false
	case isItem:
		slot, words := r.place(item)
		r.add(Line{Slot: slot, Text: unescaped(words)})
		r.open = true
	case r.open && strings.ContainsAny(raw[:1], " \t"):
		r.lines[len(r.lines)-1].Text += " " + unescaped(line)
	default:
		r.add(Line{Text: line})
	}
}

// enter notes under which heading the next lines are; false if it is none of
// ours, and then they are nowhere.
func (r *reader) enter(title string) bool {
	r.pinned, r.area = strings.EqualFold(title, pinnedTitle), areaOf(title)
	return r.pinned || r.area != ""
}

func (r *reader) add(l Line) {
	l.Number, l.Pinned = r.number, r.pinned
	r.lines, r.open = append(r.lines, l), false
}

// place reads where an item belongs, from its name and its heading. A name has
// no spaces; the area in it counts more than that of the heading.
func (r *reader) place(item string) (slot memory.Slot, words string) {
	area := r.area
	name, rest, named := strings.Cut(item, ":")
	if !named || name == "" || strings.ContainsAny(name, " \t") || rest != "" && !strings.ContainsAny(rest[:1], " \t") {
		name, rest = "", item
	}
	if first, slug, ok := strings.Cut(name, "/"); ok && areaOf(first) != "" {
		area, name = areaOf(first), slug
	}
	if area == "" {
		return memory.Slot{}, item
	}
	return memory.Slot{Area: area, Slug: memory.Slug(name)}, strings.TrimSpace(rest)
}

// areaOf is the area of a name, in whatever case; empty if it is none.
func areaOf(name string) memory.Area {
	area := memory.Area(strings.ToLower(name))
	if !slices.Contains(memory.Areas, area) {
		return ""
	}
	return area
}

// itemOf is what stands behind the bullet of a line.
func itemOf(line string) (string, bool) {
	for _, bullet := range []string{"- ", "* ", "+ "} {
		if item, ok := strings.CutPrefix(line, bullet); ok {
			return strings.TrimSpace(item), true
		}
	}
	return "", false
}

// uncommented is a line without the comment at its end.
func uncommented(line string) string {
	i := strings.LastIndex(line, "<!--")
	if i < 0 || !strings.HasSuffix(strings.TrimSpace(line), markEnd) {
		return line
	}
	return line[:i]
}
