package recall

import (
	_ "embed" // the thesaurus
	"slices"
	"strings"
	"sync"

	"nacre/memory/recall/terms"
)

//go:embed thesaurus.txt
var thesaurusText string

// kinship says which terms are of other words for the same thing, and which of
// things of a kind.
type kinship struct{ same, narrower map[string][]string }

var thesaurus = sync.OnceValue(func() kinship {
	kin := kinship{map[string][]string{}, map[string][]string{}}
	analyzers := map[string]*terms.Analyzer{}
	for line := range strings.Lines(thesaurusText) {
		language, words, _ := strings.Cut(strings.TrimSpace(line), " ")
		if language == "" || language == "#" {
			continue
		}
		if analyzers[language] == nil {
			analyzers[language] = terms.New([]string{language})
		}
		kin.add(analyzers[language], words)
	}
	return kin
})

// add takes in a line without its language.
func (k kinship) add(a *terms.Analyzer, words string) {
	words, things, isKind := strings.Cut(words, " > ")
	group, to := groupOf(a, words), k.same
	others := group
	if isKind {
		others, to = groupOf(a, things), k.narrower
	}
	for _, term := range group {
		to[term] = append(to[term], others...)
	}
}

// groupOf is the terms of some words; of a word of two characters that is written
// without spaces it is the pair.
func groupOf(a *terms.Analyzer, words string) []string {
	var group []string
	for word := range strings.FieldsSeq(words) {
		tokens := a.Doc(word)
		longest := slices.MaxFunc(tokens, func(a, b terms.Token) int { return len(a.Term) - len(b.Term) })
		group = append(group, longest.Term)
	}
	return group
}

// related returns terms of other words for what one of these terms stands for,
// and of things of the kind that one of them names.
func related(alternatives []string) (same, things []string) {
	same = kinOf(alternatives, thesaurus().same, nil)
	return same, kinOf(alternatives, thesaurus().narrower, same)
}

// kinOf is what some terms are mapped to, without themselves and what is known.
func kinOf(alternatives []string, kin map[string][]string, known []string) []string {
	var list []string
	for _, term := range alternatives {
		for _, other := range kin[term] {
			if !slices.Contains(alternatives, other) && !slices.Contains(known, other) && !slices.Contains(list, other) {
				list = append(list, other)
			}
		}
	}
	return list
}
