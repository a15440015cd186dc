package style

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"nacre/memory/canon"
)

// names are the words of letters that may be somebody's name, in canonical form: whom
// a letter greets, who signs it, and, where nouns are not written with capitals, what
// stands with one within a sentence. It holds too much rather than too little.
type names set

// maxGreeted is how many words behind an opening may be whom it greets.
const maxGreeted = 4

// namesOf finds the names in letters.
func namesOf(texts []string) names {
	n := names{}
	for _, text := range texts {
		lines := linesOf(text)
		if len(lines) == 0 {
			continue
		}
		n.greeted(lines[0])
		n.signed(lines)
		if languageOf(text) != "de" {
			n.within(text)
		}
	}
	for w := range n {
		if formWords()[w] || crowdWords()[w] || joins(w) || tongue(w) {
			delete(n, w)
		}
	}
	return n
}

// joins reports whether a word only joins others, in one of the languages. Those of
// one letter are not looked for as names.
func joins(word string) bool {
	if pairless(word) && utf8.RuneCountInString(word) < 2 {
		return true
	}
	for _, lang := range languages {
		if joining()[lang][word] {
			return true
		}
	}
	return false
}

// tongue reports whether a word is a language, which some write with a capital. That
// a description does not tell by it where somebody is from is looked after elsewhere.
func tongue(word string) bool {
	for _, l := range lexicons() {
		if l.tongues[word] {
			return true
		}
	}
	return false
}

// greeted adds whom the first line of a letter greets.
func (n names) greeted(line string) {
	head := line
	if i := strings.IndexAny(line, ",;:!.-–—，：！。；"); i >= 0 {
		head = line[:i]
	}
	form := canon.Form(head)
	_, rest, ok := begins(form, openingForms())
	if p, held := contains(form, openingForms()); held {
		n.addUnspaced(strings.ReplaceAll(form, p.form, ""))
		return
	}
	if !ok {
		return
	}
	words := strings.Fields(rest)
	if !pairless(rest) {
		n.addUnspaced(rest)
	} else if len(words) <= maxGreeted {
		n.add(words)
	}
}

// signed adds who signs a letter: what follows its closing, and a short last line.
func (n names) signed(lines []string) {
	if p, at, ok := closes(lines); ok {
		_, rest, _ := begins(canon.Form(lines[at]), []phrasing{p})
		for _, line := range append([]string{rest}, lines[at+1:]...) {
			n.line(line)
		}
		return
	}
	n.line(lines[len(lines)-1])
}

// line adds the words of a line that is no more than a name.
func (n names) line(line string) {
	words := strings.Fields(canon.Form(line))
	if len(words) > maxGreeted {
		return
	}
	for _, w := range words {
		if pairless(w) {
			n.add([]string{w})
		} else {
			n.addUnspaced(w)
		}
	}
}

// within adds what stands with a capital where no sentence begins.
func (n names) within(text string) {
	for _, t := range tokensOf(text) {
		if t.capital && !t.first {
			n.add([]string{t.form})
		}
	}
}

func (n names) add(words []string) {
	for _, w := range words {
		n[w] = true
	}
}

// longestName is how many characters a Chinese name may have, with its title.
const longestName = 6

// addUnspaced adds a name in writing without spaces, also without a title behind it.
func (n names) addUnspaced(run string) {
	for title := range crowdWords() {
		if !pairless(title) {
			run = strings.ReplaceAll(run, title, "")
		}
	}
	if count := utf8.RuneCountInString(run); count > 1 && count <= longestName && !strings.ContainsFunc(run, unicode.IsSpace) {
		n[run] = true
	}
}

// in reports whether one of the names stands in a text in canonical form.
func (n names) in(form string) bool {
	for w := range strings.FieldsSeq(form) {
		if n[w] {
			return true
		}
	}
	for name := range n {
		if !pairless(name) && strings.Contains(form, name) {
			return true
		}
	}
	return false
}
