package canon

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// trust says what it takes for the words beside a keyword to be its secret.
type trust int

const (
	loose   trust = iota + 1 // any word that is no remark ("password is hunter")
	strict                   // digits ("PIN is 1234")
	bare                     // digits, and no word that makes it harmless ("postal code")
	short                    // three digits are enough ("CVV 123")
	dialled                  // digits, also with marks as in a date ("combination is 12-34-56")
	drawn                    // letters and digits in one word, or many digits ("key is sunshine99")
	pair                     // a name and a word with digits ("login: anna / hunter2")
)

// keyword is a name of something secret.
type keyword struct {
	words  []string // folded
	trust  trust
	reason Reason
}

const (
	reach   = 8 // words after a keyword in which its value is looked for
	reverse = 3 // words between a value and its keyword ("1234 is my PIN")

	minStrong = 4 // characters of a value that looks drawn
	minLoose  = 3 // characters of a value that is a word
	minBare   = 6 // digits of a code with nothing but "code" before it
	minDrawn  = 6 // characters of letters and digits in one word
	minNumber = 8 // digits that are drawn without letters
	maxPhrase = 5 // words of a passphrase, and one more
)

// credential finds passwords, PINs and codes that a plain text calls by name,
// also where words are written letter by letter.
func credential(p string) (Reason, bool) {
	if reason, ok := unspacedCredential(p); ok {
		return reason, true
	}
	p = withoutLinks(p)
	p = introductions.Replace(p)
	if reason, ok := spacedCredential(p); ok {
		return reason, true
	}
	if again := respell(p); again != p {
		return spacedCredential(again)
	}
	return "", false
}

// introductions are the marks that introduce a value, or stand around one.
var introductions = strings.NewReplacer("=", " : ", "→", " : ", "->", " : ", "|", " ", "`", " ")

// spacedCredential finds them in writing with spaces.
func spacedCredential(p string) (Reason, bool) {
	s := sentence{p, wordsOf(p), endsOf(p)}
	for i := range s.words {
		for _, k := range keywords()[unleet(s.words[i].form)] {
			if after := i + len(k.words); s.named(i, k) && (s.follows(after, k.trust) || s.precedes(i, after, k.trust)) {
				return k.reason, true
			}
		}
	}
	return "", false
}

// withoutLinks returns a text without its links, which hasLink judges.
func withoutLinks(p string) string {
	if !strings.Contains(p, "://") {
		return p
	}
	fields := strings.FieldsFunc(p, func(r rune) bool { return r == ' ' })
	return strings.Join(slices.DeleteFunc(fields, func(f string) bool { return strings.Contains(f, "://") }), " ")
}

// sentence is a text with its words.
type sentence struct {
	text   string
	words  []word
	spaces []int // where there are any, and the end
}

// endsOf returns where the spaces of a text stand, and its end.
func endsOf(text string) []int {
	var list []int
	for i, r := range text {
		if unicode.IsSpace(r) {
			list = append(list, i)
		}
	}
	return append(list, len(text))
}

// word is a word of a text in canonical form, and where it stands.
type word struct {
	form     string
	from, to int
}

// wordsOf returns the words of a text's canonical form.
func wordsOf(text string) []word {
	units := make([]unit, 0, len(text)/bytesPerWord+1)
	form := string(fold(text, &units, true))
	words := make([]word, len(units))
	for i, u := range units {
		words[i] = word{form[u.start:u.end], u.from, u.to}
	}
	return words
}

// bytesPerWord is about how many a word of most languages has, with its space.
const bytesPerWord = 6

// named reports whether keyword k stands at word i, and does not mean something
// harmless there ("postal code", "password manager").
func (s sentence) named(i int, k keyword) bool {
	if i+len(k.words) > len(s.words) {
		return false
	}
	for j, w := range k.words {
		if unleet(s.words[i+j].form) != w {
			return false
		}
	}
	next := ""
	if after := i + len(k.words); after < len(s.words) && !strings.ContainsAny(s.between(after), ".:;!?\n") {
		next = s.words[after].form
	}
	switch k.trust {
	case bare:
		return !(i > 0 && harmlessCodes()[s.words[i-1].form]) && !harmlessCodes()[next]
	case loose, drawn:
		return !things()[next]
	}
	return true
}

