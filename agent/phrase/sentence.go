package phrase

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentence is a part of a message that says one thing, for Parse to read by
// itself.
type Sentence struct {
	Start, End int  // bytes, without the blanks around it
	Apart      bool // a blank line stands before it
}

// maxPlea is the length, in characters, of a message that may ask for something
// behind its first sentence. A longer one may be a text that was pasted.
const maxPlea = 300

// Pleas are the sentences of a message that may ask for something.
func Pleas(text string) []string {
	var list []string
	for _, s := range Sentences(text) {
		list = append(list, text[s.Start:s.End])
	}
	if utf8.RuneCountInString(text) > maxPlea {
		list = list[:min(1, len(list))]
	}
	return list
}

// Sentences cuts a message at the ends of sentences and lines. What a line
// announces with a colon or a comma belongs to it. A full stop after a number of
// two digits ("am 3. Mai"), an initial or a known abbreviation ends nothing.
func Sentences(text string) []Sentence {
	var all []Sentence
	from, last := 0, 0 // where the next one may begin, and the one before ended
	cut := func(to int) {
		if s := strings.TrimSpace(text[from:to]); s != "" {
			start := from + strings.Index(text[from:to], s)
			apart := len(all) > 0 && strings.Count(text[last:start], "\n") > 1
			last = start + len(s)
			all = append(all, Sentence{Start: start, End: last, Apart: apart})
		}
		from = to
	}
	for i, r := range text {
		if i < from || !strings.ContainsRune(stops, r) {
			continue
		}
		to := i + utf8.RuneLen(r)
		switch {
		case !ends(text[from:i], r, text[to:]):
		case r == '\n':
			cut(to)
		default:
			cut(len(text) - len(strings.TrimLeft(text[to:], closers)))
		}
	}
	cut(len(text))
	return all
}

// Marks that may end a sentence, and those that still belong to it.
const (
	stops   = ".!?…。！？\n"
	closers = `.!?…。！？"”’»」)`
)

// ends reports whether a sentence that has begun with before ends with r.
func ends(before string, r rune, after string) bool {
	switch r {
	case '\n':
		return !endsIn(strings.TrimSpace(before), ":", "：", ",", "，")
	case '。', '！', '？':
		return true
	case '.', '!', '?', '…':
		after = strings.TrimLeft(after, closers)
		next, _ := utf8.DecodeRuneInString(after)
		return (after == "" || unicode.IsSpace(next)) && (r != '.' || !abbreviated(before))
	}
	return false
}

// abbreviations end in a full stop that ends no sentence.
var abbreviations = strings.Fields("dr mr mrs ms st prof jr sr sra mme mlle approx vs etc nr no ca bzw usw ggf inkl tel")

// abbreviated reports whether a full stop after such a text may belong to its
// last word.
func abbreviated(before string) bool {
	word := strings.ToLower(before[strings.LastIndexFunc(before, unicode.IsSpace)+1:])
	word = strings.TrimLeft(word, `("“„«`)
	switch n := utf8.RuneCountInString(word); {
	case n == 0, strings.Contains(word, "."):
		return n > 0
	case n == 1, n == 2 && strings.Trim(word, "0123456789") == "":
		return word != "i"
	}
	return slices.Contains(abbreviations, word)
}
