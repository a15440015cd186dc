package phrase

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
)

// Remind reads a whole sentence that asks to be reminded, such as "remind me
// tomorrow at 9 to call mum" or "tomorrow at 9 remind me to call mum"; false says
// that it is none, as "remind me what we said" is none. What its time means, and
// what is refused, is told at When; "remind me to call mum" fails because it says
// no time, and several wishes in one text fail as well. The Text is empty where they say only when.
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
	return slices.ContainsFunc([]string{"remind", "rmind", "remnd", "remid", "reming", "alarm", "wake ", "erinner", "weck", "ecuerd", "ecuérd", "record", "avis", "avís", "despi", "desper",
		"rappel", "veil", "提醒", "闹钟", "鬧鐘", "叫"},
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
				if g.again(in.text) {
					in.problem = errMany
				}
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

// again reports whether what somebody is to be reminded of asks for more reminders.
func (g *tongue) again(text string) bool {
	f := fold(strings.ReplaceAll(text, "\n", ";"))
	return slices.ContainsFunc(g.more.Split(f.text, -1)[1:], func(part string) bool {
		part = strings.TrimLeft(part, " ")
		_, at := g.upto(part)
		r, n := g.head(part, 0) // "and at 10 to call dad"
		return at >= 0 || r.said&saidClock != 0 && strings.ContainsFunc(g.apart.FindString(part[n:]), unicode.IsLetter)
	})
}

// upto finds the wish to be reminded, which stands first or behind a time; at is
// negative if there is none. Times that are joined are several, which find refuses.
func (g *tongue) upto(text string) (start, at int) {
	start = len(g.polite.FindString(text))
	at = start
	for {
		_, n := g.head(text, at)
		at += n
		join := len(joint().FindString(text[at:]))
		if _, more := g.head(text, at+join); n == 0 || join == 0 || more == 0 {
			break
		}
		at += join
	}
	if at > start {
		at += len(text[at:]) - len(strings.TrimLeft(text[at:], " ,"))
	}
	if !g.ask.MatchString(text[at:]) {
		return start, -1
	}
	return start, at
}

// joint finds what joins two times.
var joint = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^ ?(?:and|or|und|oder|y|o|et|ou|和|与|跟|及|或|、|,) ?`)
})

// asks returns how long the wish is with which a text begins, without the first
// words of what it is about.
func (g *tongue) asks(text string) (size int, ok bool) {
	m := g.ask.FindStringSubmatchIndex(text)
	if m == nil {
		return 0, false
	}
	if i := g.ask.SubexpIndex("end"); i > 0 && m[2*i] >= 0 {
		return m[2*i], true
	}
	return m[1], true
}

// request reads a text that begins with the wish, or with the time.
func (g *tongue) request(text string) (timed, bool) {
	f := fold(text)
	start, at := g.upto(f.text)
	if at < 0 {
		return timed{}, false
	}
	size, _ := g.asks(f.text[at:])
	from := at + size
	if g.can.MatchString(f.text[:from]) { // its mark is that of the whole, not of the text
		text = question().ReplaceAllString(text, "")
		f = fold(text)
	}
	if rest := g.rest(f.text[at:]); rest >= 0 { // "can you … remind me": the verb ends it
		from = at + rest
		f.text = g.verb.ReplaceAllString(f.text, "")
	}
	if at > start {
		in, _ := g.find(f.cut(text, start, len(f.text)))
		return in, true
	}
	return g.wish(apart(f.cut(text, from, len(f.text))), f.text[from:])
}

// rest is where the time and the text stand within a wish that frames them; negative
// if it does not.
func (g *tongue) rest(text string) int {
	m := g.ask.FindStringSubmatchIndex(text)
	for i, name := range g.ask.SubexpNames() {
		if name == "rest" && m != nil && m[2*i] >= 0 {
			return m[2*i]
		}
	}
	return -1
}

// question finds what makes a question of a whole text.
var question = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\s*(?:[吗嗎]\s*)?[?？]\s*$|[吗嗎]$`) })

// wish reads what stands behind "remind me". Without a time it is none only if it
// asks for something that was said: "remind me of my address".
func (g *tongue) wish(text, folded string) (timed, bool) {
	folded = strings.TrimLeft(folded, " ,")
	if _, size := g.head(folded, 0); size == 0 && g.wonders.MatchString(folded) {
		return timed{}, false
	}
	f := fold(text)
	in, ok := find(f.cut(text, len(g.apart.FindString(f.text)), len(f.text)))
	in.lang = g.lang
	return in, ok || !g.known.MatchString(folded) || g.opens.MatchString(folded) || !asking(text) && g.same.MatchString(tidy(folded))
}
