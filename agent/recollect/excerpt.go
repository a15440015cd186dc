package recollect

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// cutMark stands where something was left out of a text.
const cutMark = "…"

// clip returns the first so many characters of a text.
func clip(text string, most int) string {
	n := 0
	for i := range text {
		if n >= most {
			return text[:i]
		}
		n++
	}
	return text
}

// beginning is clip with a mark where it cuts, which counts as a character.
func beginning(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return clip(text, most-1) + cutMark
}

// excerpt is the part of a text where most of what was asked stands, with at most so
// many characters, the marks where it was cut among them.
func (r *Recollector) excerpt(text string, w words, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	from := r.densest(text, w, most)
	if from = wordStart(text, from-most/4); from == 0 {
		return beginning(text, most)
	}
	return cutMark + beginning(text[from:], most-1)
}

// densest is the byte of the first asked term in the stretch of a text that has the
// most different ones; 0 if it has none.
func (r *Recollector) densest(text string, w words, most int) int {
	type place struct {
		from int
		term string
	}
	var places []place
	for _, t := range r.opts.Terms.Doc(text) {
		if _, ok := w.terms[t.Term]; ok {
			places = append(places, place{t.From, t.Term})
		}
	}
	best, from := 0, 0
	within, first := map[string]int{}, 0
	for _, p := range places {
		within[p.term]++
		for places[first].from+most*3/4 <= p.from {
			if within[places[first].term]--; within[places[first].term] == 0 {
				delete(within, places[first].term)
			}
			first++
		}
		if len(within) > best {
			best, from = len(within), places[first].from
		}
	}
	return from
}

// wordStart is where the word begins that a byte of a text is in, or the character
// in writing without spaces; 0 before the text.
func wordStart(text string, at int) int {
	if at <= 0 {
		return 0
	}
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	const longest = 40 // bytes of a word
	behind := text[max(0, at-longest):at]
	if i := strings.LastIndexFunc(behind, unicode.IsSpace); i >= 0 {
		_, size := utf8.DecodeRuneInString(behind[i:])
		return at - len(behind) + i + size
	}
	return at
}
