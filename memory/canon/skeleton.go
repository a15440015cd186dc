package canon

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Skeleton returns what a text looks like: its canonical form with every
// look-alike replaced by one representative, so that "раураl" in Cyrillic,
// "paypa1" and "paypal" agree. It is a further key beside Form and never
// replaces it, since it also joins words that merely resemble one another
// ("modern", "modem"). Texts with the same form have the same skeleton.
//
// The idea is that of UTS #39, section 4; the table is a selection of our own
// from what its confusables.txt lists, made for folded letters: where the two
// cases of a letter resemble different ones, the small one decides, unless only
// the capital resembles any.
func Skeleton(text string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(Form(text)) {
		if s := lookAlike(r); s != "" {
			b.WriteString(s)
		} else {
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(b.String())
}

// lookAlike returns what represents a character, or "" for itself. No two
// digits share a representative: flat 6 is not flat 8.
func lookAlike(r rune) string {
	switch r {
	case '0', 'о', 'ο', 'σ', 'օ', 'ס', 'ჿ', 'ᴏ', '○', '〇':
		return "o"
	case '1', 'i', '|', 'і', 'ι', 'ӏ', 'ɪ', 'ɩ', 'ا', 'ו', 'ן', 'ʟ', '∣':
		return "l"
	case '2', 'ᴢ', 'ζ':
		return "z"
	case '3', 'з', 'ɜ', 'ʒ', 'ӡ', 'ȝ':
		return "3"
	case '5', 'ѕ', 'ꜱ', 'տ':
		return "s"
	case '6', 'б':
		return "6"
	case '8', 'в', 'β', 'ь', 'ʙ', 'ᏼ':
		return "b"
	case '9', 'ɡ', 'ց', 'ɢ', 'ǥ':
		return "g"
	case 'а', 'α', 'ɑ', 'ᴀ':
		return "a"
	case 'с', 'ϲ', 'ᴄ':
		return "c"
	case 'ԁ', 'ᴅ', 'ɖ':
		return "d"
	case 'е', 'ε', 'є', 'ҽ', 'ᴇ', '℮':
		return "e"
	case 'ғ', 'ꜰ', 'ƒ':
		return "f"
	case 'һ', 'н', 'հ', 'ʜ':
		return "h"
	case 'ј', 'ϳ', 'ᴊ':
		return "j"
	case 'к', 'κ', 'ᴋ', 'ĸ', 'қ':
		return "k"
	case 'm', 'м', 'ᴍ', 'ɱ':
		return "rn"
	case 'п', 'η', 'ո', 'ɴ', 'ŋ':
		return "n"
	case 'р', 'ρ', 'ᴘ':
		return "p"
	case 'ԛ', 'զ':
		return "q"
	case 'г', 'ʀ', 'ᴦ':
		return "r"
	case 'т', 'τ', 'ᴛ':
		return "t"
	case 'υ', 'μ', 'ս', 'ᴜ', 'ʋ', 'ц':
		return "u"
	case 'ν', 'ѵ', 'ᴠ':
		return "v"
	case 'w', 'ѡ', 'ԝ', 'ω', 'ш', 'ա', 'ᴡ':
		return "vv"
	case 'х', 'χ', '×', 'ҳ':
		return "x"
	case 'у', 'γ', 'ү', 'ყ', 'ʏ':
		return "y"
	}
	return ""
}
