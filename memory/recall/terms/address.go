package terms

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	minPhone = 7  // digits
	maxPhone = 15 // as ITU-T E.164 says
)

// address reads a web address that begins at a byte, and returns where it ends,
// the byte itself if there is none. It is found without scheme and "www.", by its
// host, and by the words of its path.
func (r *reader) address(from int) int {
	rest := r.text[from:]
	start := from
	for _, prefix := range []string{"http://", "https://", "ftp://", "www."} {
		if len(rest) > len(prefix) && strings.EqualFold(rest[:len(prefix)], prefix) {
			start = from + len(prefix)
		}
	}
	if start == from {
		return from
	}
	end := start + len(strings.TrimRight(rest[start-from:addressEnd(rest, start-from)], ".,;:!?)*_'/"))
	if len(r.text[start:end]) > 4 && strings.EqualFold(r.text[start:start+4], "www.") {
		start += 4
	}
	if start >= end {
		return from
	}
	r.compound(span{start, end}, 0)
	return end
}

// addressEnd returns where an address ends that is known to reach a byte.
func addressEnd(s string, at int) int {
	i := strings.IndexFunc(s[at:], func(c rune) bool {
		return c == utf8.RuneError || unicode.IsSpace(c) || unicode.IsControl(c) || unspaced(c) || picture(c) || strings.ContainsRune("<>\"`{}|\\^[]«»“”„", c)
	})
	if i < 0 {
		return len(s)
	}
	return at + i
}

// phone adds the token of a telephone number that begins at a byte: its digits
// without what is between them. The groups of digits are read after it.
func (r *reader) phone(from int) {
	if from < r.phoneEnd {
		return
	}
	digits, groups, gap, at := make([]byte, 0, maxPhone), 0, 2, from
	for ; at < len(r.text) && len(digits) <= maxPhone; at++ {
		c := r.text[at]
		switch {
		case asciiKind(c) == digitKind:
			if gap > 0 {
				groups++
			}
			digits = append(digits, c)
			gap = 0
			r.phoneEnd = at + 1
			continue
		case gap < 2 && strings.IndexByte(" -./()", c) >= 0, at == from && (c == '+' || c == '('):
			gap++
			continue
		}
		break
	}
	if len(digits) < minPhone || len(digits) > maxPhone || groups < 2 && r.text[from] != '+' {
		return
	}
	r.before(strings.TrimPrefix(string(digits), "00"), from)
}

// marked adds the token of a hashtag or mention with its mark, which stands at a
// byte; what is marked is read after it.
func (r *reader) marked(at int) {
	before, _ := utf8.DecodeLastRuneInString(r.text[:at])
	end := at + 1
	for end < len(r.text) {
		c, size := utf8.DecodeRuneInString(r.text[end:])
		if !wordRune(c) && !unspaced(c) && c != '_' {
			break
		}
		end += size
	}
	if wordRune(before) || end == at+1 || end-at > maxWord {
		return
	}
	r.before(r.text[at:end], at)
}

// currency adds the word for the sign of a currency beside an amount: "€5" are
// five euros.
func (r *reader) currency(at, end int) {
	name := currencyName(r.text[at:end])
	before, after := strings.TrimSuffix(r.text[:at], " "), strings.TrimPrefix(r.text[end:], " ")
	amount := before != "" && digits(before[len(before)-1:]) || after != "" && digits(after)
	if amount && name != "" {
		r.add(Token{From: at, Kind: Word}, r.a.lexeme(r.lower(name)), lowerCase)
	}
}

func currencyName(sign string) string {
	switch sign {
	case "$":
		return "dollar"
	case "€":
		return "euro"
	case "£":
		return "pound"
	case "¥":
		return "yen"
	case "₽":
		return "ruble"
	case "₹":
		return "rupee"
	case "₺":
		return "lira"
	case "₩":
		return "won"
	}
	return ""
}
