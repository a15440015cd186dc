package browse

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxRaised is how many bytes a superscript or subscript has. What is longer is
// text that somebody has made small.
const maxRaised = 60

// raised collects a superscript or subscript, which has to be told from the
// text before it: 10 to the power of 8 is no 108. Links inside it, which lead to
// footnotes, are dropped.
type raised struct {
	mark  string // "^" or "_", "" when there is nothing to collect
	small string // what is collected
	inner int    // open elements of those that may be inside
	past  string // the mark of what was written last, "" if that was not raised
}

// raise begins with sup or sub.
func (r *raised) raise(tag string) {
	r.mark, r.inner = "^", 0
	if tag == "sub" {
		r.mark = "_"
	}
}

// holds reports whether an element that begins is inside.
func (r *raised) holds(tag string) bool {
	if r.mark == "" || tag != "a" && tag != "code" {
		return false
	}
	r.inner++
	return true
}

// frees reports whether an element that ends is inside.
func (r *raised) frees(tag string) bool {
	if r.mark == "" || r.inner == 0 || tag != "a" && tag != "code" {
		return false
	}
	r.inner--
	return true
}

// take collects text, and gives back all of it that is to be written now.
func (r *raised) take(t string) string {
	switch {
	case r.mark != "" && len(r.small)+len(t) <= maxRaised:
		r.small += t
		return ""
	case r.mark != "":
		t = " " + r.small + t
	case r.joins(t):
		t = " " + t
	}
	r.mark, r.small, r.past = "", "", ""
	return t
}

// joins reports whether t would be read as a part of what was raised before it.
func (r *raised) joins(t string) bool {
	c, _ := utf8.DecodeRuneInString(t)
	return r.past != "" && unicode.IsDigit(c) || r.past == "^" && unicode.IsLetter(c)
}

// settle ends what is being raised and returns how it is written: 10^8, H_2O,
// 2^(n+1), and the marks of footnotes as they are.
func (r *raised) settle() string {
	if r.mark == "" {
		return ""
	}
	mark, t := r.mark, strings.Join(strings.Fields(r.small), " ")
	r.mark, r.small, r.past = "", "", mark
	switch {
	case t == "":
		r.past = ""
		return ""
	case strings.HasPrefix(t, "[") || !strings.ContainsFunc(t, alphanumeric):
		return t
	case strings.ContainsFunc(strings.TrimLeft(t, "+-−–"), func(c rune) bool { return !alphanumeric(c) }):
		return mark + "(" + t + ")"
	}
	return mark + t
}

func alphanumeric(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }
