package canon

import "strings"

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
	for field := range strings.FieldsSeq(p) {
		if strings.Contains(field, "://") || strings.HasPrefix(field, "www.") {
			continue
		}
		for word := range strings.FieldsFuncSeq(field, func(r rune) bool { return r > 0x7F || !alphanumeric(byte(r)) && !strings.ContainsRune("-_+=", r) }) {
			if random(word) {
				return true
			}
		}
	}
	return false
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
