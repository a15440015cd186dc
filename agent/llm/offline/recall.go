package offline

import (
	"strings"

	"nacre/agent/phrase"
)

// recall returns the line among earlier sayings that shares most words with a
// question, and how many, or "". It must share at least half of them, besides
// words that carry no meaning; of equals the latest counts, because people correct
// themselves. What the person asked before, or wanted forgotten, is no answer.
func recall(said []saying, question string) (best string, most int) {
	asked := words(question)
	most = fewest(asked)
	if len(asked) == 0 {
		return "", 0
	}
	for i := len(said) - 1; i >= 0; i-- {
		// Reading what a saying wants is the slow part, so it comes last.
		if shared(asked, words(said[i].text)) <= most {
			continue
		}
		for line := range strings.Lines(said[i].statement()) {
			if n := shared(asked, words(line)); n > most {
				best, most = strings.TrimSpace(line), n
			}
		}
	}
	return best, most
}

// fewest is how many words of a question are too few in common with it.
func fewest(asked map[string]bool) int { return (len(asked)+1)/2 - 1 }

// statement is what a saying states about the world.
func (s *saying) statement() string {
	switch want := s.wants(); want.Kind {
	case phrase.Remember, phrase.Correct:
		return want.Payload
	case phrase.None, phrase.Preference:
		return s.text
	}
	return ""
}

func shared(a, b map[string]bool) int {
	n := 0
	for w := range a {
		if b[w] {
			n++
		}
	}
	return n
}