// follows reports whether a value stands after a keyword that ends before word
// i: after a colon, a form of "to be", a "to", or at once.
func (s sentence) follows(i int, t trust) bool {
	for k := i; k < len(s.words) && k < i+reach; k++ {
		between := s.between(k)
		switch {
		case strings.ContainsRune(between, ':'):
			return s.secretAt(k, t, true)
		case strings.ContainsAny(between, ".!?;\n") && !(k == i && numero(s.words[k-1].form)):
			return false
		case k == i && s.atOnce(k, t):
			return true
		case k+1 == len(s.words):
			return false
		case copulas()[s.words[k].form] && s.secretAt(k+1, t, strings.ContainsRune(s.between(k+1), ':')):
			return true
		case movers()[s.words[k].form] && (t == loose || t == strict) && s.strongAt(k+1):
			return true
		}
	}
	return false
}

// numero reports whether a word is short for "number", so that its full stop ends
// nothing.
func numero(form string) bool { return form == "no" || form == "nr" }

// atOnce reports whether what stands at word k is a value without any word that
// introduces it.
func (s sentence) atOnce(k int, t trust) bool {
	switch v := s.value(k); t {
	case bare:
		return s.strongAt(k) && digitsIn(v) >= minBare
	case loose:
		return s.strongAt(k) || len(v) >= minDrawn && strings.ContainsFunc(v, notLetter) && !s.remarkAt(k, v) && s.ends(s.lastOf(k, v))
	case strict:
		return s.strongAt(k)
	}
	return s.fits(k, t)
}

// precedes reports whether a value stands before a keyword at words i to after,
// with a form of "to be" between.
func (s sentence) precedes(i, after int, t trust) bool {
	for k := i - 1; k > 0 && k >= i-reverse; k-- {
		if strings.ContainsAny(s.between(k+1), ".!?;:\n") {
			return false
		}
		if copulas()[s.words[k].form] {
			return s.valueBefore(k) || t == loose && s.ends(after-1) && s.wordBefore(k)
		}
	}
	return false
}

// valueBefore reports whether the word before word k looks drawn, or is a number.
func (s sentence) valueBefore(k int) bool {
	value := s.words[k-1].form
	if k > 1 && allDigits(value) && allDigits(s.words[k-2].form) {
		value = s.words[k-2].form + value
	}
	return digitsIn(value) > 1 && len(value) >= minStrong
}

// wordBefore reports whether a clause that goes on with word k begins with a word
// that can be a password: "sunshine is my password".
func (s sentence) wordBefore(k int) bool {
	v := s.words[k-1].form
	begins := k == 1 || strings.ContainsAny(s.between(k-1), ".,!?;:\n") || continuations()[s.words[k-2].form]
	return begins && len(v) >= minStrong && !remark(v, v)
}

// between returns what stands before word k, back to the word before it.
func (s sentence) between(k int) string {
	if k == 0 {
		return ""
	}
	return s.text[s.words[k-1].to:s.words[k].from]
}

// maxValue is how many bytes of a longer value are looked at.
const maxValue = 256

// value returns what stands at word k up to the next space, without quotes; of a
// number, also the next group of digits.
func (s sentence) value(k int) string {
	if form := s.words[k].form; k+1 < len(s.words) && allDigits(form) && allDigits(s.words[k+1].form) && len(s.between(k+1)) == 1 {
		return form + s.words[k+1].form
	}
	from := s.words[k].from
	n, _ := slices.BinarySearch(s.spaces, from)
	to := s.spaces[n]
	if to > from+maxValue {
		for to = from + maxValue; !utf8.RuneStart(s.text[to]); to-- {
		}
	}
	return strings.TrimRight(s.text[from:to], ".,;:!?)]}\"'”’»*_")
}

// lastOf returns the last word of a value v at word k.
func (s sentence) lastOf(k int, v string) int {
	end := s.words[k].from + len(v)
	for k+1 < len(s.words) && s.words[k+1].from < end {
		k++
	}
	return k
}

