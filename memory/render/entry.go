package render

import (
	"strings"

	"nacre/memory"
)

// entry is the line of a note on its way into the section.
type entry struct {
	note  *memory.Note
	fence string
	line  string // with its newline
	size  int    // of line, in characters
	short bool   // it shows the abstract
}

// ranking is entries in the order of their rank.
type ranking []entry

// entries makes the lines of ranked notes, the pinned ones apart.
func entries(notes []*memory.Note, fence string) (pinned, others ranking) {
	for _, n := range notes {
		e := entry{note: n, fence: fence}
		e.show(n.Text, "")
		if n.Pinned {
			pinned = append(pinned, e)
		} else {
			others = append(others, e)
		}
	}
	return pinned, others
}

// show makes the line of a text. A fence that somebody wrote into a note is
// no fence any more.
func (e *entry) show(text, mark string) {
	if r := remarks(e.note); r != "" {
		mark += " (" + r + ")"
	}
	line := Plain(e.note.Slot.String()+": "+text) + mark + "\n"
	if e.fence != "" && strings.Contains(line, e.fence) {
		line = strings.ReplaceAll(line, e.fence, numbered(rune(e.fence[0]))+e.fence[1:])
	}
	e.line, e.size = line, characters(line)
}

// shorten shows the abstract instead of the text, if there is one that is
// shorter.
func (e *entry) shorten() {
	whole := *e
	if e.note.Abstract == "" {
		return
	}
	if e.show(e.note.Abstract, " …"); e.size >= whole.size {
		*e = whole
		return
	}
	e.short = true
}

// fit makes entries fit into a budget. The lowest show their abstracts first;
// if that is not enough, those for which there is no room are left out.
func fit(all ranking, budget int) (in, left ranking) {
	total := 0
	for _, e := range all {
		total += e.size
	}
	for i := len(all) - 1; i >= 0 && total > budget; i-- {
		total -= all[i].size
		all[i].shorten()
		total += all[i].size
	}
	for _, e := range all {
		if e.size > budget {
			left = append(left, e)
			continue
		}
		budget -= e.size
		in = append(in, e)
	}
	return in, left
}

// notes are the notes of entries.
func (r ranking) notes() []*memory.Note {
	var all []*memory.Note
	for _, e := range r {
		all = append(all, e.note)
	}
	return all
}

// shortened counts the entries that show their abstract.
func shortened(r ranking) int {
	n := 0
	for _, e := range r {
		if e.short {
			n++
		}
	}
	return n
}

// list writes entries under a heading, and nothing for none.
func list(b *strings.Builder, heading string, r ranking) {
	if len(r) == 0 {
		return
	}
	b.WriteString(heading)
	for _, e := range r {
		b.WriteString(e.line)
	}
}
