package mail

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// remark takes for quoted the lines with marks that few programs use: a bar, the
// initials of the writer, and, below a line that introduces a quote, a colon.
func remark(list []line) {
	for i := range list {
		if !list[i].mine() {
			continue
		}
		if barMarked(list[i].text) || initialled(list[i].text) {
			list[i].depth++
			continue
		}
		if n, _ := introduction(list, i); n > 0 {
			for k := i + 1; k < len(list) && list[k].mine() && strings.HasPrefix(list[k].text, ":"); k++ {
				list[k].depth++
			}
		}
	}
}

// barMarked reports whether a line begins with a bar and has no other, as the rows of
// tables do.
func barMarked(s string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(s, " \t"), "|")
	return ok && (rest == "" || rest[0] == ' ') && !strings.Contains(rest, "|")
}

// initials are those of the writer before the mark of a quote.
var initials = regexp.MustCompile(`^ ?([A-Z]{2,3})>+ `)

// prompts look like initials: of programs that take commands, which people paste.
var prompts = []string{"PS", "SQL", "DOS", "CLI", "CMD", "GDB", "IRB", "DB", "IN", "OUT"}

func initialled(s string) bool {
	m := initials.FindStringSubmatch(s)
	return m != nil && !slices.Contains(prompts, m[1])
}

// Lines that begin an older mail though they do not end as an introduction does.
var (
	// Ann Lee ---06/05/2024 10:15:00---Are you free
	lotus = regexp.MustCompile(`^\pL[^-]{1,60} ---\d{1,4}[./-]\d{1,2}[./-]\d{2,4} \d{1,2}:\d{2}(:\d{2})?( [AP]M)?---`)
	// Ann Lee, 06.05.2024:
	nameAndDate = regexp.MustCompile(`^(\p{Lu}\pL+(?: \p{Lu}[\pL.]*){1,2}), (?:\d{1,2}[./]\d{1,2}[./]\d{4}|\d{4}-\d{2}-\d{2})(?:,? \d{1,2}:\d{2})?:$`)
)

// occasions are words that stand with a date in headings of somebody's own.
var occasions = strings.Fields("meeting minutes call notes update version status agenda workshop interview deadline protokoll sitzung besprechung notizen termin stand treffen réunion notes compte reunión reunion acta llamada notas")

// heads reports whether line i begins an older mail that has no marks. Of lines with a
// name and a date there are so many.
func heads(list []line, i, dated int) bool {
	s := strings.TrimRight(list[i].text, " \t")
	if !list[i].mine() || i > 0 && list[i-1].mine() && !blank(list[i-1].text) {
		return false
	}
	return len(s) <= maxTogether && (lotus.MatchString(s) || introducedWithin(s)) || i > 0 && dated == 1 && dates(list, i, s)
}

// introducedWithin reports whether the quote begins on the line that introduces it.
func introducedWithin(s string) bool {
	if !strings.Contains(s, "@") || !strings.Contains(s, ":") {
		return false
	}
	low := strings.ToLower(s)
	for _, w := range wrote {
		at := strings.Index(low, w.words+":")
		if at < 0 || at+len(w.words)+1 >= len(s) || len(low) != len(s) {
			continue
		}
		if how, sure := introduces(s[:at+len(w.words)+1]); how >= byName && sure && strings.Contains(s[:at], "@") {
			return true
		}
	}
	return false
}

// dates reports whether a line is a name and a date, as some write by hand above the
// older mail. Without a name it is a heading.
func dates(list []line, i int, s string) bool {
	m := nameAndDate.FindStringSubmatch(s)
	if m == nil || slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(m[1]), unicode.IsSpace), func(w string) bool { return slices.Contains(occasions, w) }) {
		return false
	}
	next := following(list, i+1)
	return next == i+1 && list[next].mine()
}

// countDates counts the lines with a name and a date. Where there are two of them they
// are headings.
func countDates(list []line) int {
	n := 0
	for _, l := range list {
		if l.mine() && strings.HasSuffix(l.text, ":") && nameAndDate.MatchString(l.text) {
			n++
		}
	}
	return n
}

// boilerplates are the words of which the notes consist that firms add below mails, by
// language. No sentence of a letter has many of them.
var boilerplates = [][]string{
	{"confidential", "intended solely", "intended only", "intended for", "addressee", "intended recipient", "privileged", "in error", "unauthorised", "unauthorized", "attachments"},
	{"vertraulich", "ausschließlich", "bestimmt", "adressat", "empfänger", "irrtümlich", "unbefugt", "vernichten", "rechtlich geschützt"},
	{"confidentiel", "exclusivement", "destiné", "destinataire", "par erreur", "non autorisé", "pièces jointes"},
	{"confidencial", "exclusivamente", "destinatario", "dirigido", "por error", "no autorizad", "privilegiada"},
	{"保密", "机密", "收件人", "误收", "未经授权", "删除", "仅供"},
}

// How many of those words make a note of that kind, and in how many of the last
// paragraphs it may stand.
const (
	minBoilerplate = 3
	lastParagraphs = 3
)

// unboiled cuts at such a note.
func unboiled(lines []string) []string {
	cut := lines
	end := len(lines)
	for range lastParagraphs {
		for end > 0 && blank(lines[end-1]) {
			end--
		}
		start := end
		for start > 0 && !blank(lines[start-1]) {
			start--
		}
		if start > 0 && boilerplate(strings.Join(lines[start:end], " ")) {
			cut = lines[:start]
		}
		end = start
	}
	return cut
}

// maxBoilerplate is how many bytes of a paragraph are looked at.
const maxBoilerplate = 4000

func boilerplate(s string) bool {
	s = strings.ToLower(head(s, maxBoilerplate))
	for _, list := range boilerplates {
		n := 0
		for _, w := range list {
			if strings.Contains(s, w) {
				n++
			}
		}
		if n >= minBoilerplate {
			return true
		}
	}
	return false
}
