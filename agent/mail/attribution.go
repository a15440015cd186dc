package mail

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxIntroduction is how many bytes a line that introduces a quote may have.
const maxIntroduction = 400

// wrote are the words with which programs introduce a quote, in small letters. Those
// with after set have the writer's name behind them ("schrieb Ann:").
var wrote = []struct {
	words string
	after bool
}{
	{"wrote", false}, {"writes", false},
	{"schrieb", true}, {"schreibt", true}, {"geschrieben", false},
	{"a écrit", false}, {"a ecrit", false}, {"écrivait", false},
	{"escribió", false}, {"escribio", false}, {"ha escrito", false},
	{"ha scritto", false}, {"escreveu", false}, {"schreef", true}, {"geschreven", false},
	{"写道", false}, {"寫道", false}, {"写到", false}, {"が書きました", false}, {"のメール", false},
	{"пишет", true}, {"написал", true}, {"писал", true}, {"napsal", true}, {"napsala", true},
	{"napisał", true}, {"pisze", true}, {"skrev", true}, {"kirjoitti", true},
}

// opening are the words with which an introduction begins.
var opening = []string{"on ", "at ", "am ", "den ", "le ", "el ", "en ", "il ", "in data ", "em ", "no dia ", "op ", "dne ", "dnia ", "w dniu ", "в ", "在", "于", "於"}

// mayIntroduce is a quick look at the end of a line.
func mayIntroduce(s string) bool {
	s = strings.TrimRight(s, " \t*_")
	return strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：") || strings.HasSuffix(s, ">")
}

// introducing is how a text introduces a quote, the better the more it is.
type introducing int

const (
	notAtAll introducing = iota
	byEnd                // only its last words do: "wrote:"
	byName               // it begins with a name and an address
	byDate               // with a date
	byWord               // with a word that such lines begin with
)

// introduces tells how a text introduces a quote if one follows, and whether it does
// so even if none follows, because it tells a moment or an address as programs do
// and nobody types.
func introduces(text string) (how introducing, sure bool) {
	text = strings.ToLower(strings.Trim(straight(text), " \t*_"))
	if len(text) > maxIntroduction {
		return notAtAll, false
	}
	bare := strings.TrimRight(text, " :：")
	address := strings.Contains(bare, "@") && strings.Contains(bare, "<")
	numbers, clock := numbersIn(bare)
	begins, colon := beginning(bare), bare != text
	if !colon || !saysWrote(bare) {
		// Of programs that only tell when and who: 2024-05-06 10:15 Ann <ann@example.org>:
		ends := strings.HasSuffix(bare, ">")
		if begins == byEnd || !address || numbers < 3 || !ends && !(clock && colon) {
			return notAtAll, false
		}
		return begins, clock && ends && colon
	}
	words := len(strings.Fields(bare))
	switch {
	case begins == byEnd && (words <= 5 || address): // Ann wrote:
		return byEnd, address && strings.HasPrefix(bare, "<")
	case begins != byEnd && (address || numbers >= 2 || words <= 8):
		return begins, address && numbers > 0 || clock && numbers >= 4
	}
	return notAtAll, false
}

// beginning tells what a text begins with.
func beginning(s string) introducing {
	switch {
	case opens(s):
		return byWord
	case startsDated(s):
		return byDate
	case startsNamed(s):
		return byName
	}
	return byEnd
}

func opens(s string) bool {
	for _, o := range opening {
		if strings.HasPrefix(s, o) {
			return true
		}
	}
	return false
}

// saysWrote reports whether a text ends as an introduction does, with the verb or the
// name of the writer.
func saysWrote(s string) bool {
	for _, w := range wrote {
		i := strings.LastIndex(s, w.words)
		if i < 0 || i > 0 && !boundary(s[:i], w.words) {
			continue
		}
		rest := s[i+len(w.words):]
		if n := len(strings.Fields(rest)); n == 0 && rest == "" || w.after && n <= 8 || strings.HasPrefix(rest, "(") && n <= 1 {
			return true
		}
	}
	return false
}

// boundary reports whether a word may begin after s. Chinese and Japanese need no
// blank before it.
func boundary(s, word string) bool {
	if r, _ := utf8.DecodeRuneInString(word); unicode.In(r, unicode.Han, unicode.Hiragana) {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(s)
	return !unicode.IsLetter(r)
}

// numbersIn counts the runs of digits, and reports whether two of them make a time of
// day.
func numbersIn(s string) (n int, clock bool) {
	for i := 0; i < len(s); i++ {
		if !digit(s, i) || digit(s, i-1) {
			continue
		}
		n++
		if colon := i + 1; digit(s, colon) {
			clock = clock || isClock(s, colon+1)
		} else {
			clock = clock || isClock(s, colon)
		}
	}
	return n, clock
}

// isClock reports whether minutes stand at i, after the hours.
func isClock(s string, i int) bool {
	return i < len(s) && (s[i] == ':' || s[i] == 'h' || s[i] == '.') && digit(s, i+1) && digit(s, i+2) && !digit(s, i+3)
}

func digit(s string, i int) bool { return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9' }

// startsDated reports whether a text begins with a date, or with a day of the week
// before one.
func startsDated(s string) bool {
	if digit(s, 0) {
		return true
	}
	first, rest, found := strings.Cut(s, ",")
	return found && utf8.RuneCountInString(first) <= 10 && !strings.Contains(first, " ") && digit(strings.TrimSpace(rest), 0)
}

// startsNamed reports whether a text begins with a name and an address.
func startsNamed(s string) bool {
	name, rest, found := strings.Cut(s, "<")
	return found && name != "" && len(strings.Fields(name)) <= 4 && strings.Contains(rest, "@")
}
