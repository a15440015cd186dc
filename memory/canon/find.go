package canon

import (
	"bytes"
	"iter"
	"sort"
)

// Contains reports whether a quote stands in a text, both in canonical form.
// A quote without a word or symbol stands nowhere.
func Contains(text, quote string) bool {
	_, _, ok := Find(text, quote)
	return ok
}

// Find returns the bytes of text where a quote first stands, whatever its
// case, spacing and punctuation: Form(text[from:to]) equals Form(quote). A
// letter without its accent is not found in the letter with it. It is where
// evidence points; the quote may begin and end inside a word.
func Find(text, quote string) (from, to int, ok bool) {
	for from, to := range Places(text, quote) {
		return from, to, true
	}
	return 0, 0, false
}

// Places yields all the places that Find would return one after another, without
// overlap. It is linear in the length of the text.
func Places(text, quote string) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		if want := []byte(Form(quote)); len(want) > 0 {
			NewText(text).places(want, yield)
		}
	}
}

// Text is a text in which many quotes are looked for. It takes up some forty bytes for
// each character.
type Text struct {
	form  []byte
	units []unit
}

// NewText reads a text once, for all quotes.
func NewText(text string) *Text {
	t := &Text{units: make([]unit, 0, len(text))}
	t.form = fold(text, &t.units, false)
	return t
}

// Find is as the function Find.
func (t *Text) Find(quote string) (from, to int, ok bool) {
	if want := []byte(Form(quote)); len(want) > 0 {
		t.places(want, func(f, e int) bool {
			from, to, ok = f, e, true
			return false
		})
	}
	return from, to, ok
}

func (t *Text) places(want []byte, yield func(from, to int) bool) {
	units := t.units
	for at := 0; ; {
		i := bytes.Index(t.form[at:], want)
		if i < 0 {
			return
		}
		at += i
		first := sort.Search(len(units), func(i int) bool { return units[i].start >= at })
		last := sort.Search(len(units), func(i int) bool { return units[i].end >= at+len(want) })
		if first == len(units) || units[first].start != at || units[last].end != at+len(want) {
			at++
			continue
		}
		if !yield(units[first].from, units[last].to) {
			return
		}
		at += len(want)
	}
}
