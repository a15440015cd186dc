package mail

import (
	"hash/fnv"
	"strings"
	"unicode"
)

// What makes a template of a letter.
const (
	manyPeople = 10 // one letter to more of them is a circular
	manyTimes  = 3  // so many letters with the same sentence share it
)

// Distinct leaves out letters of which the same words went to several people apart,
// such as a template: of those it keeps none. Order stays.
//
// A letter is one if three quarters of its words stand in sentences which at least
// three letters have. Sentences are compared by hashes of what is left without names
// in the greeting, numbers, case, marks and blanks. That takes one pass over the text, the
// same answer comes in any order, and a sentence added for one person does not hide
// the template, as it would with a hash of the whole; similarity by shingles would
// need a threshold that also strikes people who always write much the same.
func Distinct(list []Letter) []Letter {
	sentences := make([][]sentence, len(list))
	times := map[uint64]int{}
	for i, l := range list {
		sentences[i] = sentencesOf(l.Text)
		once := map[uint64]bool{}
		for _, s := range sentences[i] {
			if !once[s.hash] {
				once[s.hash] = true
				times[s.hash]++
			}
		}
	}
	var kept []Letter
	for i, l := range list {
		if l.To <= manyPeople && !shared(sentences[i], times) {
			kept = append(kept, l)
		}
	}
	return kept
}

// sentence stands for one sentence of a letter.
type sentence struct {
	hash  uint64
	words int
}

func shared(list []sentence, times map[uint64]int) bool {
	all, common := 0, 0
	for _, s := range list {
		all += s.words
		if times[s.hash] >= manyTimes {
			common += s.words
		}
	}
	return all > 0 && common*4 >= all*3
}

// sentencesOf divides a letter into sentences, without the greeting and without the
// names that stand in it.
func sentencesOf(text string) []sentence {
	greeting, text := greetingOf(text)
	names := map[string]bool{}
	for w := range strings.FieldsFuncSeq(strings.ToLower(greeting), notWord) {
		names[w] = true
	}
	var list []sentence
	for s := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(".!?。！？\n", r) }) {
		h, n := fnv.New64a(), 0
		for w := range strings.FieldsFuncSeq(strings.ToLower(s), notWord) {
			if !names[w] {
				h.Write([]byte(w + " "))
				n += Words(w)
			}
		}
		if n > 0 {
			list = append(list, sentence{h.Sum64(), n})
		}
	}
	return list
}

// notWord divides words; digits stand in none, so that numbers do not count.
func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.Is(unicode.M, r) }

// maxGreeting is how many words a greeting may have.
const maxGreeting = 6

// greetingOf divides a text after its greeting: the few words before the first mark
// or line end. Where there are more of them, there is no greeting.
func greetingOf(text string) (greeting, rest string) {
	i := strings.IndexAny(text, ",!:.?\n，！：。？、")
	if i < 0 || Words(text[:i]) > maxGreeting {
		return "", text
	}
	return text[:i], text[i:]
}
