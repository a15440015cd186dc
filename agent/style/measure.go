package style

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"nacre/agent/mail"
)

// Measure describes letters without a model, in plain English words, within MaxText.
// It says only what passes Check, so that no sentence of it stands in a letter; empty
// if nothing can be said.
func Measure(list []mail.Letter) string {
	list = slices.DeleteFunc(slices.Clone(list), func(l mail.Letter) bool { return strings.TrimSpace(l.Text) == "" })
	if len(list) == 0 {
		return ""
	}
	c, text := corpusOf(list), ""
	for _, say := range []func([]string) string{tongues, lengths, greetings, farewells, manner, formality, punctuation, pictures, lists} {
		sentence := say(c.texts)
		longer := strings.TrimSpace(text + " " + sentence)
		if sentence != "" && c.check(longer) == "" {
			text = longer
		}
	}
	return text
}

// Shares of letters from which on something is said to be so.
const (
	mostShare  = 0.8
	oftenShare = 0.4
	someShare  = 0.1
)

// often says in a word how many of all do something; empty for hardly any.
func often(n, all int) string {
	switch share := float64(n) / float64(all); {
	case share >= mostShare:
		return "usually"
	case share >= oftenShare:
		return "often"
	case share >= someShare:
		return "sometimes"
	}
	return ""
}

