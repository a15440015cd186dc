package phrase

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// Remind reads a whole sentence that asks to be reminded, such as "remind me
// tomorrow at 9 to call mum" or "tomorrow at 9 remind me to call mum"; false says
// that it is none, as "remind me what we said" is none. What its time means, and
// what is refused, is told at When; "remind me to call mum" fails because it says
// no time. The Text is empty where they say only when.
func Remind(text string, now time.Time) (Timing, bool, error) {
	in, ok := request(text)
	switch {
	case !ok:
		return Timing{}, false, nil
	case len(text) > maxTimed:
		return Timing{}, true, errLong
	case in.size == 0:
		return Timing{}, true, errWhen
	}
	t, err := in.timing(now)
	return t, true, err
}

// mayRequest finds the texts that may ask to be reminded; only those are read.
func mayRequest(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc([]string{"remind", "erinner", "ecuerd", "ecuérd", "record", "avis", "avís", "rappel", "提醒", "闹钟", "鬧鐘"},
		func(stem string) bool { return strings.Contains(text, stem) })
}

// request reads the wish to be reminded, and the time in it; its size is 0 if there
// is none. Courtesies may stand before it.
func request(text string) (timed, bool) {
	if !mayRequest(text) {
		return timed{}, false
	}
	text = strings.TrimLeftFunc(text[:min(len(text), maxTimed)], opening)
	for i, g := range tongues() {
		rest := text
		for range maxLead {
			if in, ok := g.request(rest); ok {
				return in, true
			}
			n := len(grammars()[i].lead.FindString(rest))
			if n == 0 {
				break
			}
			rest = rest[n:]
		}
	}
	return timed{}, false
}

// request reads a text that begins with the wish, or with the time.
func (g *tongue) request(text string) (timed, bool) {
	f := fold(text)
	start := len(g.polite.FindString(f.text))
	_, at := g.head(f.text, start)
	before := at > 0
	at += start
	if before {
		at += len(f.text[at:]) - len(strings.TrimLeft(f.text[at:], " ,"))
	}
	m := g.ask.FindStringSubmatchIndex(f.text[at:])
	if m == nil {
		return timed{}, false
	}
	from := at + m[1]
	if g.can.MatchString(f.text[:from]) { // its mark is that of the whole, not of the text
		text = question().ReplaceAllString(text, "")
		f = fold(text)
	}
	if i := g.ask.SubexpIndex("rest"); i > 0 && m[2*i] >= 0 {
		from = at + m[2*i] // "can you … remind me": the verb ends it
		f.text = g.verb.ReplaceAllString(f.text, "")
	}
	rest := f.text[from:]
	if before {
		in, _ := g.find(f.cut(text, start, len(f.text)))
		return in, true
	}
	return g.wish(apart(f.cut(text, from, len(f.text))), rest)
}

// question finds what makes a question of a whole text.
var question = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\s*(?:[吗嗎]\s*)?[?？]\s*$|[吗嗎]$`) })

// wish reads what stands behind "remind me".
func (g *tongue) wish(text, folded string) (timed, bool) {
	folded = strings.TrimLeft(folded, " ,")
	if _, size := g.head(folded, 0); size == 0 && g.wonders.MatchString(folded) {
		return timed{}, false
	}
	f := fold(text)
	in, ok := find(f.cut(text, len(g.apart.FindString(f.text)), len(f.text)))
	in.lang = g.lang
	return in, ok || g.object.MatchString(folded) || g.opens.MatchString(folded) || tidy(folded) == ""
}
