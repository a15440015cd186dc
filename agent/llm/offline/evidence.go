package offline

import (
	"html"
	"regexp"
	"strings"
)

// earlier is something that the person said long ago.
type earlier struct {
	day  string // YYYY-MM-DD, and in brackets to whom, if that was another assistant
	text string
}

// Lines of the evidence at the end of a request, as agent/recollect writes it: with
// where the words are from, and on the rest of the line the words with what could
// break it escaped as in HTML. Words of the assistant and of others are none that are
// quoted as the person's.
var (
	foundNote    = regexp.MustCompile(`^note ([a-z]+/[^\s:,]+), [^:]+: (.+)$`)
	foundMessage = regexp.MustCompile(`^[A-Z][a-z]{2} (\d{4}-\d\d-\d\d) \d\d:\d\d, they said(?: to ([^:]+))?: (.+)$`)
)

// evidence reads what stands between "<evidence-…>" and its closing tag; nothing if
// there is no such section.
func evidence(tail string) (notes []note, said []earlier) {
	for line := range strings.Lines(section("\n"+tail, "evidence-")) {
		line = strings.TrimSpace(line)
		if m := foundNote.FindStringSubmatch(line); m != nil {
			notes = append(notes, note{m[1], unescaped(m[2])})
		}
		if m := foundMessage.FindStringSubmatch(line); m != nil {
			day := m[1]
			if m[2] != "" {
				day += " (" + unescaped(m[2]) + ")"
			}
			said = append(said, earlier{day, unescaped(m[3])})
		}
	}
	return notes, said
}

// section is what stands between the first line "<name…>" of a text and its closing
// tag; empty if it does not end.
func section(text, name string) string {
	_, rest, _ := strings.Cut(text, "\n<"+name)
	mark, rest, _ := strings.Cut(rest, ">\n")
	inner, _, closed := strings.Cut(rest, "\n</"+name+mark+">")
	if !closed {
		return ""
	}
	return inner
}

// unescaped is a text on one line as it was before it was escaped.
func unescaped(text string) string {
	return html.UnescapeString(strings.ReplaceAll(text, "<br>", " "))
}

// closest returns what was said earlier that shares most words with a question, the
// latest of equals, and how many; see recall. What alone was found is what is meant,
// though its words may be spelled in another way.
func closest(said []earlier, question string) (best earlier, most int) {
	asked := words(question)
	if len(asked) == 0 {
		return earlier{}, 0
	}
	most = fewest(asked)
	for i := len(said) - 1; i >= 0; i-- {
		if strings.HasSuffix(said[i].text, "?") || strings.HasSuffix(said[i].text, "？") {
			continue // what was asked is no answer
		}
		if n := shared(asked, words(said[i].text)); n > most {
			best, most = said[i], n
		}
	}
	if len(said) == 1 && best.text == "" && !strings.HasSuffix(said[0].text, "?") {
		return said[0], most + 1
	}
	return best, most
}