// remarkAt reports whether a value v at word k is a remark. One of several words is
// none.
func (s sentence) remarkAt(k int, v string) bool {
	return s.lastOf(k, v) == k && remark(v, s.words[k].form)
}

func allDigits(s string) bool { return digitsIn(s) == len(s) }

// strongAt reports whether what stands at word k looks drawn: with digits, and
// long enough.
func (s sentence) strongAt(k int) bool {
	v := s.value(k)
	return len(v) >= minStrong && digitsIn(v) > 0 && !strings.Contains(v, "://") && !harmlessNumber(v)
}

// harmlessNumber reports whether a value is a date, a time or an amount.
func harmlessNumber(v string) bool {
	digits := digitsIn(v)
	return digits < len(v) && digits+strings.Count(v, "-")+strings.Count(v, "/")+strings.Count(v, ".")+strings.Count(v, ":")+strings.Count(v, ",") == len(v)
}

// secretAt reports whether what stands at word k is the value of a keyword of
// trust t, introduced by a colon or by a word.
func (s sentence) secretAt(k int, t trust, colon bool) bool {
	switch v := s.value(k); t {
	case loose:
		if s.strongAt(k) || s.phraseAt(k) {
			return true
		}
		return len(v) >= minLoose && !s.remarkAt(k, v) && (colon || strings.ContainsFunc(v, notLetter) || s.ends(k))
	case strict, bare:
		return s.strongAt(k) && digitsIn(v) > 1
	case pair:
		return colon && s.pairAt(k)
	}
	return s.fits(k, t)
}

// fits reports whether what stands at word k has the shape of a value of trust t.
func (s sentence) fits(k int, t trust) bool {
	v := s.value(k)
	digits := digitsIn(v)
	switch t {
	case short:
		return allDigits(v) && digits > 2
	case dialled:
		return s.digitsAt(k) >= minStrong || digits >= minStrong && len(v) >= minDrawn
	case drawn:
		return digits == len(v) && digits >= minNumber || len(v) >= minDrawn && 0 < digits && digits < len(v) && !strings.ContainsFunc(v, mark)
	}
	return false
}

// mark reports what is neither letter nor digit.
func mark(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// digitsAt returns how many digits stand at word k and on, with a character
// between groups of them.
func (s sentence) digitsAt(k int) int {
	n := 0
	for i := k; i < len(s.words) && allDigits(s.words[i].form) && (i == k || len(s.between(i)) == 1); i++ {
		n += len(s.words[i].form)
	}
	return n
}

// pairAt reports whether a name stands at word k, and after it a word of letters
// and digits.
func (s sentence) pairAt(k int) bool {
	if k+1 >= len(s.words) || strings.ContainsAny(s.between(k+1), ".!?;\n") {
		return false
	}
	v := s.value(k + 1)
	return s.strongAt(k+1) && digitsIn(v) < len(v)
}

// phraseAt reports whether two or more words stand at word k up to the end of a
// clause that say nothing about a password: "correct horse", not "wrong again".
func (s sentence) phraseAt(k int) bool {
	for i := k; i < len(s.words) && i < k+maxPhrase; i++ {
		form := s.words[i].form
		if stopWord(form, allLanguages) || continuations()[form] || strings.ContainsFunc(form, notLetter) {
			return false
		}
		if i+1 == len(s.words) || strings.ContainsAny(s.between(i+1), ".,!?;\n") {
			return i > k && !remark(form, form) && !strings.HasSuffix(form, "ly")
		}
	}
	return false
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

// ends reports whether a clause ends after word k, or goes on as one does after
// a value ("… is hunter for the router").
func (s sentence) ends(k int) bool {
	return k+1 == len(s.words) || strings.ContainsAny(s.between(k+1), ".,!?;\n") || continuations()[s.words[k+1].form]
}

// remark reports whether a word after "the password is", as written and in
// canonical form, says something about the password.
func remark(v, form string) bool {
	if remarks()[form] || stopWord(form, allLanguages) {
		return true
	}
	return v == form && !strings.ContainsFunc(v, notLetter) && (strings.HasSuffix(form, "ed") || strings.HasSuffix(form, "ing") || strings.HasSuffix(form, "able"))
}
