package terms

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxParts is how many parts make one thing; more of them are found only one by
// one.
const maxParts = 16

// strong are the joints of addresses, paths and expressions, those that bind
// least first. What they join is found as it is written, and by its parts.
var strong = [...]string{"/?=#%~;", "@&+:,", "."}

// cluster reads what begins with a letter or digit and is more than a word: it
// may have hyphens, points, slashes, digits and capitals in it. It returns where
// that ends.
func (r *reader) cluster(from int) int {
	if to := r.address(from); to > from {
		return to
	}
	if r.text[from] == '0' {
		r.phone(from)
	}
	to := r.extent(from)
	if end := r.signed(from, to); end > to {
		r.exact(r.text[from:end], from)
		return end
	}
	r.compound(span{from, to}, 0)
	return to
}

// extent returns where the letters and digits from a byte on end, with the joints
// between them.
func (r *reader) extent(from int) int {
	var last rune
	clock := false
	for at := from; ; {
		c, size := utf8.DecodeRuneInString(r.text[at:])
		if wordRune(c) {
			last, at = c, at+size
			continue
		}
		next, _ := utf8.DecodeRuneInString(r.text[at+size:])
		if !joins(last, c, next) || clock && c == '-' {
			return at
		}
		clock = clock || c == ':'
		at += size
	}
}

// joins reports whether a character makes one thing of what is on both sides.
func joins(last, c, next rune) bool {
	switch c {
	case ',':
		return unicode.IsDigit(last) && unicode.IsDigit(next)
	case '\'':
		return startRune(next) && unicode.IsDigit(last) == unicode.IsDigit(next)
	case '.', '-', '_', '/', ':', '@', '&', '+':
		return startRune(next)
	}
	return false
}

// signed returns the end of a name such as C++ or C# that begins with the letters
// between two bytes.
func (r *reader) signed(from, to int) int {
	sign := ""
	switch rest := r.text[to:]; {
	case strings.HasPrefix(rest, "++"):
		sign = "++"
	case strings.HasPrefix(rest, "#") && to == from+1:
		sign = "#"
	}
	if strings.ContainsAny(r.text[from:to], "./:@&+") || wordRune(firstRune(r.text[to+len(sign):])) {
		return to
	}
	return to + len(sign)
}

// compound reads what is held together by the joints of a level and of those
// after it.
func (r *reader) compound(s span, level int) {
	switch {
	case s.from == s.to || r.number(s) || r.version(s):
	case level == len(strong):
		r.piece(s)
	case !strings.ContainsAny(r.text[s.from:s.to], strong[level]):
		r.compound(s, level+1)
	case strong[level] == "." && r.initials(s):
	default:
		r.group(s.to-s.from <= maxWhole, func() { r.exact(r.text[s.from:s.to], s.from) }, func() { r.members(s, level) })
	}
}

// members reads what the joints of a level join.
func (r *reader) members(s span, level int) {
	for s.from < s.to {
		end := s.to
		if i := strings.IndexAny(r.text[s.from:s.to], strong[level]); i >= 0 {
			end = s.from + i
		}
		r.compound(span{s.from, end}, level+1)
		s.from = end + 1
	}
}

// group adds the token of a thing, if it is to be found as a whole, and at the
// same place those of its parts.
func (r *reader) group(asWhole bool, whole, parts func()) {
	at, place, begins := len(r.seen), r.place, r.begins
	if asWhole {
		whole()
		r.place, r.begins = place, begins
	}
	parts()
	if asWhole && len(r.seen) > at+1 {
		r.seen[at].until = len(r.seen)
	}
	r.place = max(r.place, place+1)
}

// initials reads single letters with points between them as one word: "U.S." is
// "US".
func (r *reader) initials(s span) bool {
	text := r.text[s.from:s.to]
	n := utf8.RuneCountInString(text)
	if n > 2*maxParts {
		return false
	}
	letters := make([]byte, 0, len(text))
	for i, c := range []rune(text) {
		if (i%2 == 1) != (c == '.') || i%2 == 0 && !unicode.IsLetter(c) {
			return false
		}
		if i%2 == 0 {
			letters = utf8.AppendRune(letters, c)
		}
	}
	written := r.written(string(letters))
	r.add(Token{From: s.from, Kind: Word}, r.a.lexeme(r.lower(string(letters))), written)
	return true
}
