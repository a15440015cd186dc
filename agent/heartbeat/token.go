package heartbeat

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Between the letters of a token, and around one, models put blanks and the marks of
// emphasis and code.
const (
	between = "[\\s_:*~`-]*"
	opening = "[*_~`\"'“”„«»\\[(<]*"
	closing = "[*_~`\"'“”«»\\])>]*[.!]?"
)

// token is a word by which models say that they have nothing to say. It is a habit
// from elsewhere, which nobody asks of them here, and no person is to see it. It is
// looked for in a folded text. "No reply" in small letters needs its underscore:
// people say those words.
var token = regexp.MustCompile(opening + "(?:(?i:" + spaced("heartbeatok") + "(?:ay)?)|(" + spaced("NOREPLY") + "|(?i:no[\\s*~`]*_" + between + "reply)))" + closing)

func spaced(word string) string { return strings.Join(strings.Split(word, ""), between) }

// withoutTokens takes them out of a text, and the lines in which nothing else is
// said; empty if that is all of them.
func withoutTokens(text string) string {
	for at := tokens(text); at != nil; at = tokens(text) { // what is left may join to another
		text = cut(text, at[0][0], at[0][1])
	}
	if !lettered(text) {
		return ""
	}
	return strings.TrimSpace(text)
}

// Spoken is what a model said when nobody waits for its answer: empty if that is
// nothing but a token, else the text as it is. Whoever works tasks calls it.
func Spoken(text string) string {
	if tokens(text) != nil && withoutTokens(text) == "" {
		return ""
	}
	return text
}

// cut takes out what stands between two places, and what is left of its lines if
// that has no words.
func cut(text string, from, to int) string {
	start, end := strings.LastIndexByte(text[:from], '\n')+1, len(text)
	if i := strings.IndexByte(text[to:], '\n'); i >= 0 {
		end = to + i
	}
	line := strings.TrimSpace(strings.TrimSpace(text[start:from]) + " " + strings.TrimSpace(text[to:end]))
	if !lettered(line) {
		return text[:start] + strings.TrimPrefix(text[end:], "\n")
	}
	return text[:start] + line + text[end:]
}

// edged reports whether a text begins or ends with a token, as far as words go: then
// it means that, however much it says besides. One with words on both sides talks to
// the person and only mentions it.
func edged(text string) bool {
	at := tokens(text)
	return at != nil && !(lettered(text[:at[0][0]]) && lettered(text[at[len(at)-1][1]:]))
}

// tokens are the places of the tokens in a text, with what is hidden around them.
// What goes on as an address of mail is none.
func tokens(text string) (found [][2]int) {
	folded, at := fold(text)
	for _, m := range token.FindAllStringSubmatchIndex(folded, -1) {
		if noReply := m[2] >= 0; noReply && strings.HasPrefix(folded[m[1]:], "@") {
			continue
		}
		from := 0
		if m[0] > 0 {
			before := at[m[0]-1]
			_, size := utf8.DecodeRuneInString(text[before:])
			from = before + size
		}
		found = append(found, [2]int{from, at[m[1]]})
	}
	return found
}

// hidden is what a text that is shown as HTML does not show.
var hidden = regexp.MustCompile(`</?[A-Za-z][^<>\n]*>|&[A-Za-z]{2,8};|&#[0-9A-Fa-fxX]{1,8};`)

// fold makes a text plain in which tokens are looked for: without tags, escapes and
// characters that nobody sees, in ASCII as far as it looks like that. At tells where
// in the text each byte of it stands, and where the text ends.
func fold(text string) (folded string, at []int) {
	var b strings.Builder
	tags := hidden.FindAllStringIndex(text, -1)
	for i, r := range text {
		for len(tags) > 0 && i >= tags[0][1] {
			tags = tags[1:]
		}
		p := plain(r)
		if p == '\\' || len(tags) > 0 && i >= tags[0][0] || unicode.In(r, unicode.Cf, unicode.Mn, unicode.Me) {
			continue
		}
		n, _ := b.WriteRune(p)
		for range n {
			at = append(at, i)
		}
	}
	return b.String(), append(at, len(text))
}

// plain is the ASCII that a character looks like, or itself.
func plain(r rune) rune {
	switch {
	case '！' <= r && r <= '～': // full width
		return r - '！' + '!'
	case unicode.Is(unicode.Pd, r), r == '−':
		return '-'
	case unicode.IsSpace(r):
		return ' '
	}
	if i := strings.IndexRune(lookalikes, r); i >= 0 {
		return rune(latin[len([]rune(lookalikes[:i]))])
	}
	return r
}

// Letters of other scripts that look like those of tokens, and those.
const (
	lookalikes = "АВЕНКОРТУаеорукһΑΒΕΗΚΝΟΡΤΥαο"
	latin      = "ABEHKOPTYaeopykhABEHKNOPTYao"
)

// maxClear is longer than any all-clear, in bytes.
const maxClear = 80

// allClear reports whether a text says nothing but that there is nothing to say.
func allClear(text string) bool {
	if len(text) > maxClear {
		return false
	}
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.In(r, unicode.L, unicode.N, unicode.M) })
	switch strings.Join(words, " ") {
	case "ok", "okay", "none", "nothing", "silent", "silence", "quiet", "all quiet", "all clear", "all good", "all is well", "everything is fine", "no reply", "no message",
		"nothing to report", "nothing to tell", "nothing to say", "nothing to do", "nothing to report right now", "nothing to report at this time", "nothing new", "nothing urgent",
		"no news", "no update", "no updates", "no action needed", "nothing needs attention", "nothing needs your attention",
		"nichts", "nichts neues", "nichts zu melden", "nichts zu berichten", "nichts zu tun", "alles gut", "alles klar", "alles ruhig", "alles in ordnung", "keine neuigkeiten",
		"nada", "nada nuevo", "nada que informar", "nada que reportar", "nada que decir", "todo bien", "todo en orden", "todo tranquilo", "sin novedad", "sin novedades",
		"rien", "rien à signaler", "rien a signaler", "rien à dire", "rien de nouveau", "rien de neuf", "tout va bien", "tout est calme", "ras",
		"无", "没有", "没事", "没有需要报告的", "没有什么要报告的", "没什么要报告的", "没有什么要说的", "没什么要说的", "没有新消息", "一切正常",
		"無", "沒有", "沒事", "沒有需要報告的", "沒有什麼要說的", "沒有新消息":
		return true
	}
	return false
}

// lettered reports whether a text has words, or numbers, for people to see.
func lettered(text string) bool {
	folded, _ := fold(text)
	return strings.ContainsFunc(folded, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}
