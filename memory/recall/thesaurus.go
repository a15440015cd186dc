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

// thesaurus maps a term to those of other words for the same thing.
var thesaurus = sync.OnceValue(func() map[string][]string {
	kin := map[string][]string{}
	analyzers := map[string]*terms.Analyzer{}
	for line := range strings.Lines(thesaurusText) {
		language, words, _ := strings.Cut(strings.TrimSpace(line), " ")
		if language == "" || language == "#" {
			continue
		}
		if analyzers[language] == nil {
			analyzers[language] = terms.New([]string{language})
		}
		group := groupOf(analyzers[language], words)
		for _, term := range group {
			kin[term] = append(kin[term], group...)
		}
	}
	return kin
})

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

// related returns terms of other words for what one of these terms stands for.
func related(alternatives []string) []string {
	var kin []string
	for _, term := range alternatives {
		for _, other := range thesaurus()[term] {
			if !slices.Contains(alternatives, other) && !slices.Contains(kin, other) {
				kin = append(kin, other)
			}
		}
	}
	return kin
}
