package recall

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"nacre/memory/recall/terms"
)

// Bounds of a query, so that one of any length costs no more than a long sentence.
const (
	maxQueryBytes = 4000
	maxWords      = 24
	maxGuessed    = 4 // words that are taken for misspelled
)

// What the words of a query weigh.
const (
	ofVague   = 0.5  // what most questions have: "kind", "often"
	ofSingle  = 0.5  // one character of writing without spaces: its pairs say it better
	ofGuessed = 0.7  // what nobody ever said, read as a word that is spelled almost so
	ofRelated = 0.15 // other words for the same thing, or for things of that kind
	ofMissing = 0.5  // the same, for a word that nobody ever said
)

// reader understands the queries of an owner.
type reader struct {
	analyzer *terms.Analyzer
	zone     *time.Location // whose days are counted
}

// query is what is asked for.
type query struct {
	reader  reader
	words   []word
	guessed int      // words that nobody ever said and that were taken for misspelled
	related []term   // other words for the same things, or for things of these kinds
	who     []uint16 // authors whose words it is after; none for anybody's
	days    []span   // that it is about
	cues    cues
}

// word is one of a query's own.
type word struct {
	term
	worth float64 // its weight by its rarity
}

// query understands what is asked of a corpus at q.Now.
func (r reader) query(q Query, c corpus) query {
	text := q.Text[:min(len(q.Text), maxQueryBytes)]
	said := r.analyzer.Query(text)
	forms := formsOf(said)
	who, named := r.askedOf(text, said, c)
	made := query{
		reader: r,
		who:    who,
		days:   short(dates(text, tokensOf(said), dateOf(q.Now.In(r.zone)), asked)),
		cues:   readCues(text, forms),
	}
	made.take(said, named, c)
	return made
}

func formsOf(said []terms.Asked) []string {
	forms := make([]string, len(said))
	for i, w := range said {
		forms[i] = w.Form
	}
	return forms
}

func tokensOf(said []terms.Asked) []terms.Token {
	tokens := make([]terms.Token, len(said))
	for i, w := range said {
		tokens[i] = w.Token
	}
	return tokens
}

// direct are the query's own words.
func (q query) direct() []term {
	list := make([]term, len(q.words))
	for i, w := range q.words {
		list[i] = w.term
	}
	return list
}

// terms are its own words and others for the same things.
func (q query) terms() []term { return append(q.direct(), q.related...) }

// take weighs the words of a query; of too many it keeps those that tell most.
// Names of those whose words it is after are no words: they are how others speak
// to them.
func (q *query) take(said []terms.Asked, named []string, c corpus) {
	seen := map[string]bool{}
	for _, w := range said {
		if w.Stop || seen[w.Term] || slices.Contains(named, w.Form) {
			continue
		}
		seen[w.Term] = true
		q.add(w, c)
	}
	if len(q.words) > maxWords {
		slices.SortStableFunc(q.words, func(a, b word) int { return cmp.Compare(b.worth, a.worth) })
	}
	q.words = q.words[:min(maxWords, len(q.words))]
	q.related = q.related[:min(maxWords, len(q.related))]
}

func (q *query) add(w terms.Asked, c corpus) {
	t := term{w.Alternatives, weightOf(w)}
	missing := frequency(w.Alternatives, c) == 0
	q.relate(t, missing)
	if missing && w.Kind == terms.Word && q.guessed < maxGuessed && !ofCalendar(w.Token) {
		q.guessed++
		t = term{guess(w.Form, c), t.weight * ofGuessed}
	}
	if some := frequency(t.alternatives, c); some > 0 {
		q.words = append(q.words, word{t, t.weight * rarity(min(some, c.size()), c.size())})
	}
}

// relate adds other words for what a term stands for, of the kinds of kinship each
// as a term of its own: what is rare of the one may be common of the other.
func (q *query) relate(t term, missing bool) {
	share := ofRelated
	if missing {
		share = ofMissing
	}
	same, things := related(t.alternatives)
	for _, kin := range [][]string{same, things} {
		if len(kin) > 0 {
			q.related = append(q.related, term{kin, t.weight * share})
		}
	}
}

// frequency counts the messages that have any of some terms, those that have
// several more than once.
func frequency(alternatives []string, c corpus) int {
	n := 0
	for _, term := range alternatives {
		n += c.frequency(term)
	}
	return n
}

func weightOf(w terms.Asked) float64 {
	switch {
	case w.Kind == terms.Gram && utf8.RuneCountInString(w.Form) == 1:
		return ofSingle
	case vague()[w.Form]:
		return ofVague
	}
	return 1
}

// vague are words that say what sort of answer is wanted rather than what it is
// about.
var vague = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for form := range strings.FieldsSeq(`kind kinds type types sort name names many much long ago time times day days
		date year years month months week weeks some thing things something anything event events activity
		activities way ways often first recently currently likely would might get go
		art arten name namen viel viele lange zeit mal tag tage datum jahr jahre monat woche ding dinge sache
		sachen oft zuerst neulich
		tipo tipos nombre mucho muchos tiempo vez veces dia dias fecha ano anos mes meses semana cosa cosas
		genre sorte nom temps fois jour jours annee mois semaine chose choses souvent`) {
		words[form] = true
	}
	return words
})
