package style

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"nacre/agent/mail"
	"nacre/memory/canon"
)

// Check looks for what a description may not hold. It is what keeps a careless or a
// hostile model from telling anything but how somebody writes, so it refuses rather
// too much: every word must be of the closed lexicon of one language, and what a
// lexicon holds must not be a name in the letters either. Only between quotation
// marks may there be forms of greeting of other languages.
//
// In French and Spanish "Utilise" and "Usa" are both a statement and an order; they
// pass for the statement, since no more than a manner of writing can follow them.
func Check(text string, list []mail.Letter) Flaw {
	return corpusOf(list).check(text)
}

// corpus is letters as they are compared with.
type corpus struct {
	texts  []string
	pieces [][]string
	names  names
}

func corpusOf(list []mail.Letter) *corpus {
	c := &corpus{}
	for i := range list {
		c.texts = append(c.texts, list[i].Text)
		c.pieces = append(c.pieces, pieces(list[i].Text))
	}
	c.names = namesOf(c.texts)
	return c
}

// check is Check.
func (c *corpus) check(text string) Flaw {
	tokens := tokensOf(text)
	switch {
	case len(tokens) == 0:
		return Empty
	case utf8.RuneCountInString(text) > MaxText:
		return TooLong
	case addressed(text, tokens):
		return Addressed
	case misshapen(text):
		return Shaped
	case dated(text, tokens):
		return Dated
	case digits(tokens):
		return Numbered
	case c.quotes(text), longQuote(text):
		return Quoted
	case canon.Instruction(text):
		return Commanded
	case c.names.in(canon.Form(text)):
		return Named
	}
	if _, secret := canon.Secret(text); secret || len(canon.Topics(text)) > 0 {
		return Telling
	}
	return foreign(tokens)
}

// misshapen reports whether a text is more than one paragraph of letters and plain
// punctuation.
func misshapen(text string) bool {
	return !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool {
		return !letter(r) && !quotationMark(r) && !strings.ContainsRune(plainMarks, r)
	})
}

// plainMarks is what may stand between words, and the emoji that say no more than
// that somebody is friendly.
const plainMarks = " .,;:!?…()/'’‘‚-‐‑–—¡¿。，、；：！？（）·" + "🙂😊😀😃😄😁😉😂🤣😅👍🙏❤\ufe0f"

// address is what an address of mail or web looks like, and a telephone number.
var address = regexp.MustCompile(`(?i)@|://|www\.|\pL{2,}\.\pL{2,}|\b(dot|punkt|point|punto) (com|org|net|de|fr|es|io|cn)\b|\+?\p{Nd}([ ()/.-]*\p{Nd}){5,}`)

// addressed reports whether a text holds an address.
func addressed(text string, tokens []token) bool {
	if address.MatchString(text) {
		return true
	}
	for i := range tokens {
		if w := tokens[i].form; streets()[w] || strings.HasSuffix(w, "strasse") || strings.HasSuffix(w, "gasse") {
			return true
		}
	}
	return strings.Contains(text, "街道") || strings.Contains(text, "大街")
}

var streets = sync.OnceValue(func() set {
	return setOf("street avenue boulevard lane str allee rue calle avenida plaza postfach")
})

// dates are words of the calendar, without those that mean something else as well.
var dates = sync.OnceValue(func() set {
	return setOf(`monday tuesday wednesday thursday friday saturday sunday january february april june july august september october november december today tomorrow yesterday
montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag montags freitags januar jänner februar märz mai juni juli oktober dezember heute morgen gestern
lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril juin juillet août septembre octobre novembre décembre demain
lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre mañana ayer hoy`)
})

// chineseDate is a day of the week, a month or a day in Chinese.
var chineseDate = regexp.MustCompile(`(星期|礼拜|周)[一二三四五六日天末]|[一二三四五六七八九十\d]月|今天|明天|昨天|今年|去年|明年`)

