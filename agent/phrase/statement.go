package phrase

import (
	"regexp"
	"strings"
	"sync"
)

// Statement returns what a payload says in the order of a main clause, and the
// payload itself where that is not plain. In German the verb of what follows
// "dass" stands last ("mein Fahrrad grün ist"), and that of what follows
// "tatsächlich" first ("ist mein Fahrrad grün"). The words stay the same.
func Statement(payload, lang string) string {
	if lang != "de" {
		return payload
	}
	r := germanOrder()
	if m := r.last.FindStringSubmatch(payload); m != nil && !r.verb.MatchString(m[2]) && !r.belongs.MatchString(m[2]) {
		return m[1] + " " + m[3] + " " + m[2]
	}
	if m := r.first.FindStringSubmatch(payload); m != nil && !r.belongs.MatchString(m[3]) {
		return m[2] + " " + strings.ToLower(m[1]) + " " + m[3]
	}
	return payload
}

// order finds a German clause of one subject and one verb.
type order struct {
	last, first *regexp.Regexp
	verb        *regexp.Regexp // a second verb: more than one clause
	belongs     *regexp.Regexp // what goes on with the subject: "und …", "von …"
}

var germanOrder = sync.OnceValue(func() order {
	const (
		verb  = `ist|sind|war|waren|bin|hat|habe|haben|hatte|heiße|heißt|heißen|heisse|heisst|wohne|wohnt|wohnen|mag|mögen|lebe|lebt|leben|arbeite|arbeitet|esse|isst|trinke|trinkt|spreche|spricht`
		noun  = `(?i:mein|dein|sein|ihr|unser|meine|deine|seine|ihre|unsere|der|die|das) \p{Lu}[\p{L}-]+`
		whole = `(` + noun + `|(?i:ich|er|wir))`
	)
	return order{
		last:    regexp.MustCompile(`^` + whole + ` ([^,;:.!?\n]+) (` + verb + `)$`),
		first:   regexp.MustCompile(`^((?i:` + verb + `)) ` + whole + ` ([^,;:.!?\n]+)$`),
		verb:    regexp.MustCompile(`(?i)(?:^| )(?:` + verb + `)(?: |$)`),
		belongs: regexp.MustCompile(`(?i)^(?:und|oder|von|vom|des|der)(?: |$)`),
	}
})
