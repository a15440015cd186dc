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
// in German every noun is one.
func identifiers(text string) []string {
	var list []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",;:!?\"()[]{}“”„«»。，；：！？、", r)
	}) {
		w = strings.Trim(w, ".-'’_")
		if identifies(w) {
			if form := canon.Form(w); form != "" {
				list = append(list, form)
			}
		}
	}
	return list
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

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}
