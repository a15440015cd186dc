package markup

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/util"
)

// literal resolves the escapes and entities of text.
// See https://spec.commonmark.org/0.31.2/#backslash-escapes and the section
// that follows it.
func literal(text []byte) string {
	if bytes.IndexByte(text, '\\') < 0 && bytes.IndexByte(text, '&') < 0 {
		return string(text)
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		switch {
		case text[i] == '\\' && i+1 < len(text) && util.IsPunct(text[i+1]):
			b.WriteByte(text[i+1])
			i += 2
		case text[i] == '&':
			s, n := entity(text[i:])
			b.WriteString(s)
			i += n
		default:
			b.WriteByte(text[i])
			i++
		}
	}
	return b.String()
}

// longestEntity is "&CounterClockwiseContourIntegral;".
const longestEntity = 33

// entity resolves the entity that text begins with and returns its length. An
// ampersand that begins none stands for itself.
func entity(text []byte) (s string, n int) {
	end := bytes.IndexByte(text[:min(len(text), longestEntity)], ';')
	if end < 0 {
		return "&", 1
	}
	name := string(text[1:end])
	if digits, ok := strings.CutPrefix(name, "#"); ok {
		if r := numeric(digits); r >= 0 {
			return clean(string(r)), end + 1
		}
	} else if e, ok := util.LookUpHTML5EntityByName(name); ok {
		return string(e.Characters), end + 1
	}
	return "&", 1
}

// numeric reads the number of a character; -1 if it is none.
func numeric(digits string) rune {
	base := 10
	if digits != "" && (digits[0] == 'x' || digits[0] == 'X') {
		base, digits = 16, digits[1:]
	}
	code, err := strconv.ParseUint(digits, base, 32)
	switch {
	case err != nil:
		return -1
	case code == 0 || code > unicode.MaxRune || !utf8.ValidRune(rune(code)):
		return utf8.RuneError
	}
	return rune(code)
}
