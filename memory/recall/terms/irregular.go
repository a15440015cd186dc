package terms

import (
	"strings"

	"github.com/blevesearch/snowballstem"
)

// lexicon holds what the stemmer of a language cannot know.
type lexicon struct {
	forms map[string]string // of a whole word, the stem of its base
	stems map[string]string // of a stem, the stem of its base
}

// newLexicon reads lists of words, a base before its forms, with commas between.
// Forms that nothing else looks like are known in every inflection; others as
// they stand only.
func newLexicon(stem func(string) string, inflected, asTheyStand string) *lexicon {
	x := &lexicon{forms: map[string]string{}, stems: map[string]string{}}
	entries(inflected, func(base, form string) {
		x.forms[form] = stem(base)
		x.stems[stem(form)] = stem(base)
	})
	entries(asTheyStand, func(base, form string) { x.forms[form] = stem(base) })
	return x
}

func entries(list string, yield func(base, form string)) {
	for entry := range strings.SplitSeq(list, ",") {
		words := strings.Fields(entry)
		for _, form := range words[min(1, len(words)):] {
			yield(words[0], form)
			if plain := fold(form); plain != form {
				yield(words[0], plain)
			}
		}
	}
}

// irregular reports whether a word is one of the forms.
func (x *lexicon) irregular(word string) bool {
	_, ok := x.forms[word]
	return ok
}

// snowball returns the stem that a Snowball stemmer gives a word, without
// accents.
func snowball(stemmer func(*snowballstem.Env) bool, word string) string {
	env := snowballstem.NewEnv(word)
	stemmer(env)
	return fold(env.Current())
}
