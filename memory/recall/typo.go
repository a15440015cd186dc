package recall

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// Limits of guessing at words.
const (
	shortest   = 4 // letters of a word that may be misspelled
	twoErrors  = 8 // letters from which two errors are one typo
	longWord   = 40
	maxEnding  = 4 // letters of a word that its term may lack
	maxGuesses = 3
	maxEqual   = 32     // terms, of equally near ones, that are weighed
	maxLooked  = 20_000 // terms that are looked at without a letter to go by
)

// guess returns terms of the corpus that a word which nobody used is most likely
// a misspelling of: those with the fewest errors, of equal ones the most used. The
// first letter is mostly right, or it was put in, or changed places with the
// second; only when none of that helps other terms are looked at.
func guess(form string, c corpus) []string {
	letters := []rune(form)
	if len(letters) < shortest || len(letters) > longWord {
		return nil
	}
	s := newSpeller(letters)
	for _, prefix := range []string{string(letters[0]), string(letters[1:3]), string([]rune{letters[1], letters[0]})} {
		s.look(c, prefix, -1)
	}
	if len(s.found) == 0 {
		s.look(c, "", maxLooked)
	}
	slices.SortStableFunc(s.found, func(a, b string) int { return cmp.Compare(c.frequency(b), c.frequency(a)) })
	return s.found[:min(maxGuesses, len(s.found))]
}

// almost reports whether a word is a name with one error.
func almost(form, name string) bool {
	s := newSpeller([]rune(form))
	s.term = []rune(name)
	errors, ending := s.compare()
	return len(s.term) >= shortest && errors <= 1 && ending == 0
}

// speller collects the terms that are nearest to a word.
type speller struct {
	word    []rune
	letters uint64 // marks of its bytes
	errors  int    // that are let pass
	found   []string
	cost    int // of each that was found
	term    []rune
	rows    [3][]int
}

func newSpeller(word []rune) *speller {
	s := &speller{word: word, letters: marks(string(word)), errors: 1}
	if len(word) >= twoErrors {
		s.errors = 2
	}
	s.cost = 2*s.errors + maxEnding
	for i := range s.rows {
		s.rows[i] = make([]int, len(word)+1)
	}
	return s
}

// look tries at most so many of the terms with a prefix; -1 for all.
func (s *speller) look(c corpus, prefix string, most int) {
	c.vocabulary(prefix, func(term []byte) bool {
		s.try(term, c)
		most--
		return most != 0
	})
}

// try takes a term, if it is no farther from the word than what was found. A
// letter of the word's end that the term lacks counts half an error, for terms are
// words without their endings. A term may be only of messages that the search does
// not look at, and is no guess then.
func (s *speller) try(term []byte, c corpus) {
	if s.hopeless(term) {
		return
	}
	s.term = s.term[:0]
	for _, r := range string(term) {
		s.term = append(s.term, r)
	}
	errors, ending := s.compare()
	switch cost := 2*errors + ending; {
	case errors > s.errors || cost > s.cost || c.frequency(string(term)) == 0:
	case cost < s.cost:
		s.cost, s.found = cost, append(s.found[:0], string(term))
	case len(s.found) < maxEqual && !slices.Contains(s.found, string(term)):
		s.found = append(s.found, string(term))
	}
}

// hopeless reports whether a term is too short or too long, or has more letters
// that the word has not than there may be errors: most do.
func (s *speller) hopeless(term []byte) bool {
	spare := s.errors
	if len(term) > len(s.word)+s.errors { // perhaps in bytes alone
		if utf8.RuneCount(term) > len(s.word)+s.errors {
			return true
		}
		spare *= utf8.UTFMax
	}
	if len(term) < max(shortest-1, len(s.word)-maxEnding-s.errors) {
		return true
	}
	for _, b := range term {
		if s.letters&mark(b) == 0 {
			if spare--; spare < 0 {
				return true
			}
		}
	}
	return false
}

// mark stands for a byte of a word; rare ones may share one.
func mark(b byte) uint64 { return 1 << (spelled(rune(b)) % 64) }

func marks(word string) uint64 {
	var set uint64
	for i := range len(word) {
		set |= mark(word[i])
	}
	return set
}

// spelled takes i for y: English stems end in the one where words end in the
// other.
func spelled(r rune) rune {
	if r == 'y' {
		return 'i'
	}
	return r
}

// compare counts the letters that were left out, put in, mistaken or swapped
// between the term and the word (Damerau 1964, in the form called optimal string
// alignment), and the letters at the word's end that are best taken for an ending.
func (s *speller) compare() (errors, ending int) {
	before, last, row := s.rows[0], s.rows[1], s.rows[2]
	for j := range last {
		last[j] = j
	}
	for i, r := range s.term {
		row[0] = i + 1
		least := row[0]
		for j, w := range s.word {
			cost := 1
			if spelled(r) == spelled(w) {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && spelled(r) == spelled(s.word[j-1]) && spelled(s.term[i-1]) == spelled(w) {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
			least = min(least, row[j+1])
		}
		if least > s.errors {
			return least, 0 // and more, whatever follows
		}
		before, last, row = last, row, before
	}
	end := len(s.word)
	for e := range min(maxEnding, end) + 1 {
		if 2*last[end-e]+e < 2*last[end-ending]+ending {
			ending = e
		}
	}
	return last[end-ending], ending
}
