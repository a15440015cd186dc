package distill

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"nacre/memory/canon"
)

// How long slugs become.
const (
	maxSlug  = 64 // characters, as memory allows
	maxWords = 6  // of those that are made of a text
)

// slug joins words by dashes, as many as fit.
func slug(words []string) string {
	var out strings.Builder
	size := 0
	for _, w := range words {
		w = cut(strings.Map(letter, w), maxSlug)
		n := utf8.RuneCountInString(w)
		if w == "" || size > 0 && size+1+n > maxSlug {
			continue
		}
		if size > 0 {
			out.WriteByte('-')
			size++
		}
		out.WriteString(w)
		size += n
	}
	return out.String()
}

// letter keeps what slugs are made of. Folded case is small letters but in
// Cherokee.
func letter(r rune) rune {
	if unicode.In(r, unicode.L, unicode.N, unicode.M) {
		return unicode.ToLower(r)
	}
	return -1
}

// cut shortens a word, such as a run of Chinese, to so many characters.
func cut(word string, most int) string {
	if r := []rune(word); len(r) > most {
		return string(r[:most])
	}
	return word
}

// salient are the first words of a text that carry meaning, as they are written;
// all of them, if none does.
func salient(text, lang string) []string {
	all := strings.Fields(canon.Form(text))
	var words []string
	for _, w := range all {
		if len(canon.Words(w, []string{lang})) > 0 {
			words = append(words, strings.TrimPrefix(strings.TrimPrefix(w, "我"), "的"))
		}
	}
	if len(words) == 0 {
		words = all
	}
	return words[:min(len(words), maxWords)]
}