// dated reports whether a text holds a date. The greeting "Guten Morgen" is none.
func dated(text string, tokens []token) bool {
	for i := range tokens {
		t := &tokens[i]
		if (t.form == "may" || t.form == "march") && t.capital && !t.first {
			return true
		}
		if dates()[t.form] && !t.quoted {
			return true
		}
	}
	return chineseDate.MatchString(text)
}

func digits(tokens []token) bool {
	for i := range tokens {
		if tokens[i].number {
			return true
		}
	}
	return false
}

// foreign tells why no language has all the words of a text, by the language that has
// most of them; empty if one has all.
func foreign(tokens []token) Flaw {
	var flaw Flaw
	least := len(tokens) + 1
	for _, lang := range languages {
		strange, why := lexicons()[lang].judge(tokens, lang)
		if why == "" {
			return ""
		}
		if strange < least {
			least, flaw = strange, why
		}
	}
	return flaw
}

// judge counts the words that are not of a lexicon, and tells what is wrong.
func (l *lexicon) judge(tokens []token, lang string) (strange int, flaw Flaw) {
	note := func(f Flaw) {
		strange++
		if flaw == "" || flaw == Telling {
			flaw = f
		}
	}
	writing := map[int]bool{}
	for i := 0; i < len(tokens); i++ {
		t := &tokens[i]
		if n, idiom := l.phrase(tokens[i:], lang); n > 0 {
			writing[t.sentence] = writing[t.sentence] || !idiom
			i += n - 1
			continue
		}
		switch m, known := l.words[t.form]; {
		case t.quoted && formWords()[t.form]:
			writing[t.sentence] = true
		case !t.quoted && l.commands(t):
			note(Commanded)
		case l.numbers[t.form]:
			if !l.counts(tokens, i) {
				note(Numbered)
			}
		case l.tongues[t.form]:
			writing[t.sentence] = true
			if !l.written(tokens, i, lang) {
				note(Telling)
			}
		case !known && t.capital && !t.first && lang != "de":
			note(Named)
		case !known:
			note(Telling)
		case t.capital && !t.first && !m.capital:
			note(Named)
		default:
			writing[t.sentence] = writing[t.sentence] || m.writing
		}
	}
	switch {
	case flaw != "":
		return strange, flaw
	case !everySentence(tokens, writing):
		return 0, Telling
	}
	return 0, l.claim(tokens)
}

// phrase counts the words of the phrase that a text begins with, 0 if it is none, and
// reports whether it is one that is not about writing.
func (l *lexicon) phrase(tokens []token, lang string) (n int, idiom bool) {
	for i, words := range l.phrases {
		if len(words) <= len(tokens) && !slices.ContainsFunc(tokens[1:len(words)], func(t token) bool { return t.first || t.capital && lang != "de" }) &&
			slices.EqualFunc(words, tokens[:len(words)], func(w string, t token) bool { return w == t.form }) {
			return len(words), i < l.idioms
		}
	}
	return 0, false
}

// commands reports whether a word is for somebody who is told what to do.
func (l *lexicon) commands(t *token) bool {
	return l.orders[t.form] || t.clause && l.starts[t.form]
}

// within is how many words behind a number what it counts may stand.
const within = 5

// counts reports whether a number counts something of writing: "two or three short
// sentences". Two numbers in a row are more than a number of sentences.
func (l *lexicon) counts(tokens []token, i int) bool {
	if i+1 < len(tokens) && l.numbers[tokens[i+1].form] {
		return false
	}
	for _, t := range tokens[i+1 : min(i+1+within, len(tokens))] {
		if t.sentence == tokens[i].sentence && l.units[t.form] {
			return true
		}
	}
	return false
}

// written reports whether a language is named as one that somebody writes in, and not
// where they are from. In Chinese the two are different words.
func (l *lexicon) written(tokens []token, i int, lang string) bool {
	return lang == "zh" || i > 0 && (l.before[tokens[i-1].form] || l.tongues[tokens[i-1].form])
}

// everySentence reports whether every sentence is about writing.
func everySentence(tokens []token, writing map[int]bool) bool {
	for i := range tokens {
		if !writing[tokens[i].sentence] {
			return false
		}
	}
	return true
}
