package recollect

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"nacre/memory/recall"
	"nacre/memory/recall/terms"
)

// words are those of a request that say what it is about.
type words struct {
	list  []word
	terms map[string]int // of each term by which a text may have one of them, its place in list
	pairs map[string]bool
	dated bool // there are words of dates besides: what is asked for is of that time, and need not have them
}

// word is one of them.
type word struct {
	form   string
	weight float64
}

// nameWeight is what a name counts for, beside other words: a text that has the verb
// of a request and not the name in it is about something else. Who asks about
// themselves may call a thing by another name than before, and names count as words.
const nameWeight = 3

// ofThemselves is how people speak of themselves, in the languages of package phrase.
var ofThemselves = regexp.MustCompile(`(?i)(?:^|[^\pL])(?:i|my|we|our|ich|mein(?:e[rmns]?)?|wir|unser(?:e[rmns]?)?|yo|mis?|nuestr[oa]s?|je|mon|ma|mes|notre|nos)(?:[^\pL]|$)|我`)

// words finds those of a text. None is left of one that only has words without a
// meaning of their own, and signs.
func (r *Recollector) words(text string) words {
	w := words{terms: map[string]int{}, pairs: map[string]bool{}}
	if !r.meaningful(text) {
		return w
	}
	names := nameWeight
	if ofThemselves.MatchString(text) {
		names = 1
	}
	for _, t := range r.opts.Terms.Query(text) {
		switch _, known := w.terms[t.Term]; {
		case known || t.Stop || !strings.ContainsFunc(t.Form, alphanumeric) || asks(t):
		case recall.DateWord(t.Token):
			w.dated = true
		case t.Kind == terms.Gram && han(t.Term) && utf8.RuneCountInString(t.Term) > 1:
			w.pairs[t.Term] = true
		case t.Kind == terms.Gram && !han(t.Term) && utf8.RuneCountInString(t.Term) == 1:
		default:
			w.add(t, names)
		}
	}
	return w
}

// meaningful reports whether a text has a word with a meaning of its own. Where it has
// none, package terms takes the others for all that is asked; so something stands
// behind it here.
func (r *Recollector) meaningful(text string) bool {
	const behind = "\n0"
	for _, t := range r.opts.Terms.Doc(text + behind) {
		if t.From < len(text) && !t.Stop && strings.ContainsFunc(t.Form, alphanumeric) {
			return true
		}
	}
	return false
}

func (w *words) add(t terms.Asked, names int) {
	one := word{t.Form, 1}
	if t.Name {
		one.weight = float64(names)
	}
	for _, a := range t.Alternatives {
		w.terms[a] = len(w.list)
	}
	w.list = append(w.list, one)
}

// asking are the characters of which Chinese words are made that ask, or only connect.
const asking = "什么為为哪里裡儿兒怎多少几幾谁誰吗嗎呢是的了我你您他她它在有和吧啊不这這那个個么麼样樣"

// asks reports whether a character, or a pair of them, says nothing about what is
// asked for.
func asks(t terms.Asked) bool {
	return t.Kind == terms.Gram && han(t.Term) && !strings.ContainsFunc(t.Term, func(c rune) bool { return !strings.ContainsRune(asking, c) })
}

// empty reports whether a request is about nothing.
func (w words) empty() bool { return len(w.list) == 0 && !w.dated }

func alphanumeric(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }

// han reports whether a term is of characters that have a meaning each. Of other
// writing without spaces, pairs say more.
func han(term string) bool {
	return !strings.ContainsFunc(term, func(c rune) bool { return !unicode.Is(unicode.Han, c) })
}

// What of a request a text must have to matter to it where no model judges. A
// request about nothing that was ever said shares a common word with many texts, and
// finds none; a long one shares few of its words even with its answer.
const (
	minShare = 0.3 // of the weight of its words
	minWords = 3   // or so many of them, and of a very long one
	perWords = 8   // one in so many
)

// maxCompared bounds the characters of a text that are compared.
const maxCompared = 8000

// fit reports whether a text has enough of the words.
func (r *Recollector) fit(text string, w words) bool { return w.enough(r.shared(text, w)) }

// enough reports whether such a share, and so many, of the words are.
func (w words) enough(share float64, count int) bool {
	return count > 0 && (share >= minShare || count >= max(minWords, len(w.list)/perWords))
}

// shared is how much of the weight of the words a text has, and how many of them.
func (r *Recollector) shared(text string, w words) (share float64, count int) {
	has := make([]float64, len(w.list))
	tokens, pair := r.opts.Terms.Doc(clip(text, maxCompared)), len(w.pairs) == 0
	for _, t := range tokens {
		if i, ok := w.terms[t.Term]; ok {
			has[i] = 1
		}
		pair = pair || w.pairs[t.Term] || !han(t.Term)
	}
	all, had := 0.0, 0.0
	for i, one := range w.list {
		if has[i] == 0 && slipped(one.form, tokens) {
			has[i] = 0.5
		}
		if all += one.weight; has[i] > 0 {
			had += has[i] * one.weight
			count++
		}
	}
	if !pair || count == 0 {
		return 0, 0
	}
	return had / all, count
}

// slipped reports whether a text has a word with one slip of the finger in it.
func slipped(form string, tokens []terms.Token) bool {
	const long = 5 // characters; a shorter word with another letter is another word
	if utf8.RuneCountInString(form) < long {
		return false
	}
	for _, t := range tokens {
		if t.Kind == terms.Word && !t.Stop && slip(form, t.Form) {
			return true
		}
	}
	return false
}

// slip reports whether two words differ by a letter that is missing or another, or by
// two that changed places.
func slip(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(y)-len(x) > 1 {
		return false
	}
	i := 0
	for i < len(x) && x[i] == y[i] {
		i++
	}
	if len(x) < len(y) {
		return string(x[i:]) == string(y[i+1:])
	}
	return i == len(x) || string(x[i+1:]) == string(y[i+1:]) ||
		i+1 < len(x) && x[i] == y[i+1] && x[i+1] == y[i] && string(x[i+2:]) == string(y[i+2:])
}
