package style

import "sync"

// claimSets are claims as they are looked up.
type claimSets struct {
	totals, holds, contents                    set
	people, singles, near, many, treats, shuns set
	being, joins, goes                         set
}

func (c claims) sets() claimSets {
	return claimSets{
		totals: setOf(c.totals), holds: setOf(c.holds), contents: setOf(c.contents),
		people: setOf(c.people), singles: setOf(c.singles), near: setOf(c.near), many: setOf(c.many), treats: setOf(c.treats), shuns: setOf(c.shuns),
		being: setOf(c.being), joins: setOf(c.joins), goes: setOf(c.goes),
	}
}

// claim tells what words of the lexicon say together that none says alone: figures,
// an order that is dressed as a habit, or something of people. Empty if it is nothing
// of that kind.
func (l *lexicon) claim(tokens []token) Flaw {
	if l.figures(tokens) {
		return Numbered
	}
	for _, s := range sentences(tokens) {
		switch {
		case l.claims.habit(s):
			return Commanded
		case l.claims.condition(s), l.claims.gift(s):
			return Telling
		}
		for i := range s {
			if l.claims.person(s, i) {
				return Telling
			}
		}
	}
	return ""
}

// sentences parts a text, and leaves out what is quoted: a greeting claims nothing.
func sentences(tokens []token) [][]token {
	var all [][]token
	last := -1
	for _, t := range tokens {
		if t.quoted {
			continue
		}
		if t.sentence != last {
			all = append(all, nil)
			last = t.sentence
		}
		all[len(all)-1] = append(all[len(all)-1], t)
	}
	return all
}

// maxCounts is how often a text may count something. With more a text could spell out
// a figure, a digit at a time.
const maxCounts = 2

// figures reports whether a text counts more often than a style needs. "Two or three"
// and "eight to ten" count once.
func (l *lexicon) figures(tokens []token) bool {
	n := 0
	for i := 0; i < len(tokens); i++ {
		if !l.numbers[tokens[i].form] {
			continue
		}
		n++
		if i+2 < len(tokens) && !l.units[tokens[i+1].form] && l.numbers[tokens[i+2].form] {
			i += 2
		}
	}
	return n > maxCounts
}

// habit reports whether a sentence says what mails hold, or what is so of it in each and
// every case: "always include the details" is an order, whoever it is said of.
func (c *claimSets) habit(s []token) bool {
	total, holds, content := false, false, false
	for i := range s {
		w := s[i].form
		if holds && c.contents[w] {
			return true
		}
		total, holds, content = total || c.totals[w], holds || c.holds[w], content || c.contents[w]
	}
	return total && content
}

// condition reports whether a sentence tells how somebody is and names nothing that is
// so: "Is dry and sober."
func (c *claimSets) condition(s []token) bool {
	for i := range s {
		if c.being[s[i].form] && (i == 0 || s[i].clause || c.joins[s[i-1].form]) {
			return true
		}
	}
	return false
}

// given are words for a manner of writing that people are called by as well.
var given = sync.OnceValue(func() set {
	return setOf("mark marks dot dots clara claire dulce franc franche olive blanche modesta prudente prudence serena sereno franco justo modesto bright sharp frank ernst klar klara fromm kurz lang sage clement")
})

// gift reports whether something goes to what may be somebody's name.
func (c *claimSets) gift(s []token) bool {
	for i := 1; i < len(s); i++ {
		if given()[s[i].form] && c.goes[s[i-1].form] && i+1 == len(s) || given()[s[i].form] && c.goes[s[i-1].form] && c.joins[s[i+1].form] {
			return true
		}
	}
	return false
}

// back is how many words before people the verb may stand whose object they are.
const back = 3

// person reports whether word i is of people, and more is said of them than how they
// are written to: which of many it is, or that they are preferred, avoided or left.
func (c *claimSets) person(s []token, i int) bool {
	if !c.people[s[i].form] || i == 0 {
		return false
	}
	if before := s[i-1].form; !c.near[before] && (c.singles[s[i].form] || !c.many[before]) {
		return true
	}
	for k := i - 1; k >= max(0, i-back); k-- {
		switch w := s[k].form; {
		case c.treats[w]:
			return false
		case c.shuns[w]:
			return true
		}
	}
	return false
}
