package canon

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What makes a word look drawn rather than written. Names of files, products
// and functions stay below, keys of 128 bits and more are above.
const (
	minRandom  = 24  // characters
	minOfKind  = 3   // small letters, capitals and digits, of each
	minChanges = 0.4 // share of characters of another kind than the one before; 0.62 in drawn ones
)

// hasRandom reports whether a plain text holds a word of letters and digits so
// mixed that it can only be a key. Links are judged by hasLink; UUIDs and
// hexadecimal hashes lack a case of letters and pass.
func hasRandom(p string) bool {
	for i := 0; i < len(p); i++ {
		from := i
		for i < len(p) && wordByte(p[i]) {
			i++
		}
		if !random(p[from:i]) {
			continue
		}
		begin, end := field(p, from, unicode.IsSpace)
		if f := p[begin:end]; !strings.Contains(f, "://") && !strings.HasPrefix(f, "www.") {
			return true
		}
		i = end
	}
	return false
}

// wordByte reports what a drawn word is made of.
func wordByte(c byte) bool {
	return alphanumeric(c) || c == '-' || c == '_' || c == '+' || c == '='
}

// field returns where what stands around place i begins and ends, between characters
// that part it from the rest.
func field(p string, i int, parts func(rune) bool) (from, to int) {
	if from = strings.LastIndexFunc(p[:i], parts); from < 0 {
		from = 0
	} else {
		_, size := utf8.DecodeRuneInString(p[from:])
		from += size
	}
	if n := strings.IndexFunc(p[i:], parts); n >= 0 {
		return from, i + n
	}
	return from, len(p)
}

func random(word string) bool {
	if len(word) < minRandom {
		return false
	}
	var kinds [4]int
	changes, last := 0, -1
	for i := range len(word) {
		kind := kindOf(word[i])
		if kinds[kind]++; kind != last {
			changes++
		}
		last = kind
	}
	return min(kinds[0], kinds[1], kinds[2]) >= minOfKind && float64(changes) >= minChanges*float64(len(word))
}

// kindOf returns 0 for a small letter, 1 for a capital, 2 for a digit, 3 for
// anything else.
func kindOf(c byte) int {
	switch {
	case lower(c):
		return 0
	case upper(c):
		return 1
	case asciiDigit(c):
		return 2
	}
	return 3
}
