package live

import (
	"strings"
	"unicode"
)

// maxID is the longest id that a client may choose, in bytes.
const maxID = 64

// SoundID reports whether a client may call something so: 1 to 64 letters,
// digits and hyphens of ASCII.
func SoundID(id string) bool {
	for _, c := range []byte(id) {
		if c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return id != "" && len(id) <= maxID
}

// Visible reports whether a text holds anything but blanks and invisible format
// characters.
func Visible(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsSpace(r) && !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r)
	})
}
