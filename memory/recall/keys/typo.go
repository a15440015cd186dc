package keys

import "unicode"

// slipCost is what each slip takes off a word.
const slipCost = 0.15

// guess finds the notes with the word that somebody most likely meant to type,
// and what it counts; none if there is no such word. Of words that are equally
// near it takes the commoner.
func (x *index) guess(form string) ([]posting, float64) {
	typed := []rune(form)
	most := maxSlips(typed)
	if most == 0 {
		return nil, 0
	}
	best, word := most, ""
	for f := range x.forms {
		d := distance(typed, []rune(f), best)
		if d < best || d == best && (word == "" || x.commoner(f, word)) {
			best, word = d, f
		}
	}
	return x.having(x.forms[word]), 1 - slipCost*float64(best)
}

// commoner reports whether more notes have a word than another, or as many and it
// sorts first.
func (x *index) commoner(a, b string) bool {
	if n, m := len(x.having(x.forms[a])), len(x.having(x.forms[b])); n != m {
		return n > m
	}
	return a < b
}

// maxSlips is how many slips a word may have and still be known: none if it is
// short or has digits, where one makes another word of it.
func maxSlips(word []rune) int {
	for _, r := range word {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			return 0
		}
	}
	switch {
	case len(word) < 4:
		return 0
	case len(word) < 8:
		return 1
	}
	return 2
}

// maxTyped is how long a word may be for its slips to be looked for.
const maxTyped = 40

// distance counts the letters that have to be left out, put in, changed or
// swapped with their neighbour to make one word of another (optimal string
// alignment). Where that takes more than most it returns most + 1.
func distance(a, b []rune, most int) int {
	if d := len(a) - len(b); max(d, -d) > most || max(len(a), len(b)) > maxTyped {
		return most + 1
	}
	var rows [3][maxTyped + 1]int
	before, row, next := &rows[0], &rows[1], &rows[2]
	for j := range b {
		row[j+1] = j + 1
	}
	for i := range a {
		next[0] = i + 1
		least := next[0]
		for j := range b {
			next[j+1] = min(row[j+1], next[j]) + 1
			if a[i] == b[j] {
				next[j+1] = min(next[j+1], row[j])
			} else {
				next[j+1] = min(next[j+1], row[j]+1)
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
			least = min(least, next[j+1])
		}
		if least > most {
			return most + 1
		}
		before, row, next = row, next, before
	}
	return min(row[len(b)], most+1)
}
