package style

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"nacre/memory/canon"
)

// token is a word of a text.
type token struct {
	form     string // canonical
	capital  bool   // begins with a capital
	first    bool   // begins a sentence, or what is quoted
	clause   bool   // begins a clause
	quoted   bool   // stands between quotation marks
	sentence int    // which one it is of
	number   bool   // a digit, or another sign that counts
}

// reader takes a text apart.
type reader struct {
	tokens        []token
	first, clause bool
	quoted        bool
	sentence      int
}

// tokensOf returns the words of a text; runs of writing without spaces are parted
// into the words of the lexicon, or are one token where they cannot be.
func tokensOf(text string) []token {
	r := reader{first: true, clause: true}
	for len(text) > 0 {
		c, size := utf8.DecodeRuneInString(text)
		if !letter(c) {
			r.mark(c, text[size:])
			text = text[size:]
			continue
		}
		end := wordEnd(text, canon.Unspaced(c))
		r.word(text[:end])
		text = text[end:]
	}
	return r.tokens
}

func letter(r rune) bool { return unicode.In(r, unicode.L, unicode.M, unicode.N) }

// wordEnd returns where the word ends that a text begins with.
func wordEnd(text string, unspaced bool) int {
	for i, r := range text {
		if !letter(r) && !unicode.Is(unicode.Cf, r) || unicode.IsLetter(r) && canon.Unspaced(r) != unspaced {
			return i
		}
	}
	return len(text)
}

// mark notes what a character between words means for those that follow.
func (r *reader) mark(c rune, rest string) {
	next, _ := utf8.DecodeRuneInString(rest)
	switch {
	case quotationMark(c):
		r.quoted = !r.quoted
		r.first = true
	case strings.ContainsRune("。！？；\n", c), strings.ContainsRune(".!?;", c) && (rest == "" || unicode.IsSpace(next)):
		r.first, r.clause = true, true
		r.sentence++
	case strings.ContainsRune(".!?;:…(", c):
		r.first, r.clause = true, true
	case strings.ContainsRune(",，、：–—", c):
		r.clause = true
	}
}

// quotationMark reports whether a character begins or ends what is quoted. The
// apostrophes are none: they stand within words as well.
func quotationMark(r rune) bool {
	return strings.ContainsRune("\"“”„‟«»‹›「」『』《》〈〉＂", r)
}

// word adds a word.
func (r *reader) word(text string) {
	first, _ := utf8.DecodeRuneInString(text)
	t := token{capital: unicode.IsUpper(first) || unicode.IsTitle(first), first: r.first, clause: r.clause, quoted: r.quoted, sentence: r.sentence,
		number: strings.ContainsFunc(text, unicode.IsNumber)}
	r.first, r.clause = false, false
	form := canon.Form(text)
	parts := []string{form}
	if !pairless(form) {
		if known := part([]rune(form)); known != nil {
			parts = known
		}
	}
	for _, t.form = range parts {
		r.tokens = append(r.tokens, t)
		t.first, t.clause = false, false
	}
}
