package canon

import (
	_ "embed" // the word list
	"slices"
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
// prepositions between them that are not. What could be the twelfth is looked up
// first: if it is not on the list, none before it is of a phrase.
func hasSeed(p string) bool {
	words := slices.Collect(strings.FieldsFuncSeq(p, notLetter))
	for from := 0; from+minSeed <= len(words); {
		i := from + minSeed - 1
		for i >= from && seedWord(words[i]) {
			i--
		}
		if i < from {
			return true
		}
		from = i + 1
	}
	return false
}

// minSeedWord and maxSeedWord are how many letters the words of the list have.
const minSeedWord, maxSeedWord = 3, 8

// seedWord looks a word up, whatever its case, by bisection of the list's bytes.
func seedWord(word string) bool {
	if len(word) < minSeedWord || len(word) > maxSeedWord {
		return false
	}
	word = strings.ToLower(word)
	line := func(i int) string { // the first line that begins at i or later
		if i > 0 {
			i += strings.IndexByte(seedWords[i-1:], '\n')
		}
		w, _, _ := strings.Cut(seedWords[i:], "\n")
		return w
	}
	i := sort.Search(len(seedWords)-1, func(i int) bool { return line(i) >= word || line(i) == "" })
	return line(i) == word
}
