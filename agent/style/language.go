package style

import (
	"strings"
	"sync"
	"unicode"

	"nacre/memory/canon"
)

// joining are the words of each language that only join others, in canonical form;
// of some languages more than descriptions are written in, so that those are not
// taken for their neighbours.
var joining = sync.OnceValue(func() map[string]set {
	all := map[string]set{}
	for _, lang := range []string{"en", "de", "fr", "es", "it", "pt", "nl", "sv", "da"} {
		all[lang] = set{}
		for w := range canon.StopWords(lang) {
			all[lang][canon.Form(w)] = true
		}
	}
	return all
})

// When a language counts as recognised.
const (
	hanShare   = 0.3 // of the letters are Chinese characters
	minJoining = 6   // words there are at most to one that joins others
)

// languageOf guesses the language of a text, by its script and the words that join
// others; empty if it is none of those in which we describe, or cannot be told.
func languageOf(text string) string {
	switch script(text) {
	case "han":
		return "zh"
	case "kana":
		return ""
	}
	words := strings.Fields(canon.Form(text))
	best, most, tie := "", 0, false
	for lang, list := range joining() {
		n := 0
		for _, w := range words {
			if list[w] {
				n++
			}
		}
		switch {
		case n > most:
			best, most, tie = lang, n, false
		case n == most:
			tie = true
		}
	}
	if tie || most*minJoining < len(words) || languageNames[best] == "" {
		return ""
	}
	return best
}

// script tells writing without spaces: "han" for Chinese, "kana" for Japanese and
// Korean, empty for any other.
func script(text string) string {
	letters, han := 0, 0
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			return "kana"
		case unicode.Is(unicode.Han, r):
			han, letters = han+1, letters+1
		case unicode.IsLetter(r):
			letters++
		}
	}
	if han > 0 && float64(han) >= hanShare*float64(letters) {
		return "han"
	}
	return ""
}

// languageNames are the languages of descriptions as they are called in English.
var languageNames = map[string]string{"en": "English", "de": "German", "fr": "French", "es": "Spanish", "zh": "Chinese"}
