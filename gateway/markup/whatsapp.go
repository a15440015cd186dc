package markup

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// whatsAppCharacters is the most for a message. WhatsApp takes much more, but
// folds what is longer, and people do not find the rest.
const whatsAppCharacters = 4000

func whatsApp() platform {
	text := plainForm(whatsAppCharacters, Characters)
	text.tags = whatsAppTags
	return platform{text: text, plain: plainForm(whatsAppCharacters, Characters)}
}

// whatsAppMarks are the signs of marks, in the order of nesting.
// See https://faq.whatsapp.com/539178204879377.
var whatsAppMarks = [...]struct {
	mark mark
	sign string
}{
	{pre, "```"},
	{bold, "*"},
	{italic, "_"},
	{strike, "~"},
	{code, "`"},
}

func whatsAppTags(tags []tag, s style) []tag {
	if s.href != "" {
		tags = append(tags, tag{"", ": " + shown(s.href)})
	}
	for _, m := range whatsAppMarks {
		if s.has(m.mark) {
			tags = append(tags, tag{m.sign, m.sign})
		}
	}
	return tags
}

// readable takes out the marks whose signs WhatsApp would show instead of
// reading them: it knows no way to escape, no mark within a word or over the
// end of a line, and no fence in a quotation.
func readable(r rich) rich {
	runs := byLine(r)
	for _, m := range whatsAppMarks {
		for i := 0; i < len(runs); i++ {
			from := i
			for i < len(runs) && runs[i].style.has(m.mark) {
				i++
			}
			tidy(r.text, runs, from, i, m.mark, m.sign)
		}
	}
	return rich{r.text, runs}
}

// tidy takes a mark from white space at the ends of the runs between two
// indexes, all of which have it; and from the rest too if WhatsApp would not
// read the signs around it.
func tidy(text string, runs []run, from, to int, m mark, sign string) {
	first, last := from, to
	for first < last && blankRun(text, runs, first) {
		first++
	}
	for first < last && blankRun(text, runs, last-1) {
		last--
	}
	if first < last && !reads(text, begin(runs, first), runs[last-1].end, sign) {
		first = last
	}
	for i := from; i < to; i++ {
		if i < first || i >= last {
			runs[i].style.marks &^= m
		}
	}
}

func blankRun(text string, runs []run, i int) bool {
	return strings.TrimSpace(text[begin(runs, i):runs[i].end]) == ""
}

// byLine is the runs of r, cut so that white space around the words of a run
// and the ends of lines are runs by themselves. The ends have no marks but
// those of whole blocks.
func byLine(r rich) []run {
	var runs []run
	for text, s := range r.between(0, len(r.text)) {
		if s.has(quote) {
			s.marks &^= pre
		}
		if s.has(pre) {
			runs = push(runs, text, s)
			continue
		}
		end := s
		end.marks &= quote
		for line := range strings.Lines(text) {
			line, newline := strings.CutSuffix(line, "\n")
			body := strings.TrimSpace(line)
			at := strings.Index(line, body)
			runs = push(runs, line[:at], s)
			runs = push(runs, body, s)
			runs = push(runs, line[at+len(body):], s)
			if newline {
				runs = push(runs, "\n", end)
			}
		}
	}
	return runs
}

// push appends a run for a text, unless that is empty.
func push(runs []run, text string, s style) []run {
	if text == "" {
		return runs
	}
	return append(runs, run{begin(runs, len(runs)) + len(text), s})
}

// begin returns where a run begins.
func begin(runs []run, i int) int {
	if i == 0 {
		return 0
	}
	return runs[i-1].end
}

// reads reports whether WhatsApp reads signs around a stretch of text.
func reads(text string, from, to int, sign string) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[to:])
	return !inWord(before) && !inWord(after) && !strings.Contains(text[from:to], sign)
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
