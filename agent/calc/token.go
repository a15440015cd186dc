package calc

import (
	"fmt"
	"strings"
	"unicode"
)

// The kinds of tokens that are no operator; an operator's kind is its own
// character.
const (
	end    = rune(0)
	number = '0'
	word   = 'a'
)

// token is a piece of an expression.
type token struct {
	kind rune
	text string
	at   int // its first character, counted from 1
}

func (t token) String() string {
	if t.kind == end {
		return "the end"
	}
	return fmt.Sprintf("%q", t.text)
}

// operators are the characters that stand for themselves, and what else is
// written for them.
var operators = map[rune]rune{
	'+': '+', '-': '-', '−': '-', '–': '-', '*': '*', '×': '*', '·': '*', '/': '/', '÷': '/', '^': '^', '%': '%', '!': '!', '(': '(', ')': ')', ',': ',',
}

// scan cuts an expression into tokens, the last one of the kind end.
func scan(expression string) ([]token, error) {
	var tokens []token
	rest := []rune(expression)
	for i := 0; i < len(rest); {
		r, at := rest[i], i+1
		var n int
		switch op, known := operators[r]; {
		case unicode.IsSpace(r):
			i++
			continue
		case digit(r) || r == '.':
			n = numeral(rest[i:])
			tokens = append(tokens, token{number, string(rest[i : i+n]), at})
		case letter(r):
			n = run(rest[i:], func(r rune) bool { return letter(r) || digit(r) })
			tokens = append(tokens, token{word, strings.ToLower(string(rest[i : i+n])), at})
		case r == '*' && i+1 < len(rest) && rest[i+1] == '*':
			n = 2
			tokens = append(tokens, token{'^', "**", at})
		case r == ',' && thousands(rest, i):
			return nil, fail(at, "a comma between digits can mean two things; write 1000 for 1,000, and put a space after a comma between arguments")
		case known:
			n = 1
			tokens = append(tokens, token{op, string(r), at})
		default:
			return nil, fail(at, "%q is not known here", r)
		}
		i += n
	}
	return append(tokens, token{end, "", len(rest) + 1}), nil
}

func digit(r rune) bool  { return r >= '0' && r <= '9' }
func letter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == 'π' }

// run counts the leading characters that are of a kind.
func run(s []rune, of func(rune) bool) int {
	for i, r := range s {
		if !of(r) {
			return i
		}
	}
	return len(s)
}

// numeral returns the length of the number that s begins with: digits and
// points, then an exponent if one is whole, as in 1.5e-3.
func numeral(s []rune) int {
	n := run(s, func(r rune) bool { return digit(r) || r == '.' })
	if n == len(s) || s[n] != 'e' && s[n] != 'E' {
		return n
	}
	sign := n + 1
	if sign < len(s) && (s[sign] == '+' || s[sign] == '-') {
		sign++
	}
	if digits := run(s[sign:], digit); digits > 0 {
		return sign + digits
	}
	return n
}

// thousands reports whether the comma at i stands as in 1,000: between a digit
// and exactly three.
func thousands(s []rune, i int) bool {
	return i > 0 && digit(s[i-1]) && run(s[i+1:], digit) == 3
}
