package main

import (
	"math/rand/v2"
	"regexp"
	"strings"
)

// longWord is one that carries meaning: other than those that join sentences, it
// has five letters and more.
var longWord = regexp.MustCompile(`\pL{5,}`)

// fillers are long words without meaning of their own.
var fillers = map[string]bool{"which": true, "where": true, "would": true, "could": true, "should": true, "their": true, "there": true, "about": true, "after": true, "before": true, "these": true, "those": true}

// misspell makes one random edit in one content word of a question: a letter left
// out, doubled, mistaken, or two swapped.
func misspell(text string, random *rand.Rand) string {
	var places [][]int
	for _, at := range longWord.FindAllStringIndex(text, -1) {
		if !fillers[strings.ToLower(text[at[0]:at[1]])] {
			places = append(places, at)
		}
	}
	if len(places) == 0 {
		return text
	}
	at := places[random.IntN(len(places))]
	return text[:at[0]] + edit([]rune(text[at[0]:at[1]]), random) + text[at[1]:]
}

// edit changes a word of two letters or more.
func edit(word []rune, random *rand.Rand) string {
	i := random.IntN(len(word) - 1)
	head, tail := string(word[:i]), string(word[i+1:])
	switch letter := string('a' + rune(random.IntN(26))); random.IntN(4) {
	case 0:
		return head + tail
	case 1:
		return head + letter + string(word[i]) + tail
	case 2:
		return head + letter + tail
	default:
		return head + string(word[i+1]) + string(word[i]) + string(word[i+2:])
	}
}
