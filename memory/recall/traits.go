package recall

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"nacre/memory/recall/terms"
)

// traits is what the ranking knows of every message without reading its text.
type traits struct {
	session uint32 // counted by the index, for each owner
	sent    uint32 // minutes since 1970 in UTC
	author  uint16 // counted by the index, for each owner
	length  uint8  // terms that are not stop words, at most 255
	flags   flags
}

func (t traits) has(f flags) bool { return t.flags&f != 0 }

// day is the one on which a message was sent, in the owner's zone.
func (t traits) day(zone *time.Location) date {
	return dateOf(time.Unix(int64(t.sent)*60, 0).In(zone))
}

// flags are small things that a message is or has.
type flags uint8

// The flags.
const (
	asks      flags = 1 << iota // ends with a question: the next message answers it
	counts                      // has a number, in figures or words
	tellsWhen                   // says when, or for how long
	names                       // names somebody or something that it does not speak to
	away                        // said elsewhere
)

// longest is the longest span of a message that is kept: a year that is spoken of
// tells no message from others.
const longest = 31

// observe reads off a message what traits keep of it, apart from the numbers of
// its session and author, and the days it speaks of, as they were meant when it
// was sent. Most messages speak of none.
func observe(d Doc, tokens []terms.Token, zone *time.Location) (traits, []span) {
	t := traits{sent: minute(d.Sent)}
	for _, token := range tokens {
		if !token.Stop && t.length < 255 {
			t.length++
		}
	}
	if endsAsking(d.Text) {
		t.flags |= asks
	}
	if d.Elsewhere != "" {
		t.flags |= away
	}
	said := dates(d.Text, tokens, dateOf(d.Sent.In(zone)), told)
	if len(said) > 0 {
		t.flags |= tellsWhen
	}
	t.flags |= measures(tokens)
	if namesOne(d.Text, tokens) {
		t.flags |= names
	}
	return t, short(said)
}

// short are the spans that are worth keeping.
func short(spans []span) []span {
	var kept []span
	for _, s := range spans {
		if s.days() <= longest {
			kept = append(kept, s)
		}
	}
	return kept
}

// measures reports whether a text counts something, and whether that is time.
func measures(tokens []terms.Token) flags {
	var f flags
	var before dateWord
	for _, t := range tokens {
		if isFigure(t.Form) {
			f |= counts
			before = dateWord{isNumber, 2}
			continue
		}
		now := calendar()[t.Form]
		switch {
		case now.role == isNumber && now.value > 1:
			f |= counts
		case now.role == isWeekday, now.role == isUnit && before.role == isNumber:
			f |= tellsWhen
		}
		before = now
	}
	return f
}

// namesOne reports a name in the middle of a sentence, or a title: "to Rome", not
// "Hello Rome", "thanks, Rome" or "on Monday". Where all nouns have capitals, it says little.
func namesOne(text string, tokens []terms.Token) bool {
	if strings.ContainsAny(text, "“„«《「") || strings.Count(text, `"`) > 1 {
		return true
	}
	for i, t := range tokens {
		if t.Name && !t.Stop && !ofCalendar(t) && follows(text, tokens[:i], t.From) {
			return true
		}
	}
	return false
}

// follows reports whether the last of some words is a small one that stands before
// a place, with no more than a blank between.
func follows(text string, before []terms.Token, place int) bool {
	if len(before) == 0 || place == 0 || text[place-1] != ' ' {
		return false
	}
	first, _ := utf8.DecodeRuneInString(text[before[len(before)-1].From:])
	last, _ := utf8.DecodeLastRuneInString(text[:place-1])
	return unicode.IsLower(first) && unicode.IsLetter(last)
}

func isFigure(form string) bool { return form != "" && '0' <= form[0] && form[0] <= '9' }

// endsAsking reports whether the last sentence of a text is a question.
func endsAsking(text string) bool {
	for len(text) > 0 {
		r, size := utf8.DecodeLastRuneInString(text)
		switch {
		case r == '?' || r == '？' || r == '؟':
			return true
		case r == '.' || r == '。' || unicode.IsLetter(r) || unicode.IsNumber(r):
			return false
		}
		text = text[:len(text)-size]
	}
	return false
}
