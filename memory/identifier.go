package memory

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"nacre/memory/canon"
)

// identifiers are the words of a text that name one thing and no other, in
// canonical form: numbers, what mixes letters with digits or marks, and words
// whose inside has capitals. A plain capitalised word is not among them, since
// in German every noun is one. Where words have no spaces between them, what is
// in other letters is a word of its own.
func identifiers(text string) []string {
	var list []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",;:!?\"()[]{}“”„«»。，；：！？、", r)
	}) {
		for _, w := range cutAtBorders(w) {
			w = strings.Trim(w, ".-'’_")
			if identifies(w) {
				if form := canon.Form(w); form != "" {
					list = append(list, form)
				}
			}
		}
	}
	return list
}

// cutAtBorders cuts a text where writing with spaces meets writing without.
func cutAtBorders(text string) []string {
	var list []string
	from := 0
	var last rune
	for i, r := range text {
		if i > 0 && canon.Unspaced(last) != canon.Unspaced(r) {
			list, from = append(list, text[from:i]), i
		}
		last = r
	}
	return append(list, text[from:])
}

// within reports whether a name stands in a text as a word of its own, both in
// canonical form.
func within(form, name string) bool {
	form = " " + form + " "
	first, _ := utf8.DecodeRuneInString(name)
	last, _ := utf8.DecodeLastRuneInString(name)
	for from := 1; ; from++ {
		i := strings.Index(form[from:], name)
		if i < 0 {
			return false
		}
		from += i
		before, _ := utf8.DecodeLastRuneInString(form[:from])
		after, _ := utf8.DecodeRuneInString(form[from+len(name):])
		if parted(before, first) && parted(last, after) {
			return true
		}
	}
}

// parted reports whether a word ends between two characters.
func parted(a, b rune) bool {
	return a == ' ' || b == ' ' || canon.Unspaced(a) != canon.Unspaced(b)
}

func identifies(w string) bool {
	var letters, digits, marks, inner int
	for i, r := range w {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r) || unicode.IsMark(r):
			if i > 0 && unicode.IsUpper(r) {
				inner++
			}
			letters++
		default:
			marks++
		}
	}
	mixed := letters > 0 && (digits > 0 || strings.ContainsAny(w, "@/_+#&"))
	return digits > 0 && letters == 0 || mixed || inner > 0 && inner+1 < utf8.RuneCountInString(w) || marks > 0 && letters > 0 && hyphened(w)
}

// hyphened reports a name such as "Baden-Baden" or "zqx-green": a part of it is
// capitalised or cannot be spoken, unlike those of "well-known".
func hyphened(w string) bool {
	parts := strings.Split(w, "-")
	return len(parts) > 1 && slices.ContainsFunc(parts, func(part string) bool {
		return strings.IndexFunc(part, unicode.IsUpper) >= 0 || len(part) > 1 && isASCII(part) && !strings.ContainsAny(part, "aeiouy")
	})
}

// names reports a word of a slug, which has no capitals, that names one thing: a
// number, or what cannot be spoken.
func names(word string) bool {
	return strings.IndexFunc(word, unicode.IsDigit) >= 0 || len(word) > 2 && isASCII(word) && !strings.ContainsAny(word, "aeiouy")
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}
