package canon

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Unaccented returns the canonical form of a text without the accents of Latin
// and Greek letters, which people leave out where a keyboard lacks them. Other
// scripts keep their marks, which make other letters there: "は" is not "ば", and
// "и" not "й". Like Skeleton it joins words that differ ("año", "ano"), and never
// replaces Form.
func Unaccented(text string) string {
	var b strings.Builder
	bare := false // the letter before loses its marks
	for _, r := range norm.NFD.String(Form(text)) {
		if unicode.Is(unicode.Mn, r) {
			if bare {
				continue
			}
		} else {
			bare = unicode.In(r, unicode.Latin, unicode.Greek)
		}
		b.WriteRune(r)
	}
	return norm.NFC.String(b.String())
}
