package terms

import (
	"hash/maphash"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Analyzer turns the texts of one owner into terms. It is safe for concurrent
// use; it remembers the words that it meets most, some 4 MB of them at the most, and
// nothing before it is first used.
type Analyzer struct {
	languages []*language
	fits      [scripts][]int // the languages that are written in a script, the preferred first
	functions func() map[string]function
	seed      maphash.Seed
	cache     func() []atomic.Pointer[lexeme]
	readers   sync.Pool
}

// Asked is a term that a query asks for.
type Asked struct {
	Token
	// Alternatives are all terms under which a message may have the word, Term
	// first: which language a message was taken to be in is not known.
	Alternatives []string
}

// New returns an Analyzer for an owner's languages, ISO 639-1 codes with the
// preferred first; unknown ones are ignored. None means English, German, Spanish
// and French. The terms of Analyzers with different languages do not compare.
func New(languages []string) *Analyzer {
	list := chosen(languages)
	if len(list) == 0 {
		list = chosen(defaults)
	}
	a := &Analyzer{seed: maphash.MakeSeed()}
	a.languages, a.fits = byScript(list)
	a.functions = sync.OnceValue(func() map[string]function { return functionWords(a.languages) })
	a.cache = sync.OnceValue(func() []atomic.Pointer[lexeme] { return make([]atomic.Pointer[lexeme], cacheSize) })
	a.readers.New = func() any { return &reader{a: a} }
	return a
}

// Forget makes an Analyzer forget the words that it met. It is called when something
// was forgotten whose words they may be.
func (a *Analyzer) Forget() {
	cache := a.cache()
	for i := range cache {
		cache[i].Store(nil)
	}
}

// byScript returns the languages by script, and adds one for each script that
// none of them is written in.
func byScript(list []*language) ([]*language, [scripts][]int) {
	var fits [scripts][]int
	for i, l := range list {
		fits[l.script] = append(fits[l.script], i)
	}
	for i := range languages {
		if l := &languages[i]; l.script != latin && len(fits[l.script]) == 0 {
			fits[l.script] = []int{len(list)}
			list = append(list, l)
		}
	}
	return list, fits
}

// Doc returns the tokens of a message: a word gives one, in the language that
// the message is taken to be in; what is made of parts gives the whole and its
// parts. From and Place never fall. A text of any length and bytes has tokens or
// none.
func (a *Analyzer) Doc(text string) []Token { return a.Append(nil, text) }

// Append adds the tokens that Doc returns to dst. Its Terms and Forms do not keep
// the text alive.
func (a *Analyzer) Append(dst []Token, text string) []Token {
	r := a.readers.Get().(*reader)
	defer a.readers.Put(r)
	dst = r.read(dst, text)
	r.reset()
	return dst
}

// Query returns what a text asks for: the tokens of Doc with their alternatives.
func (a *Analyzer) Query(text string) []Asked {
	r := a.readers.Get().(*reader)
	defer a.readers.Put(r)
	tokens := r.read(nil, text)
	best := r.guess()
	asked := make([]Asked, len(tokens))
	for i, t := range tokens {
		asked[i] = Asked{t, a.alternatives(t, r.seen[i].lexeme, best)}
	}
	r.reset()
	return asked
}

// alternatives returns the terms of a token in every language. Short messages
// whose language cannot be told are taken to be in the preferred one: when the
// query is in another, its stem is looked for there as well.
func (a *Analyzer) alternatives(t Token, l *lexeme, best [scripts]int) []string {
	list := []string{t.Term}
	langs := a.fits[l.script]
	if t.Kind != Word || len(langs) == 0 {
		return list
	}
	for _, lang := range langs {
		if term := a.term(l, lang); term != t.Term {
			list = append(list, term)
		}
	}
	guess, preferred := a.languages[best[l.script]], a.languages[langs[0]]
	if bare := strings.TrimSuffix(t.Term, guess.mark) + preferred.mark; !slices.Contains(list, bare) {
		list = append(list, bare)
	}
	return list
}
