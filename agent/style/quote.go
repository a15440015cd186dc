package style

import (
	"slices"
	"strings"
	"unicode/utf8"

	"nacre/memory/canon"
)

// How many words in a row are a quotation of a letter; of writing without spaces,
// characters. Any fewer are in most letters.
const (
	quotedWords      = 5
	quotedCharacters = 8
)

// How much may stand between quotation marks: a greeting.
const (
	maxQuoteWords      = 4
	maxQuoteCharacters = 8
)

// quotes reports whether a text repeats words of a letter, whatever stands between
// them and however they are written.
func (c *corpus) quotes(text string) bool {
	grams := grams(text)
	return len(grams) > 0 && slices.ContainsFunc(c.pieces, func(list []string) bool { return shares(list, grams) })
}

// grams are all runs of pieces of a text that would be a quotation.
func grams(text string) set {
	all, list := set{}, pieces(text)
	for i := range list {
		if g, ok := gram(list[i:]); ok {
			all[g] = true
		}
	}
	return all
}

func shares(list []string, grams set) bool {
	for i := range list {
		if g, ok := gram(list[i:]); ok && grams[g] {
			return true
		}
	}
	return false
}

// pieces are the words of a text in canonical form, and the single characters of
// writing without spaces. They have a letter or digit in them: what stands between
// two words does not part them.
func pieces(text string) []string {
	var list []string
	for word := range strings.FieldsSeq(canon.Form(text)) {
		if !strings.ContainsFunc(word, letter) {
			continue
		}
		from := 0
		for i, r := range word {
			if canon.Unspaced(r) {
				if from < i {
					list = append(list, word[from:i])
				}
				from = i + utf8.RuneLen(r)
				list = append(list, word[i:from])
			}
		}
		if from < len(word) {
			list = append(list, word[from:])
		}
	}
	return list
}

// gram is the run of pieces at the beginning of a list that would be a quotation;
// false if there are too few. A character without spaces weighs less than a word.
func gram(list []string) (string, bool) {
	weight := 0
	for i, p := range list {
		if pairless(p) {
			weight += quotedCharacters
		} else {
			weight += quotedWords
		}
		if weight >= quotedWords*quotedCharacters {
			return strings.Join(list[:i+1], " "), true
		}
	}
	return "", false
}

// longQuote reports whether more stands between quotation marks than a greeting, or
// something that does not end.
func longQuote(text string) bool {
	open, from := false, 0
	for i, r := range text {
		if !quotationMark(r) {
			continue
		}
		if open && !greetingLong(text[from:i]) {
			return true
		}
		open, from = !open, i+utf8.RuneLen(r)
	}
	return open
}

func greetingLong(quoted string) bool {
	words, characters := 0, 0
	for _, p := range pieces(quoted) {
		if pairless(p) {
			words++
		} else {
			characters++
		}
	}
	return words <= maxQuoteWords && characters <= maxQuoteCharacters
}
