package terms

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxChanges is how often letters, capitals and digits may change within a word
// that is read in parts. What changes more often is a hash or a key.
const maxChanges = 5

// piece reads a word that may have hyphens, underscores and apostrophes in it, or
// changes between letters, capitals and digits: it is found without any of
// these, and by its parts. "e-mail" is "email", "iPhone15" has "15".
func (r *reader) piece(s span) {
	s = r.bare(s)
	changes := r.split(s)
	switch n := len(r.parts); {
	case n == 0:
		return
	case n == 1:
		r.part(r.parts[0])
		return
	case n == 2 && changes == 1 && r.counted(r.parts[0], r.parts[1]):
		return
	case changes > maxChanges:
		r.exact(r.text[s.from:s.to], s.from)
		return
	}
	r.group(len(r.parts) <= maxParts && s.to-s.from <= maxWord, func() { r.joined(s) }, func() {
		for _, p := range r.parts {
			if changes == 0 || digits(r.text[p.from:p.to]) || utf8.RuneCountInString(r.text[p.from:p.to]) > 1 {
				r.part(p)
			}
		}
	})
}

// joined adds the token of the parts without what is between them.
func (r *reader) joined(s span) {
	var word []byte
	kind := Word
	for _, p := range r.parts {
		word = append(word, r.text[p.from:p.to]...)
		if digits(r.text[p.from:p.to]) {
			kind = Exact
		}
	}
	written := r.written(string(word))
	r.add(Token{From: s.from, Kind: kind}, r.a.lexeme(r.lower(string(word))), written)
}

// part adds the token of a word or number.
func (r *reader) part(s span) {
	if digits(r.text[s.from:s.to]) {
		r.exact(r.text[s.from:s.to], s.from)
		return
	}
	r.word(s)
}

// split finds the parts of a piece, and counts the changes that are no joints.
func (r *reader) split(s span) (changes int) {
	r.parts = r.parts[:0]
	from := s.from
	end := func(at, next int) {
		if at > from {
			r.parts = append(r.parts, span{from, at})
		}
		from = next
	}
	var before, last rune
	for i, c := range r.text[s.from:s.to] {
		at := s.from + i
		switch {
		case c == '-' || c == '_' || c == '\'':
			end(at, at+1)
			before, last = 0, 0
			continue
		case last != 0 && changed(before, last, c, r.text[at+utf8.RuneLen(c):s.to]):
			end(at, at)
			changes++
			before = 0
		default:
			before = last
		}
		last = c
	}
	end(s.to, s.to)
	return changes
}

// changed reports whether a part of a word begins with c, which follows two
// others: at a digit among letters, at a capital among small letters, at the last
// of several capitals. Both sides have two letters or more: "iPhone" and "PDFs"
// are words.
func changed(before, last, c rune, after string) bool {
	if unicode.IsMark(c) {
		return false
	}
	if d := unicode.IsDigit(c); d != unicode.IsDigit(last) && !unicode.IsMark(last) {
		return true
	} else if d || before == 0 || !unicode.IsUpper(c) {
		return false
	}
	next, size := utf8.DecodeRuneInString(after)
	if unicode.IsLower(last) {
		return unicode.IsLetter(next)
	}
	return unicode.IsUpper(last) && unicode.IsLower(next) && unicode.IsLower(firstRune(after[size:]))
}

// bare returns a piece without what an apostrophe joins to a word: an article
// before it ("l'été"), a possessive or shortened verb after it ("Anna's").
func (r *reader) bare(s span) span {
	text := r.text[s.from:s.to]
	if before, after, ok := strings.Cut(text, "'"); ok && len(after) > 1 && elided(before) {
		s.from += len(before) + 1
		text = after
	}
	if i := strings.LastIndexByte(text, '\''); i > 0 && shortened(text[i+1:]) {
		s.to = s.from + i
		if strings.EqualFold(text, "won't") {
			s.to-- // nobody won
		}
	}
	return s
}

// elided are the words that lose their last vowel before another, in French,
// Italian and Catalan.
func elided(word string) bool {
	switch strings.ToLower(word) {
	case "l", "d", "j", "c", "n", "s", "m", "t", "qu", "jusqu", "lorsqu", "puisqu", "quelqu", "un", "dell", "all", "nell", "sull", "dall", "quest", "quell", "gl", "v":
		return true
	}
	return false
}

// shortened are the English words that are left of others after an apostrophe.
func shortened(word string) bool {
	switch strings.ToLower(word) {
	case "s", "t", "d", "m", "ll", "re", "ve":
		return true
	}
	return false
}

// digits reports whether a part is a number.
func digits(s string) bool { return '0' <= s[0] && s[0] <= '9' }
