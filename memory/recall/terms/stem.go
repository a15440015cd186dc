package terms

import (
	"strings"
	"unicode/utf8"
)

// minCut is how many letters are left of a word at the least when an ending is
// cut off.
const minCut = 3

// reduce returns what the forms of a word in small letters have in common.
func (l *language) reduce(word string) string {
	x := l.lexicon()
	if base, ok := x.forms[word]; ok {
		return base
	}
	stem := l.stem(word)
	if base, ok := x.stems[stem]; ok {
		return base
	}
	if l.verbs != nil {
		stem = l.verbs(x, stem)
	}
	return stem
}

// stem returns the stem of a word, without accents; the word itself if nothing
// is left.
func (l *language) stem(word string) string {
	if l.respell != nil {
		word = l.respell(word)
	}
	stem := ""
	if l.snow != nil {
		stem = snowball(l.snow, word)
	} else {
		stem = cut(fold(word), l.cut)
	}
	if stem == "" {
		return fold(word)
	}
	return stem
}

// cut returns a word without the longest of endings that leaves enough of it.
func cut(word, endings string) string {
	best := 0
	for ending := range strings.FieldsSeq(endings) {
		if len(ending) > best && strings.HasSuffix(word, ending) && utf8.RuneCountInString(word[:len(word)-len(ending)]) >= minCut {
			best = len(ending)
		}
	}
	return word[:len(word)-best]
}

// The stemmers expect accents in the endings, which many people leave out, and
// do not always give a plural the stem of its singular.

func spanishEnding(word string) string {
	return ending(word, "cion", "ción", "ciones", "ción", "sion", "sión", "siones", "sión", "dades", "dad")
}

func portugueseEnding(word string) string {
	return ending(word, "cao", "ção", "coes", "ção", "ções", "ção", "sao", "são", "soes", "são", "sões", "são")
}

// ending returns a word with the first of its endings replaced, given in pairs.
func ending(word string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		if rest, ok := strings.CutSuffix(word, pairs[i]); ok {
			return rest + pairs[i+1]
		}
	}
	return word
}

// romanianCommas writes the letters with a comma below as those with a cedilla,
// which the stemmer knows.
func romanianCommas(word string) string {
	return strings.NewReplacer("ș", "ş", "ț", "ţ").Replace(word)
}
