package memory

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"nacre/memory/canon"
)

// Needle finds what was forgotten in any text. It holds words of the owner, and
// is kept no longer than the forgetting takes. The zero Needle finds nothing.
type Needle struct {
	All    bool       `json:"all,omitempty"`    // finds everything
	Quotes []string   `json:"quotes,omitempty"` // whole wordings, in canonical form
	Marks  []string   `json:"marks,omitempty"`  // names and numbers which alone give it away, in canonical form
	Words  [][]string `json:"words,omitempty"`  // stems; a sentence that has enough of one list says the same
}

// needleFor makes the Needle of notes and of the words that they rest on, which
// does not find others.
func needleFor(notes []*Note, quotes []string, others []*Note) *Needle {
	n := &Needle{}
	for _, note := range notes {
		n.phrase(note.Text)
		n.phrase(note.Abstract)
		for _, text := range append([]string{note.Text, note.Abstract, spaced(note.Slot.Slug)}, note.Entities...) {
			n.Marks = append(n.Marks, identifiers(text)...)
		}
		for _, e := range note.Entities {
			n.Marks = append(n.Marks, canon.Form(e))
		}
	}
	for _, q := range quotes {
		n.phrase(q)
		n.Marks = append(n.Marks, identifiers(q)...)
	}
	n.Marks = slices.DeleteFunc(n.Marks, func(m string) bool {
		return utf8.RuneCountInString(m) < minMark || isNumber(m) && len(m) < minNumber
	})
	n.tidy()
	n.spare(others)
	return n
}

// spare leaves out what would find other notes too, which stay.
func (n *Needle) spare(others []*Note) {
	forms := make([]string, len(others))
	for i, o := range others {
		forms[i] = canon.Form(o.says())
	}
	shared := func(quote string) bool {
		return slices.ContainsFunc(forms, func(form string) bool { return strings.Contains(form, quote) })
	}
	n.Quotes, n.Marks = slices.DeleteFunc(n.Quotes, shared), slices.DeleteFunc(n.Marks, shared)
	n.Words = slices.DeleteFunc(n.Words, func(words []string) bool {
		for i, form := range forms {
			if resembles(form, words) && len(sentencesWith(others[i].says(), words)) > 0 {
				return true
			}
		}
		return false
	})
}

// A mark is long enough not to stand anywhere by chance.
const (
	minMark   = 3
	minNumber = 5 // digits
)

// needleAbout makes the Needle of everything that speaks of something.
func needleAbout(words string) *Needle {
	n := &Needle{}
	n.phrase(words)
	n.Words = append(n.Words, canon.Words(words, languages))
	n.tidy()
	return n
}

func (n *Needle) phrase(text string) {
	if form := canon.Form(text); utf8.RuneCountInString(form) >= minMark {
		n.Quotes = append(n.Quotes, form)
	}
	if words := canon.Words(text, languages); len(words) > 1 {
		n.Words = append(n.Words, words)
	}
}

func (n *Needle) tidy() {
	for _, list := range []*[]string{&n.Quotes, &n.Marks} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	n.Words = slices.DeleteFunc(n.Words, func(w []string) bool { return len(w) == 0 })
}

// join adds what another Needle finds.
func (n *Needle) join(o *Needle) {
	n.Quotes, n.Marks, n.Words = append(n.Quotes, o.Quotes...), append(n.Marks, o.Marks...), append(n.Words, o.Words...)
	n.tidy()
}

// Finds reports whether a text holds what was forgotten.
func (n *Needle) Finds(text string) bool {
	return n.All && text != "" || len(n.places(text)) > 0
}

// Redact blanks what it finds in a text, byte for byte, so that places in the
// rest of it stay where they were. It reports whether there was anything. What
// stood around a blanked place can read as the same once more, since a blank is
// no word, so it looks until nothing is left.
func (n *Needle) Redact(text string) (string, bool) {
	if n.All {
		return blank(text, []span{{0, len(text)}}), text != ""
	}
	found := n.places(text)
	held := len(found) > 0
	for len(found) > 0 {
		clean := blank(text, found)
		if clean == text {
			break
		}
		text, found = clean, n.places(clean)
	}
	return text, held
}

// places are where a text holds what was forgotten.
func (n *Needle) places(text string) []span {
	form := canon.Form(text)
	var found []span
	for _, q := range append(slices.Clip(n.Quotes), n.Marks...) {
		if strings.Contains(form, q) {
			for from, to := range canon.Places(text, q) {
				found = append(found, span{from, to})
			}
		}
	}
	for _, words := range n.Words {
		if resembles(form, words) {
			found = append(found, sentencesWith(text, words)...)
		}
	}
	return found
}

// span is bytes of a text.
type span struct{ from, to int }

// resembles is a quick look whether a text could have enough of some words: they
// are stems, whose beginnings stand in it.
func resembles(form string, words []string) bool {
	const stem = 4 // bytes; endings and vowels behind them may differ
	has := 0
	for _, w := range words {
		if strings.Contains(form, w[:min(stem, len(w))]) {
			has++
		}
	}
	return float64(has) >= enough(words)*float64(len(words))
}

// enough is the share of some words that says the same: all of a few, since two of
// three may be the thing that is spoken of ("自行车" is two pairs of characters),
// and two thirds of more.
func enough(words []string) float64 {
	if len(words) < 4 {
		return 1
	}
	return alike
}

// sentencesWith are the sentences of a text that have enough of some words.
func sentencesWith(text string, words []string) []span {
	var list []span
	for from := 0; from < len(text); {
		to := len(text)
		if i := strings.IndexAny(text[from:], ".!?\n。！？"); i >= 0 {
			_, size := utf8.DecodeRuneInString(text[from+i:])
			to = from + i + size
		}
		if canon.Overlap(words, canon.Words(text[from:to], languages)) >= enough(words) {
			list = append(list, span{from, to})
		}
		from = to
	}
	return list
}

// blank puts an asterisk for every byte of some places, but for spaces.
func blank(text string, places []span) string {
	out := []byte(text)
	for _, p := range places {
		for i := p.from; i < p.to; {
			r, size := utf8.DecodeRuneInString(text[i:])
			if !unicode.IsSpace(r) {
				copy(out[i:i+size], "****")
			}
			i += size
		}
	}
	return string(out)
}
