package markup

import (
	"iter"
	"sort"
	"strings"
)

// mark is a set of ways to show text.
type mark uint8

const (
	bold mark = 1 << iota
	italic
	strike
	spoiler
	code
	pre // a block of code
	quote
)

// style is how a run of text is shown.
type style struct {
	marks mark
	href  string // where a link leads; empty if it is none
	lang  string // the language of pre, if it is known
}

func (s style) has(m mark) bool { return s.marks&m != 0 }

// settled resolves what no platform shows at once: code is shown as nothing
// else, but a link must lead somewhere and a spoiler must hide.
func (s style) settled() style {
	switch {
	case !s.has(code):
	case s.href != "" || s.has(spoiler):
		s.marks &^= code
	default:
		s.marks &= code | quote
	}
	return s
}

// shared is what two styles have in common.
func (s style) shared(t style) style {
	s.marks &= t.marks
	if s.href != t.href {
		s.href = ""
	}
	return s
}

// rich is text with styles. Its runs follow one another without a gap, from
// the beginning of the text to its end.
type rich struct {
	text string
	runs []run
}

// run is a stretch of text with one style. It begins where the one before it
// ends.
type run struct {
	end   int
	style style
}

// between yields the runs of a stretch of the text.
func (r rich) between(from, to int) iter.Seq2[string, style] {
	return func(yield func(string, style) bool) {
		for i := r.run(from); from < to; i++ {
			end := min(r.runs[i].end, to)
			if !yield(r.text[from:end], r.runs[i].style) {
				return
			}
			from = end
		}
	}
}

// run returns the index of the run to which the byte at an offset belongs.
func (r rich) run(at int) int {
	return sort.Search(len(r.runs), func(i int) bool { return r.runs[i].end > at })
}

// builder makes rich text.
type builder struct {
	text strings.Builder
	runs []run
}

func (b *builder) add(text string, s style) {
	if text == "" {
		return
	}
	b.text.WriteString(text)
	if n := len(b.runs); n > 0 && b.runs[n-1].style == s {
		b.runs[n-1].end = b.text.Len()
		return
	}
	b.runs = append(b.runs, run{b.text.Len(), s})
}

// unlink takes the link from the text that was added since an offset.
func (b *builder) unlink(since int) {
	for i := len(b.runs) - 1; i >= 0 && b.runs[i].end > since; i-- {
		b.runs[i].style.href = ""
	}
}

func (b *builder) rich() rich { return rich{b.text.String(), b.runs} }
