package canon

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words returns the words that carry a text's meaning, each once, in the order
// in which they first stand: without the stop words of langs, reduced to their
// Snowball stems, numbers and names kept. Writing without spaces between words
// (Chinese, Japanese, Korean, Thai) gives pairs of characters instead.
//
// Langs are the owner's languages as ISO 639-1 codes, none meaning English;
// unknown ones are ignored. The stem of a word depends on the word and on langs
// alone, never on the text around it, so that the words of two texts compare.
func Words(text string, langs []string) []string {
	if len(langs) == 0 {
		langs = []string{"en"}
	}
	var words []string
	seen := map[string]bool{}
	add := func(w string) {
		if w != "" && !seen[w] {
			seen[w] = true
			words = append(words, w)
		}
	}
	for _, w := range tokens(text) {
		switch {
		case pairs(w.form):
			bigrams(w.form, add)
		case w.name || !stopWord(w.form, langs):
			add(stem(w.form, langs))
		}
	}
	return words
}

// Overlap returns the share of a's elements that b has too, 0 if a is empty. It
// is not symmetric: a forgotten value told within a longer story overlaps
// wholly. Elements are words or the tags of words.
func Overlap[T comparable](a, b []T) float64 {
	in := make(map[T]bool, len(b))
	for _, e := range b {
		in[e] = true
	}
	had, all := 0, map[T]bool{}
	for _, e := range a {
		if in[e] && !all[e] {
			had++
		}
		all[e] = true
	}
	if len(all) == 0 {
		return 0
	}
	return float64(had) / float64(len(all))
}

// Distinctive reports whether a value says enough to be recognised anywhere:
// two or more words with meaning, a number, or a proper name. A bare common
// word, such as a colour or a big city, is not distinctive: the same word about
// something else would be taken for it. A single capitalised word is a name
// unless it is on a short list of common ones, so that a capitalised noun
// ("Lehrer") passes for a name.
func Distinctive(value string) bool {
	content := 0
	for _, w := range tokens(value) {
		switch {
		case strings.ContainsFunc(w.form, unicode.IsDigit):
			return true
		case pairs(w.form):
			content += max(1, utf8.RuneCountInString(w.form)-1)
		case stopWord(w.form, allLanguages):
		case w.capital && !common(w.form):
			return true
		default:
			content++
		}
	}
	return content >= 2
}

// token is a word of a text.
type token struct {
	form    string
	capital bool // begins with a capital and goes on in small letters
	name    bool // capital where a sentence does not begin
}

// tokens returns the words and numbers of a text; runs of writing without
// spaces are one token each.
func tokens(text string) []token {
	var list []token
	begins := true
	for len(text) > 0 {
		from := strings.IndexFunc(text, wordRune)
		if from < 0 {
			break
		}
		begins = begins || strings.ContainsAny(text[:from], ".!?:\n。！？：")
		text = text[from:]
		to := wordEnd(text)
		word := text[:to]
		text = text[to:]
		for _, form := range strings.Fields(Form(word)) {
			capital := capitalised(word)
			list = append(list, token{form: form, capital: capital, name: capital && !begins})
		}
		begins = false
	}
	return list
}

// wordEnd returns where the word that text begins with ends: at a separator or
// symbol, or where writing with spaces meets writing without.
func wordEnd(text string) int {
	first, _ := utf8.DecodeRuneInString(text)
	unspaced := Unspaced(first)
	for i, r := range text {
		if !wordRune(r) && !ignorable(r) || (unicode.IsLetter(r) || unicode.IsNumber(r)) && Unspaced(r) != unspaced {
			return i
		}
	}
	return len(text)
}

func wordRune(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)) && !separator(r) && !ignorable(r)
}

func capitalised(word string) bool {
	first, size := utf8.DecodeRuneInString(word)
	second, _ := utf8.DecodeRuneInString(word[size:])
	return unicode.IsUpper(first) && unicode.IsLower(second)
}

// pairs reports whether a token is cut into pairs of characters.
func pairs(form string) bool {
	r, _ := utf8.DecodeRuneInString(form)
	return Unspaced(r)
}

// Unspaced reports whether a character is of a script that puts no spaces between
// words, or, in Korean, glues particles to them.
func Unspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// particles are the Chinese and Japanese characters that carry no meaning of
// their own and end a run of characters.
const particles = "的了是我你们们吗呢吧啊很也都を"

// bigrams calls add for each pair of neighbours of a run, and for a character
// that stands alone.
func bigrams(run string, add func(string)) {
	for _, part := range strings.FieldsFunc(run, func(r rune) bool { return strings.ContainsRune(particles, r) }) {
		chars := []rune(part)
		if len(chars) == 1 {
			add(part)
		}
		for i := 1; i < len(chars); i++ {
			add(string(chars[i-1 : i+1]))
		}
	}
}
