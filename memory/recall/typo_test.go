package recall

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// lexicon is a corpus that has words and nothing else.
type lexicon struct {
	corpus
	words []string // sorted
	often map[string]int
}

func newLexicon(words ...string) lexicon {
	l := lexicon{often: map[string]int{}}
	for i, w := range words {
		l.words = append(l.words, w)
		l.often[w] = len(words) - i
	}
	slices.Sort(l.words)
	return l
}

func (l lexicon) frequency(word string) int { return l.often[word] }

func (l lexicon) vocabulary(prefix string, yield func([]byte) bool) {
	at, _ := slices.BinarySearch(l.words, prefix)
	for _, w := range l.words[at:] {
		if !strings.HasPrefix(w, prefix) || !yield([]byte(w)) {
			return
		}
	}
}

func TestGuess(t *testing.T) {
	l := newLexicon("famili", "fame", "research", "pictur", "poetri", "pot", "guitar", "tournament", "business", "bus", "собак", "item", "time")
	tests := []struct{ name, word, want string }{
		{"swapped", "faimly", "famili"},
		{"left out", "reserch", "research"},
		{"put in", "potetry", "poetri"},
		{"mistaken", "guitsr", "guitar"},
		{"two errors in a long word", "tuornamnet", "tournament"},
		{"two errors in a short word", "gtuiar", ""},
		{"first letters swapped", "ersearch", "research"},
		{"first letter left out", "icture", "pictur"},
		{"first letter mistaken", "yicture", "pictur"},
		{"an ending that terms lack", "turltes", ""},
		{"an ending and an error", "guitarrs", "guitar"},
		{"the more frequent of equals", "tiem", "item time"},
		{"Cyrillic", "сабак", "собак"},
		{"too short", "bu", ""},
		{"nothing near", "xylophone", ""},
	}
	for _, test := range tests {
		if got := strings.Join(guess(test.word, l), " "); got != test.want {
			t.Errorf("%s: %q is read as %q, want %q", test.name, test.word, got, test.want)
		}
	}
}

func FuzzGuess(f *testing.F) {
	f.Add("reserch", "research")
	f.Add("\xff\xfe\xfd\xfc", "aaaa")
	f.Fuzz(func(t *testing.T, word, term string) {
		l := newLexicon(term)
		for _, g := range guess(word, l) {
			if g != term {
				t.Errorf("guess %q is no term", g)
			}
		}
		if n := len([]rune(word)); n >= shortest && n <= longWord && n == len(word) && word == term && len(guess(word, l)) == 0 {
			t.Errorf("%q is not found as itself", word)
		}
	})
}

func BenchmarkGuess(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	words := make([]string, 500_000)
	for i := range words {
		word := make([]byte, 4+random.IntN(7))
		for j := range word {
			word[j] = "eeeaaiiottnnsrrhldcumfpgwybvk"[random.IntN(29)]
		}
		words[i] = string(word)
	}
	l := newLexicon(words...)
	for b.Loop() {
		guess(fmt.Sprint("rain", "storm"), l)
	}
}
