package notebook

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"nacre"
	"nacre/agent/phrase"
)

// wished is what the newest message with words of the owner's own asks for. Only
// what they typed counts: not what they quote, forward or pressed, and not what
// a machine heard, which may be misheard. In a group the gateway lets nobody's
// words in but the owner's.
type wished struct {
	forget string      // what is to be forgotten, in their words; empty for nothing
	memory phrase.Wish // what they want of memory as a whole
	asking []nacre.MessageID
}

// wishOf reads the owner's newest own words.
func wishOf(c nacre.Caller) wished {
	for _, m := range slices.Backward(c.Said) {
		if m.Text() == "" {
			continue
		}
		w := readWish(m.Typed())
		if w.forget != "" || w.memory != phrase.NoWish {
			w.asking = []nacre.MessageID{m.ID}
		}
		return w
	}
	return wished{}
}

// maxPlea is the length, in characters, of a message that may ask for something
// behind its first sentence. A longer one may be a text that was pasted.
const maxPlea = 300

// readWish reads a message sentence by sentence.
func readWish(text string) (w wished) {
	list := sentences(text)
	list = list[:min(1, len(list))]
	if utf8.RuneCountInString(text) <= maxPlea {
		list = append(list, sentences(quotation.ReplaceAllString(text, " "))...)
	}
	var forget []string
	for _, s := range list {
		if in := phrase.Parse(s); in.Kind == phrase.Forget && !slices.Contains(forget, in.Payload) {
			forget = append(forget, in.Payload)
		}
		if w.memory == phrase.NoWish {
			w.memory = phrase.Wished(s)
		}
	}
	w.forget = strings.Join(forget, "\n")
	return w
}

func sentences(text string) []string {
	var list []string
	for _, s := range phrase.Sentences(text) {
		list = append(list, text[s.Start:s.End])
	}
	return list
}

// quotation is what somebody repeats of others, by the marks around it or the
// one in front of a line.
var quotation = regexp.MustCompile("(?m)\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」|『[^』]*』|`[^`]*`|^[ \t]*>.*$")

// attended reports whether a person has a part in this turn. What Nacre begins by
// itself, such as a scheduled run, may change nothing and ask nothing.
func attended(c nacre.Caller) bool {
	return slices.ContainsFunc(c.Said, func(m nacre.Message) bool {
		return !slices.ContainsFunc(m.Segments, func(s nacre.Segment) bool { return s.Provenance == nacre.BySystem })
	})
}
