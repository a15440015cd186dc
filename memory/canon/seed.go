package canon

import (
	_ "embed" // the word list
	"sort"
	"strings"
)

// minSeed is the number of words in the shortest seed phrase; the others have
// 15, 18, 21 and 24.
const minSeed = 12

// seedWords is the English word list of BIP-39, a word a line, sorted. It is
// searched where it lies.
//
//go:embed bip39.txt
var seedWords string

// hasSeed reports whether a plain text holds a seed phrase: twelve or more words
// in a row that are all on the list, numbered or not. Prose has articles and
// prepositions between them that are not.
func hasSeed(p string) bool {
	run := 0
	for word := range strings.FieldsFuncSeq(strings.ToLower(p), notLetter) {
		if !seedWord(word) {
			run = 0
		} else if run++; run >= minSeed {
			return true
		}
	}
	return false
}

// seedWord looks a word up by bisection of the list's bytes.
func seedWord(word string) bool {
	line := func(i int) string { // the first line that begins at i or later
		if i > 0 {
			i += strings.IndexByte(seedWords[i-1:], '\n')
		}
		w, _, _ := strings.Cut(seedWords[i:], "\n")
		return w
	}
	i := sort.Search(len(seedWords)-1, func(i int) bool { return line(i) >= word || line(i) == "" })
	return line(i) == word && word != ""
}
