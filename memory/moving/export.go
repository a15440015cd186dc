package moving

import (
	"html"
	"regexp"
	"strings"

	"nacre/memory"
)

// The form of Nacre's own export; memory/render writes it.
const (
	exportTitle  = "# Everything I remember"
	privateScope = "In your private chats"
)

var exportItem = regexp.MustCompile(`^\*\*([^*]+)\*\*: (.*)$`)

// exported reports whether Nacre wrote a text.
func exported(text string) bool {
	first, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(first) == exportTitle
}

// export reads what Nacre exported, with what it says of each note, up to a note more
// than MaxNotes.
func export(text string) []Note {
	var notes []Note
	private, area := false, memory.About
	for l := range linesOf(text) {
		if len(notes) > MaxNotes {
			break
		}
		m := exportItem.FindStringSubmatch(l.text)
		switch {
		case l.level == 2:
			private = l.text == privateScope
		case l.level == 3:
			area, _ = areaOf(l.text)
		case l.bullet && l.indent == 0 && m != nil:
			n := Note{Line: l.number, Draft: memory.Draft{Area: area, Slug: memory.Slug(unescaped(m[1])), Text: unescaped(m[2])}}
			if !private {
				n.Left = ofGroup
			}
			notes = append(notes, n)
		case l.bullet && l.indent > 0 && len(notes) > 0:
			notes[len(notes)-1].learn(l.text)
		}
	}
	return notes
}

// learn takes over what an export says of a note.
func (n *Note) learn(fact string) {
	d := &n.Draft
	what, value, _ := strings.Cut(fact, ": ")
	switch what {
	case "Dates":
		for date := range strings.SplitSeq(value, "; ") {
			learnDate(d, date)
		}
	case "In short":
		d.Abstract = unescaped(value)
	case "Kind":
		d.Kind = memory.Kind(value)
	case "Names":
		d.Entities = strings.Split(unescaped(value), ", ")
	case "Sensitive":
		n.Sensitive = true
	default:
		n.settle(fact)
	}
}

// settle leaves out a note that was not in use.
func (n *Note) settle(state string) {
	status, _, _ := strings.Cut(state, ";")
	status, _, _ = strings.Cut(status, ":")
	if (status == "Let go" || status == "Waiting for you") && n.Left == "" {
		n.Left = letGo
	}
}

// learnDate reads one of the dates of a note: "since 2024-03", "2012–2024", "until
// 2024", "in 2026-05", "on 2026-05-01 09:30", "expires 2027".
func learnDate(d *memory.Draft, said string) {
	what, date, _ := strings.Cut(said, " ")
	date = strings.Replace(date, " ", "T", 1)
	switch what {
	case "since":
		d.From = date
	case "until":
		d.To = date
	case "in", "on":
		d.Event = date
	case "expires":
		d.Expires = date
	default:
		from, to, _ := strings.Cut(said, "–")
		d.From, d.To = strings.Replace(from, " ", "T", 1), strings.Replace(to, " ", "T", 1)
	}
}

// written is what render writes for a character that Markdown would take for its
// own, or that nobody would see.
var written = regexp.MustCompile("\\\\[`\\\\*_[~|]|<br>|&lt;|&amp;|&#x[0-9A-F]{1,6};")

// unescaped is what a text was before render wrote it.
func unescaped(text string) string {
	return written.ReplaceAllStringFunc(text, func(s string) string {
		switch s[0] {
		case '\\':
			return s[1:]
		case '<':
			return "\n"
		}
		return html.UnescapeString(s)
	})
}
