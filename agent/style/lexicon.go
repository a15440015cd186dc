package style

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"nacre/memory/canon"
)

// lexicon is the words that a description in one language may be made of: those
// about writing, and those that only join others. What a person, a firm, a place or
// anything else in life is called is in none, so that a fact cannot be said with
// them.
type lexicon struct {
	words   map[string]mark
	phrases [][]string // of words that are allowed only together
	idioms  int        // how many of the phrases, from the first, are not about writing
	numbers set        // words that count
	units   set        // what they may count
	tongues set        // languages to write in, which are nations too
	before  set        // after what a language is one to write in: "in French", never "is French"
	orders  set        // words that are for somebody who is told what to do
	starts  set        // verbs that tell what to do at the beginning of a clause
	claims  claimSets
}

// mark says what a word of a lexicon is good for.
type mark struct {
	writing bool // it is about writing; a sentence needs one
	capital bool // it may begin with a capital anywhere
}

type set map[string]bool

// languages are those in which a description may be written.
var languages = []string{"en", "de", "fr", "es", "zh"}

// lexicons builds the tables when they are first needed.
var lexicons = sync.OnceValue(func() map[string]*lexicon {
	all := map[string]*lexicon{}
	for _, lang := range languages {
		s := sources[lang]
		l := &lexicon{
			words: map[string]mark{}, numbers: setOf(s.numbers), units: setOf(s.units), tongues: setOf(s.tongues),
			before: setOf(s.before), orders: setOf(s.orders + sharedOrders), starts: setOf(s.starts), claims: s.claims.sets(),
		}
		for w := range joining()[lang] {
			l.words[w] = mark{}
		}
		l.add(s.joining+" "+sharedJoining, s.endings, false)
		l.add(s.writing+" "+sharedWriting, s.endings, true)
		l.phrases = append(phrasesOf(s.idioms), phrasesOf(s.phrases)...)
		l.idioms = len(phrasesOf(s.idioms))
		for w := range strings.FieldsSeq(s.never) {
			delete(l.words, canon.Form(w))
		}
		all[lang] = l
	}
	return all
})

// add takes in words with the endings that they may have.
func (l *lexicon) add(list, endings string, writing bool) {
	for w := range strings.FieldsSeq(list) {
		first, _ := utf8.DecodeRuneInString(w)
		for _, form := range inflected(canon.Form(w), endings) {
			was := l.words[form]
			l.words[form] = mark{was.writing || writing, was.capital || unicode.IsUpper(first)}
		}
	}
}

// phrasesOf are the words of each phrase of a list with commas between.
func phrasesOf(list string) (all [][]string) {
	for p := range strings.SplitSeq(list, ",") {
		if p != "" {
			all = append(all, strings.Fields(canon.Form(p)))
		}
	}
	return all
}

// inflected is a word with each ending, and the other genders of a Spanish one that
// ends in o.
func inflected(word, endings string) []string {
	forms := []string{word}
	if pairless(word) {
		for e := range strings.FieldsSeq(endings) {
			forms = append(forms, word+e)
		}
		if stem, ok := strings.CutSuffix(word, "o"); ok && strings.Contains(endings, "mente") {
			forms = append(forms, stem+"a", stem+"as", stem+"amente")
		}
	}
	return forms
}

// pairless reports whether a word is of a script that puts spaces between words.
func pairless(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return !canon.Unspaced(r)
}

// setOf returns the canonical forms of the words of a list.
func setOf(list string) set {
	s := set{}
	for w := range strings.FieldsSeq(list) {
		s[canon.Form(w)] = true
	}
	return s
}

// unspaced are all words in writing without spaces that any description may hold, for
// parting it into words.
var unspaced = sync.OnceValue(func() set {
	s := set{}
	zh := lexicons()["zh"]
	for w := range zh.words {
		if !pairless(w) {
			s[w] = true
		}
	}
	for _, more := range []set{zh.numbers, zh.tongues, zh.orders, formWords()} {
		for w := range more {
			if !pairless(w) {
				s[w] = true
			}
		}
	}
	return s
})

// longestUnspaced is how many characters the longest of them has.
const longestUnspaced = 8

// part parts a run of writing without spaces into words of the lexicon; nil if it
// cannot be.
func part(run []rune) []string {
	ends := make([]int, len(run)+1) // where the word ends that begins there; 0 for none
	ends[len(run)] = len(run)
	for i := len(run) - 1; i >= 0; i-- {
		for n := min(longestUnspaced, len(run)-i); n > 0 && ends[i] == 0; n-- {
			if ends[i+n] != 0 && unspaced()[string(run[i:i+n])] {
				ends[i] = i + n
			}
		}
	}
	if ends[0] == 0 {
		return nil
	}
	var words []string
	for i := 0; i < len(run); i = ends[i] {
		words = append(words, string(run[i:ends[i]]))
	}
	return words
}
