package canon

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	minSpaced  = 4 // letters apart that make a word
	minSpelled = 3 // names of digits that make a number
)

// respell returns a plain text with the words that are written letter by letter
// ("p a s s") and the numbers that are said digit by digit ("four seven one")
// put together.
func respell(p string) string {
	words := apart(p)
	var b strings.Builder
	end := 0
	for i := 0; i < len(words); {
		n, joined := run(p, words[i:])
		if n > 1 {
			b.WriteString(p[end:words[i].from])
			b.WriteString(joined)
			end = words[i+n-1].to
		}
		i += n
	}
	if end == 0 {
		return p
	}
	b.WriteString(p[end:])
	return b.String()
}

// apart returns the words of a plain text, as written.
func apart(p string) []word {
	var words []word
	from := -1
	for i, r := range p {
		switch letter := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r); {
		case letter && from < 0:
			from = i
		case !letter && from >= 0:
			words = append(words, word{p[from:i], from, i})
			from = -1
		}
	}
	if from >= 0 {
		words = append(words, word{p[from:], from, len(p)})
	}
	return words
}

// run returns what the first words make together, and how many they are; one
// word alone stays as it is.
func run(p string, words []word) (n int, joined string) {
	if n, joined := joinWhile(p, words, 1, letterApart); n >= minSpaced {
		return n, joined
	}
	if n, joined := joinWhile(p, words, 2, digitNamed); n >= minSpelled {
		return n, joined
	}
	return 1, words[0].form
}

// joinWhile joins words with at most gap bytes between them while part knows
// what they stand for.
func joinWhile(p string, words []word, gap int, part func(string) string) (n int, joined string) {
	if part(words[0].form) == "" {
		return 0, ""
	}
	var b strings.Builder
	for ; n < len(words); n++ {
		s := part(words[n].form)
		if s == "" || n > 0 && words[n].from-words[n-1].to > gap {
			break
		}
		if n > 0 && strings.ContainsAny(p[words[n-1].to:words[n].from], "\n:;") {
			break
		}
		b.WriteString(s)
	}
	return n, b.String()
}

func letterApart(w string) string {
	if len(w) <= utf8.UTFMax && utf8.RuneCountInString(w) == 1 {
		return w
	}
	return ""
}

// unleet returns the letters that a word's digits and symbols stand for; a
// number stays.
func unleet(form string) string {
	if !strings.ContainsAny(form, "013457$") || !strings.ContainsFunc(form, unicode.IsLetter) {
		return form
	}
	return leet.Replace(form)
}

var leet = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "$", "s")
