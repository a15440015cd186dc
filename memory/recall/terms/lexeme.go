package terms

import (
	"hash/maphash"
	"slices"
	"sync/atomic"
	"unicode/utf8"
)

const (
	// maxWord is how many bytes of a word count. Longer ones are not words, and
	// the time that stemmers take grows with the square of the length.
	maxWord = 64
	// maxWhole is the same for addresses and paths.
	maxWhole = 160
	// cacheSize is how many words an Analyzer remembers: all that a conversation
	// uses more than once or twice.
	cacheSize = 1 << 15
)

// lexeme is a word as it was written but for its case, and what was found out
// about it.
type lexeme struct {
	word     string // with accents
	form     string // without
	script   script
	function function
	terms    []atomic.Pointer[string] // in the languages of the script, nil until needed
}

// lexeme returns what is known of a word in small letters. The cache has one
// place for a word; which of two words that share it was there last does not
// matter.
func (a *Analyzer) lexeme(word []byte) *lexeme {
	place := &a.cache()[maphash.Bytes(a.seed, word)%cacheSize]
	if l := place.Load(); l != nil && l.word == string(word) {
		return l
	}
	l := a.newLexeme(string(word))
	if len(word) <= maxWord {
		place.Store(l)
	}
	return l
}

func (a *Analyzer) newLexeme(word string) *lexeme {
	l := &lexeme{word: word, form: fold(word), script: scriptOf(word)}
	if len(word) > maxWord {
		l.script = noScript
	}
	l.function = a.function(l)
	l.terms = make([]atomic.Pointer[string], len(a.fits[l.script]))
	return l
}

// term returns the term of a word in a language.
func (a *Analyzer) term(l *lexeme, lang int) string {
	cached := &l.terms[slices.Index(a.fits[l.script], lang)]
	if t := cached.Load(); t != nil {
		return *t
	}
	term := a.languages[lang].reduce(l.word) + a.languages[lang].mark
	cached.Store(&term)
	return term
}

// clip returns s without what is longer than n bytes, characters whole.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
