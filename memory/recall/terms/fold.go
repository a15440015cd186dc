package terms

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// appendLower adds a plain word to dst in small letters, accents kept.
func appendLower(dst []byte, word string) []byte {
	for i := 0; i < len(word); i++ {
		c := word[i]
		if c >= utf8.RuneSelf {
			return appendLowerRunes(dst, word[i:])
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

func appendLowerRunes(dst []byte, word string) []byte {
	for _, r := range word {
		if r == 'İ' {
			r = 'i'
		}
		dst = utf8.AppendRune(dst, unicode.ToLower(r))
	}
	return dst
}

// fold returns a word of small letters without accents, points and vowel signs,
// and with one spelling for letters that people write in two ways.
func fold(word string) string {
	if ascii(word) {
		return word
	}
	out := make([]byte, 0, len(word))
	for _, r := range word {
		if to, ok := twin(r); ok {
			out = append(out, to...)
		} else if !accent(r) {
			out = utf8.AppendRune(out, base(r))
		}
	}
	return string(out)
}

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// twin returns how a letter is written that has no accent to lose, or whose mark
// makes another letter of it.
func twin(r rune) (string, bool) {
	switch r {
	case 'ß':
		return "ss", true
	case 'æ':
		return "ae", true
	case 'œ':
		return "oe", true
	case 'þ':
		return "th", true
	case 'ø':
		return "o", true
	case 'ł':
		return "l", true
	case 'đ', 'ð':
		return "d", true
	case 'ħ':
		return "h", true
	case 'ı':
		return "i", true
	case 'ς':
		return "σ", true
	case 'й', 'ї':
		return string(r), true
	case 'ى', 'ی':
		return "ي", true
	case 'ة':
		return "ه", true
	case 'ک':
		return "ك", true
	case 'ٱ':
		return "ا", true
	}
	return "", false
}

// accent reports whether a mark is left out: those of Latin, Greek and Cyrillic,
// the points of Hebrew, the vowel signs of Arabic. Marks of other scripts are
// their vowels.
func accent(r rune) bool {
	return 0x0300 <= r && r <= 0x036f || 0x0591 <= r && r <= 0x05c7 && unicode.Is(unicode.Mn, r) ||
		0x064b <= r && r <= 0x065f || r == 0x0670 || 0x06d6 <= r && r <= 0x06ed && unicode.Is(unicode.Mn, r)
}

// base returns a letter without its accents.
func base(r rune) rune {
	if r < 0xC0 || r > 0x1FFF || 0x0900 <= r && r < 0x1E00 {
		return r
	}
	var buf [utf8.UTFMax]byte
	n := utf8.EncodeRune(buf[:], r)
	if d := norm.NFD.Properties(buf[:n]).Decomposition(); len(d) > 0 {
		first, _ := utf8.DecodeRune(d)
		return first
	}
	return r
}
