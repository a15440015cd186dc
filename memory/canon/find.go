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
		want := []byte(Form(quote))
		if len(want) == 0 {
			return
		}
		var units []unit
		form := fold(text, &units)
		for at := 0; ; {
			i := bytes.Index(form[at:], want)
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
}
