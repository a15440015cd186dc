package offline

import (
	"regexp"
	"strings"
)

// note is one thing that is remembered of the person.
type note struct {
	place string // such as about/bike
	text  string
}

// noteLine is a line of the memory section of prompts, as memory/render writes
// it: a place, and on the rest of the line the text with what could break it
// escaped as in HTML.
var noteLine = regexp.MustCompile(`^([a-z]+/[^\s:]+): (.+)$`)

// remembered reads the notes between "<memory-…>" and its closing tag; none if
// there is no such section.
func remembered(system string) []note {
	at := strings.LastIndex(system, "\n<memory-")
	if at < 0 {
		return nil
	}
	var notes []note
	for line := range strings.Lines(section(system[at:], "memory-")) {
		if m := noteLine.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			notes = append(notes, note{m[1], unescaped(m[2])})
		}
	}
	return notes
}

// best returns the note that shares most words with a question, the first of
// equals, and how many, or "". The name of its place counts as well; of the words
// of a question it must share as many as what was said (see recall).
func best(notes []note, question string) (text string, most int) {
	asked := words(question)
	if len(asked) == 0 {
		return "", 0
	}
	most = fewest(asked)
	for _, n := range notes {
		_, slug, _ := strings.Cut(n.place, "/")
		if common := shared(asked, words(slug+" "+n.text)); common > most {
			text, most = n.text, common
		}
	}
	return text, most
}