// capital lets a word begin a sentence.
func capital(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// countIf counts the letters of which something is true.
func countIf(letters []string, is func(string) bool) int {
	n := 0
	for _, text := range letters {
		if is(text) {
			n++
		}
	}
	return n
}

// share is a language and how many letters are in it.
type share struct {
	of string
	n  int
}

// ranked sorts what was counted, the most first.
func ranked(count map[string]int) []share {
	var all []share
	for of, n := range count {
		all = append(all, share{of, n})
	}
	slices.SortFunc(all, func(a, b share) int {
		if a.n != b.n {
			return b.n - a.n
		}
		return strings.Compare(a.of, b.of)
	})
	return all
}

// tongues tells the mix of languages.
func tongues(letters []string) string {
	count := map[string]int{}
	for _, text := range letters {
		if name := languageNames[languageOf(text)]; name != "" {
			count[name]++
		}
	}
	list := slices.DeleteFunc(ranked(count), func(s share) bool { return often(s.n, len(letters)) == "" })
	switch {
	case len(list) == 0:
		return ""
	case len(list) == 1 && list[0].n == len(letters):
		return "Writes in " + list[0].of + "."
	case len(list) == 1:
		return "Writes mostly in " + list[0].of + "."
	case 2*list[0].n <= len(letters):
		return "Writes in " + list[0].of + " and in " + list[1].of + "."
	}
	return "Writes mostly in " + list[0].of + ", sometimes in " + list[1].of + "."
}

// sentenceEnd is where a sentence of a letter ends, in prose.
var sentenceEnd = regexp.MustCompile(`[.!?…]+(\s|$)|[。！？]+|\n+`)

// sentencesOf are the sentences of a letter with at least two words: without its
// greeting and its name.
func sentencesOf(text string) []int {
	var lengths []int
	for _, s := range sentenceEnd.Split(text, -1) {
		if n := mail.Words(s); n > 2 {
			lengths = append(lengths, n)
		}
	}
	return lengths
}

func median(list []int) int {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[len(list)/2]
}

// lengths tells how long sentences and mails are.
func lengths(letters []string) string {
	var sentences, paragraphs []int
	for _, text := range letters {
		sentences = append(sentences, sentencesOf(text)...)
		paragraphs = append(paragraphs, paragraphsOf(text))
	}
	return "Writes " + sentenceLength(median(sentences)) + ", " + paragraphCount(median(paragraphs)) + "."
}

func sentenceLength(words int) string {
	switch {
	case words <= 7:
		return "very short sentences"
	case words <= 11:
		return "short sentences (fewer than a dozen words)"
	case words <= 16:
		return "sentences of medium length (about a dozen words)"
	case words <= 24:
		return "rather long sentences (about twenty words)"
	}
	return "very long sentences"
}

func paragraphCount(n int) string {
	switch {
	case n <= 1:
		return "in one paragraph"
	case n <= 3:
		return "in two or three paragraphs"
	}
	return "in several paragraphs"
}

// blankLine parts paragraphs.
var blankLine = regexp.MustCompile(`\n[ \t]*\n`)

// paragraphsOf counts the paragraphs of a letter without its greeting and closing.
func paragraphsOf(text string) int {
	n := 0
	for _, p := range blankLine.Split(text, -1) {
		if mail.Words(p) > maxGreeted {
			n++
		}
	}
	return n
}

// greetings tells how mails open.
func greetings(letters []string) string {
	count := map[string]int{}
	for _, text := range letters {
		if p, ok := opens(linesOf(text)); ok {
			count[p.text]++
		}
	}
	return forms(count, len(letters), "opens with", "Mostly without a greeting.")
}

// farewells tells how mails close.
func farewells(letters []string) string {
	count := map[string]int{}
	for _, text := range letters {
		if p, _, ok := closes(linesOf(text)); ok {
			count[p.text]++
		}
	}
	return forms(count, len(letters), "closes with", "Mostly without a closing.")
}

// forms tells the two forms that are used most, or that none is used.
func forms(count map[string]int, all int, verb, none string) string {
	list := ranked(count)
	with := 0
	for _, s := range list {
		with += s.n
	}
	if 2*with < all {
		return none
	}
	word := often(with, all)
	text := capital(word) + " " + verb + " “" + list[0].of + "”"
	if len(list) > 1 && often(list[1].n, all) != "" {
		text += " or “" + list[1].of + "”"
	}
	return text + "."
}

// manners are the words for "you" of the languages that have more than one, the more
// polite ones first. German tells one by its capital.
var manners = []struct {
	lang, as, words string
	capital         bool
}{
	{"de", "Sie", "Sie Ihnen Ihr Ihre Ihren Ihrem Ihrer", true},
	{"de", "du", "du dich dir dein deine deinen deinem deiner", false},
	{"fr", "vous", "vous votre vos", false},
	{"fr", "tu", "tu toi tes", false},
	{"es", "usted", "usted ustedes", false},
	{"es", "tú", "tú ti contigo tienes puedes quieres tus", false},
	{"zh", "您", "您 您好 您的", false},
	{"zh", "你", "你 你好 你的", false},
}

// manner tells how readers are addressed, by the two forms that most letters use.
func manner(letters []string) string {
	count := map[string]int{}
	for _, text := range letters {
		if as := addressOf(text); as != "" {
			count[as]++
		}
	}
	list := slices.DeleteFunc(ranked(count), func(s share) bool { return often(s.n, len(letters)) == "" })
	switch len(list) {
	case 0:
		return ""
	case 1:
		return "Addresses the reader as “" + list[0].of + "”."
	}
	return "Addresses readers as “" + list[0].of + "” or “" + list[1].of + "”."
}

// addressOf is the form in which a letter addresses its reader, empty if it does not.
func addressOf(text string) string {
	lang, tokens := languageOf(text), tokensOf(text)
	for _, m := range manners {
		words := setOf(m.words)
		if lang == m.lang && slices.ContainsFunc(tokens, func(t token) bool {
			return words[t.form] && (!m.capital || t.capital && !t.first) || lang == "zh" && strings.Contains(t.form, m.as)
		}) {
			return m.as
		}
	}
	return ""
}

// contraction is one of English.
var contraction = regexp.MustCompile(`(?i)\b\pL+(n['’]t|['’](m|re|ve|ll|d))\b`)

// formality tells whether English is contracted, which is its plainest sign of it.
func formality(letters []string) string {
	english := countIf(letters, func(text string) bool { return languageOf(text) == "en" })
	if 2*english < len(letters) {
		return ""
	}
	short := countIf(letters, func(text string) bool { return languageOf(text) == "en" && contraction.MatchString(text) })
	switch often(short, english) {
	case "":
		return "Rather formal, without contractions."
	case "sometimes":
		return "Sometimes uses contractions."
	}
	return "Informal, with contractions."
}

// habits are marks that show in letters.
var habits = []struct {
	name string
	mark *regexp.Regexp
}{
	{"exclamation marks", regexp.MustCompile(`[!！]`)},
	{"questions", regexp.MustCompile(`[?？]`)},
	{"ellipses", regexp.MustCompile(`…|\.\.\.|。。。`)},
	{"dashes", regexp.MustCompile(` [–—-] |—`)},
	{"parentheses", regexp.MustCompile(`[(（]\pL`)},
	{"lower case at the beginning of sentences", regexp.MustCompile(`(?s)\A\p{Ll}.*[.!?]\s+\p{Ll}`)},
}

// punctuation tells which marks are used often, and which are not used.
func punctuation(letters []string) string {
	var much []string
	for _, h := range habits {
		if n := countIf(letters, h.mark.MatchString); float64(n) >= oftenShare*float64(len(letters)) {
			much = append(much, h.name)
		}
	}
	switch len(much) {
	case 0:
		return "Plain punctuation, hardly any exclamation marks."
	case 1:
		return "Often uses " + much[0] + "."
	}
	return "Often uses " + strings.Join(much[:len(much)-1], ", ") + " and " + much[len(much)-1] + "."
}

// pictured reports whether a text has an emoji or a face of punctuation.
func pictured(text string) bool {
	return face.MatchString(text) || strings.ContainsFunc(text, func(r rune) bool {
		return r >= 0x1F300 && r <= 0x1FAFF || r >= 0x2600 && r <= 0x27BF && unicode.Is(unicode.So, r)
	})
}

var face = regexp.MustCompile(`(^|\s)[:;]-?[)(DPp]`)

// pictures tells how often emoji are used.
func pictures(letters []string) string {
	if word := often(countIf(letters, pictured), len(letters)); word != "" {
		return capital(word) + " uses emoji."
	}
	return "Hardly any emoji."
}

// listLine begins a point of a list.
var listLine = regexp.MustCompile(`(?m)^\s*([-*•–]|\d{1,2}[.)])\s+\S.*\n\s*([-*•–]|\d{1,2}[.)])\s+\S`)

// lists tells how often points are listed.
func lists(letters []string) string {
	if word := often(countIf(letters, listLine.MatchString), len(letters)); word != "" {
		return capital(word) + " uses lists."
	}
	return ""
}
