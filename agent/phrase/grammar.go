package phrase

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// grammar is what one language says. The rules are tried in order; the first
// that matches decides, so exceptions stand before the rule they except from.
type grammar struct {
	lang  string
	lead  *regexp.Regexp // a word that may precede a phrase: "hey", "please"
	tail  *regexp.Regexp // words that may follow a payload: "…, please"
	rules []rule
}

// rule recognises one way to say something. The payload is the group named p
// if the pattern has one, else what follows the match.
type rule struct {
	kind  Kind
	re    *regexp.Regexp
	whole bool // it is the whole message, but for marks at its end
	asked bool // a request that may be put as a question: "can you remember that …?"
}

// In patterns a space stands for any blanks, ' for every apostrophe, WORD for
// one word and PLACE for the payload of a TimeQuestion: a zone, or the one to
// four words of a city.
var shorthand = strings.NewReplacer(
	" ", `[\s\p{Z}]+`,
	"'", "['’´`ʼ]",
	"WORD", `[^\s\p{Z},;:!?]+`,
	"PLACE", `(?P<p>[^\s\p{Z},;:!?]+(?:[\s\p{Z}]+[^\s\p{Z},;:!?]+){0,3}?)`,
)

func compile(pattern string) *regexp.Regexp {
	return regexp.MustCompile(`^(?is:` + shorthand.Replace(pattern) + `)`)
}

// exactly matches a pattern at the beginning, wherever it ends.
func exactly(k Kind, pattern string) rule { return rule{kind: k, re: compile(pattern)} }

// begins matches a pattern that is followed by the end of a word.
func begins(k Kind, pattern string) rule {
	return exactly(k, `(?:`+pattern+`)(?:[\s\p{Z},;:.!]|$)`)
}

// whole matches a pattern that is the whole message.
func whole(k Kind, pattern string) rule {
	return rule{kind: k, whole: true, re: compile(`(?:` + pattern + `)$`)}
}

// asks makes a rule apply to questions too.
func (r rule) asks() rule {
	r.asked = true
	return r
}

// maxLead is how many words may precede a phrase.
const maxLead = 8

// leading compiles words that are set apart from the phrase by blanks or marks.
func leading(words string) *regexp.Regexp {
	return compile(`(?:` + words + `)[\s\p{Z},;:.!¡¿]+`)
}

// trailing compiles words that may end a message, after a mark or a blank.
func trailing(words string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)[\s\p{Z},]+(?:` + shorthand.Replace(words) + `)$`)
}

// grammars are compiled once, at the first use.
var grammars = sync.OnceValue(func() []grammar {
	return []grammar{english(), german(), spanish(), french(), chinese()}
})

// parse tries the phrase as it is, then without the words that lead to it.
func (g *grammar) parse(text string, from int, asks bool) (Intent, bool) {
	for range maxLead {
		if in, ok := g.match(text, from, asks); ok {
			return in, true
		}
		n := len(g.lead.FindString(text[from:]))
		if n == 0 {
			break
		}
		from += n
	}
	return Intent{}, false
}

func (g *grammar) match(text string, from int, asks bool) (Intent, bool) {
	rest := text[from:]
	bare := strings.TrimRightFunc(rest, mark)
	for i := range g.rules {
		r := &g.rules[i]
		if asks && !r.asked && r.kind.stated() {
			continue
		}
		subject := rest
		if r.whole {
			subject = bare
		}
		m := r.re.FindStringSubmatchIndex(subject)
		if m == nil {
			continue
		}
		if in, ok := g.intent(r, text, from, m); ok {
			return in, true
		}
	}
	return Intent{}, false
}

// mark reports what is no part of a word, such as a full stop or an emoji.
func mark(r rune) bool {
	return !unicode.In(r, unicode.L, unicode.N, unicode.M) || unicode.Is(unicode.Variation_Selector, r)
}

// stated reports that a kind is not put as a question.
func (k Kind) stated() bool {
	return k == None || k == Remember || k == Forget || k == Preference
}

// intent makes an Intent of a match of r at from. A command without its object
// is none.
func (g *grammar) intent(r *rule, text string, from int, m []int) (Intent, bool) {
	in := Intent{Kind: r.kind, Lang: g.lang}
	if r.kind == None || r.kind == Greeting || r.kind == Thanks || r.kind == Reminders || r.kind == Change {
		return in, true
	}
	start, end := r.payload(len(text)-from, m)
	start, end = g.trim(text, from+start, from+end)
	in.set(text, start, end)
	return in, start < end || r.kind == TimeQuestion
}

// payload returns where the payload lies in a text of n bytes whose match is
// m, before trimming.
func (r *rule) payload(n int, m []int) (start, end int) {
	switch p := r.re.SubexpIndex("p"); {
	case p > 0 && m[2*p] >= 0:
		return m[2*p], m[2*p+1]
	case r.kind == TimeQuestion:
		return m[1], m[1]
	case r.kind == Preference || r.kind == Question:
		return m[0], n // its first words belong to it
	}
	return m[1], n
}

// trim cuts the marks around a payload, and courtesies after it.
func (g *grammar) trim(text string, start, end int) (int, int) {
	s := trimStart(text[start:end])
	start = end - len(s)
	s = trimEnd(s)
	if loc := g.tail.FindStringIndex(s); loc != nil {
		s = trimEnd(s[:loc[0]])
	}
	return start, start + len(s)
}
