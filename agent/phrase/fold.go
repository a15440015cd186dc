package phrase

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bare returns a letter without its accent, in small letters: "a" for ä, "ss"
// for ß. Any other rune is returned as it is.
func Bare(r rune) string {
	if r < utf8.RuneSelf {
		return string(r)
	}
	for _, f := range bareLetters {
		if strings.ContainsRune(f.from, r) {
			return f.to
		}
	}
	return string(r)
}

// bareLetters are those of European languages that Unicode composes or that have
// no accent to remove.
var bareLetters = []struct{ from, to string }{
	{"àáâãäåāăą", "a"}, {"æ", "ae"}, {"çćĉċč", "c"}, {"ďđð", "d"}, {"èéêëēĕėęě", "e"},
	{"ĝğġģ", "g"}, {"ĥħ", "h"}, {"ìíîïĩīĭįı", "i"}, {"ĵ", "j"}, {"ķ", "k"}, {"ĺļľłŀ", "l"},
	{"ñńņňŋ", "n"}, {"òóôõöøōŏő", "o"}, {"œ", "oe"}, {"ŕŗř", "r"}, {"śŝşšș", "s"}, {"ß", "ss"},
	{"ţťŧț", "t"}, {"þ", "th"}, {"ùúûüũūŭůűų", "u"}, {"ŵ", "w"}, {"ýÿŷ", "y"}, {"źżž", "z"},
}

// folded is a text in which case, accents, the width of characters and the kind
// of blanks do not matter any more.
type folded struct {
	text string
	at   []int // where each of its bytes, and its end, stands in the text as it was
}

// fold makes small letters without accents of a text, one blank of each run of
// them, and of the traditional characters in words for times the simplified ones.
func fold(text string) folded {
	var b strings.Builder
	f := folded{at: make([]int, 0, len(text)+1)}
	blank := false
	for i, r := range text {
		s := plain(r)
		if s == " " && blank {
			continue
		}
		blank = s == " "
		for range len(s) {
			f.at = append(f.at, i)
		}
		b.WriteString(s)
	}
	f.text, f.at = b.String(), append(f.at, len(text))
	return f
}

func plain(r rune) string {
	switch {
	case unicode.IsSpace(r):
		return " "
	case unicode.Is(unicode.Mn, r): // the accent of a decomposed letter
		return ""
	case strings.ContainsRune("’´`ʼ", r):
		return "'"
	case r >= '！' && r <= '～': // the wide forms of ASCII
		r -= '！' - '!'
	case r >= utf8.RuneSelf:
		if i := strings.IndexRune(traditional, r); i >= 0 {
			r, _ = utf8.DecodeRuneInString(simplified[i:])
		}
	}
	return Bare(unicode.ToLower(r))
}

// Characters of words for times that are written in two ways, in the same order.
const (
	traditional = "點鐘週後時號個兩禮間過幫請記煩麼嗎設創開始內們這鬧"
	simplified  = "点钟周后时号个两礼间过帮请记烦么吗设创开始内们这闹"
)

// cut returns what the text as it was holds between two places of the folded one.
func (f *folded) cut(text string, from, to int) string { return text[f.at[from]:f.at[to]] }
