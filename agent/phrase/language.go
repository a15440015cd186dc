package phrase

import (
	"strings"
	"unicode"
)

// common are words that tell the languages apart in a short text.
var common = map[string][]string{
	"en": strings.Fields("the is are my what when where who how why do does did you your i it and of to was have has with for not this that me no on or be we"),
	"de": strings.Fields("der die das ist sind mein meine meinen ich du dein wie was wann wo wer warum und nicht ein eine einen mir mich mit für auf zu hat habe heute es im"),
	"es": strings.Fields("el la los las es son mi mis tu qué que cómo dónde cuándo quién cuál y no un una me se con para por en del tengo hoy yo nada recuerdas siempre nunca español"),
	"fr": strings.Fields("le la les est sont mon ma mes je tu ton ta quel quelle où quand qui comment et un une ce cette des du pour avec dans pas me toujours jamais réponds français"),
}

// language returns the language whose common words a text holds most of, or ""
// if none leads.
func language(text string) string {
	if chineseScript(text) {
		return "zh"
	}
	words := map[string]int{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		words[w]++
	}
	best, most, tie := "", 0, false
	for lang, list := range common {
		n := 0
		for _, w := range list {
			n += words[w]
		}
		if n > most {
			best, most, tie = lang, n, false
		} else if n == most {
			tie = true
		}
	}
	if tie {
		return ""
	}
	return best
}

// chineseScript tells Chinese from Japanese and Korean, which also use Han
// characters.
func chineseScript(text string) bool {
	han := false
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			return false
		case unicode.Is(unicode.Han, r):
			han = true
		}
	}
	return han
}
