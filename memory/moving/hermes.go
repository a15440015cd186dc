package moving

import (
	"strings"

	"nacre/memory"
)

// section is what stands between the entries of a memory of Hermes, on a line alone.
const section = "§"

// separated reports whether a text is entries with sections between.
func separated(lines []string) bool {
	for _, l := range lines {
		if strings.TrimSpace(l) == section {
			return true
		}
	}
	return false
}

// sections reads the entries of a memory of Hermes, up to one more than MaxNotes. One may
// have many lines, which become one.
func sections(lines []string) []Note {
	var list []Note
	begin, words := 0, []string(nil)
	end := func() {
		if text := strings.Join(words, " "); says(text) {
			list = append(list, Note{Line: begin, Draft: memory.Draft{Area: memory.About, Text: text}})
		}
		words = nil
	}
	for i, raw := range lines {
		if len(list) > MaxNotes {
			break
		}
		l := lineOf(raw, i+1)
		switch {
		case l.text == section:
			end()
		case l.text != "":
			if words == nil {
				begin = l.number
			}
			words = append(words, l.text)
		}
	}
	end()
	name(list)
	return list
}
