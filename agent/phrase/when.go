package phrase

import (
	"strings"
	"time"
	"unicode"

	"nacre"
)

// Timing is what When and Remind understood.
type Timing struct {
	Schedule nacre.Schedule // with a Zone only if the person named one
	Text     string         // what it is about: a part of what they wrote; may be empty
	Lang     string         // of their words; see Intent
}

// maxTimed is the longest text in which a time is looked for, in bytes.
const maxTimed = 4000

// When reads a time, or a repetition, that stands at the beginning or at the end
// of a text about something ("tomorrow 9:00 call mum", "call mum every Monday at
// 8"), or is all of it. Now says what the time is where the person lives.
//
// What is not said is filled in: without a time of day 9:00 is meant (in the
// morning 9, at noon 12, in the afternoon 15, in the evening 19, at night 21), and
// an hour is that of the 24-hour clock unless it is said to be another. Without a
// day it is the next such time, today or tomorrow; a weekday is the next one, too,
// "next Monday" never today, and "this Monday" only today if it is one; a date without a year is the next one. Days are those
// of the calendar, so that "in 2 days" keeps the time on the clock; hours and what
// is smaller are real ones, also where they repeat. Of a time that clocks jump
// over the first moment behind it is meant. Days and weeks that repeat are those of
// the calendar, and so are 24 hours and their multiples; see jobs/timetable.
//
// Nothing is guessed. What seems to be of a time and is not understood, what may
// mean two things, what is past and more than one time fail with a nacre.Invalid
// sentence that asks back; so do a text without a time, and the clock of a place
// whose zone is not known for sure ("9am EST"). A colon behind a time at
// the beginning says that the rest is only the text.
func When(text string, now time.Time) (Timing, error) {
	if len(text) > maxTimed {
		return Timing{}, errLong
	}
	in, ok := find(text)
	if !ok {
		return Timing{}, errWhen
	}
	return in.timing(now)
}

// timed is a text in which a time was found.
type timed struct {
	reading
	text string
	lang string
	size int // bytes that the time takes
}

// find reads a text in every language. The one that makes most of it decides,
// whether it understands all of that or not.
func find(text string) (timed, bool) {
	var best timed
	for _, g := range tongues() {
		if in, ok := g.find(text); ok && in.size > best.size {
			best = in
		}
	}
	return best, best.size > 0
}

// timing is what is meant of it at a moment.
func (in *timed) timing(now time.Time) (Timing, error) {
	s, err := in.schedule(now)
	if err != nil {
		return Timing{}, err
	}
	return Timing{Schedule: s, Text: in.text, Lang: in.lang}, nil
}

// find reads a text in one language.
func (g *tongue) find(text string) (timed, bool) {
	f := fold(text)
	at, end := 0, len(f.text)
	r, size := g.head(f.text, 0)
	if size > 0 {
		at = size + g.skip(f.text[size:])
	}
	plain := at == size // nothing says where the text begins
	last, from := g.tail(f.text, at)
	switch both := r.with(last); {
	case size == 0 && from == end:
		return timed{}, false
	case from == end: // nothing at the end
	case plain:
		r, size, end = both, size+end-from, from
	case !r.complete() && (both.problem == nil || last.said&saidClock != 0): // "tomorrow: call mum at 9"
		r.problem = errTwo
	}
	in := timed{reading: r, size: size, text: g.about(&f, text, at, end), lang: g.lang}
	if !r.worded {
		in.lang = language(text)
	}
	if plain && in.problem == nil && in.text != "" {
		in.problem = beside(f.text[at:end], at > 0, end < len(f.text))
	}
	return in, true
}

// skip returns the length of what tells a time from the text behind it.
func (g *tongue) skip(text string) int {
	n := len(text) - len(strings.TrimLeft(text, " ,"))
	if size, ok := g.asks(text[n:]); ok { // "tomorrow at 9 remind me to …"
		n += size
		return n + len(g.apart.FindString(text[n:]))
	}
	between := g.apart.FindString(text)
	if after := text[len(between):]; strings.ContainsFunc(between, unicode.IsLetter) && number(after) {
		return 0 // "at 9 to 10"
	}
	return len(between)
}

// number reports whether a text begins with one.
func number(text string) bool { return text != "" && digit(text[0]) }

// about is what stands between two places, word for word: without what sets it
// apart from a time before it or behind it, and empty if no word is left that says
// what it is.
func (g *tongue) about(f *folded, text string, at, end int) string {
	s := f.cut(text, at, end)
	if at > 0 && f.text[at-1] != ' ' {
		s = apart(s)
	}
	if end < len(f.text) {
		s = strings.TrimRightFunc(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:–—(，；：、（", r) })
		s = strings.TrimSuffix(s, " -")
	}
	s = strings.TrimSpace(s)
	said := tidy(g.courtesy.ReplaceAllString(" "+trimEnd(s), ""))
	if said == "" || len(said) < maxSame && g.same.MatchString(fold(said).text) {
		return ""
	}
	return s
}

// maxSame is longer than what says nothing of what it is about, in bytes.
const maxSame = 40

// apart cuts the marks that set a text apart from the time before it.
func apart(s string) string {
	s = strings.TrimLeft(s, ",;:.!…，；：。！、")
	return strings.TrimLeftFunc(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",–—", r) })
}

// tidy cuts what stands around a text.
func tidy(s string) string { return trimEnd(trimStart(s)) }

// beside says what is wrong with a text that stands behind a time, or before one:
// something that belongs to a time, in any language, such as "at lunch" or a number.
func beside(text string, behind, before bool) error {
	text = strings.Trim(text, " ,")
	if behind && number(strings.TrimLeft(text, "+-")) || before && text != "" && digit(text[len(text)-1]) {
		return errUnclear
	}
	for _, g := range tongues() {
		if g.opens.MatchString(text) || before && g.closes.MatchString(text) {
			return errUnclear
		}
	}
	for _, g := range tongues() {
		for i := range text {
			if g.starts(text, i) && g.strong(text, i) {
				return errTwo
			}
		}
	}
	return nil
}

// head reads as much of a time as stands at a place; size is 0 if there is none.
func (g *tongue) head(text string, at int) (r reading, size int) {
	for from := at; ; {
		from += len(text[from:]) - len(strings.TrimLeft(text[from:], " ,"))
		p, n := g.piece(text, from, r.said)
		if n == 0 {
			return r, size
		}
		r = r.with(p)
		from += n
		size = from - at
	}
}

// maxTail is longer than any time, in bytes.
const maxTail = 120

// tail reads the longest time with which a text ends and that begins behind a
// place; from is the length of the text if there is none.
func (g *tongue) tail(text string, behind int) (r reading, from int) {
	for i := max(behind, len(text)-maxTail); i < len(text); i++ {
		if !g.starts(text, i) {
			continue
		}
		if r, n := g.head(text, i); n > 0 && g.over(text[i+n:]) {
			return r, i
		}
	}
	return reading{}, len(text)
}

// over reports whether nothing follows a time but marks, and a courtesy.
func (g *tongue) over(text string) bool {
	text = strings.TrimRightFunc(text, mark)
	if loc := g.courtesy.FindStringIndex(text); loc != nil {
		text = strings.TrimRightFunc(text[:loc[0]], mark)
	}
	return text == ""
}
