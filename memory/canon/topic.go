package canon

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Topic is a sensitive topic, about which nothing is remembered unless the
// owner allows it.
type Topic string

// The topics.
const (
	Health      Topic = "health"
	Religion    Topic = "religion"
	Politics    Topic = "politics"
	Sexuality   Topic = "sexuality"
	Gender      Topic = "gender identity"
	Ethnicity   Topic = "ethnicity"
	Immigration Topic = "immigration status"
	Criminal    Topic = "criminal history"
)

// Topics returns the sensitive topics that a text touches, each once, in the
// order above. It looks for words and phrases in English, German, Spanish,
// French and Chinese, for the commonest in nine more languages, and errs on the
// side of finding: a plant that is sick is health. Well-known harmless phrases
// ("Turkish coffee") pass. What is said without any of the words passes too, so
// that this is the floor under a model's judgement, which can add to it and
// never take away.
func Topics(text string) []Topic {
	l := lexicon()
	form := Form(text)
	found := map[Topic]bool{}
	l.words(form, found)
	l.characters(form, found)
	delete(found, "")
	var topics []Topic
	for _, t := range []Topic{Health, Religion, Politics, Sexuality, Gender, Ethnicity, Immigration, Criminal} {
		if found[t] {
			topics = append(topics, t)
		}
	}
	return topics
}

// phrase is an entry of the lexicon: words in a row, each the beginning of one
// if it ends in *. The empty topic lets what it matches pass.
type phrase struct {
	words []string
	topic Topic
}

// phrases are what the lexicon knows.
type phrases struct {
	byWord   map[string][]phrase // by their first word without *
	unspaced map[rune][]phrase   // of writing without spaces, by the first character
}

const (
	minPrefix = 3  // bytes of the shortest beginning of a word
	maxPrefix = 36 // of the longest
)

// lexicon builds the tables when they are first needed.
var lexicon = sync.OnceValue(func() phrases {
	l := phrases{map[string][]phrase{}, map[rune][]phrase{}}
	for _, list := range topicLists {
		for entry := range strings.SplitSeq(list.entries, ",") {
			l.add(entry, list.topic)
		}
	}
	longestFirst := func(a, b phrase) int { return len(strings.Join(b.words, " ")) - len(strings.Join(a.words, " ")) }
	for _, p := range l.byWord {
		slices.SortStableFunc(p, longestFirst)
	}
	for _, p := range l.unspaced {
		slices.SortStableFunc(p, longestFirst)
	}
	return l
})

// add takes an entry into the tables. The form of a word keeps no *, so that is
// looked for before.
func (l phrases) add(entry string, topic Topic) {
	var words []string
	for w := range strings.FieldsSeq(entry) {
		forms := strings.Fields(Form(w))
		if strings.HasSuffix(w, "*") {
			forms[len(forms)-1] += "*"
		}
		words = append(words, forms...)
	}
	if len(words) == 0 {
		return
	}
	if first, _ := utf8.DecodeRuneInString(words[0]); Unspaced(first) {
		l.unspaced[first] = append(l.unspaced[first], phrase{words, topic})
		return
	}
	key := strings.TrimSuffix(words[0], "*")
	l.byWord[key] = append(l.byWord[key], phrase{words, topic})
}

// words adds the topics of a form's words and phrases to found.
func (l phrases) words(form string, found map[Topic]bool) {
	words := strings.Fields(form)
	for i := 0; i < len(words); {
		p, ok := l.at(words[i:])
		if !ok {
			i++
			continue
		}
		found[p.topic] = true
		i += len(p.words)
	}
}

// at returns the longest phrase that words begin with.
func (l phrases) at(words []string) (phrase, bool) {
	var best phrase
	better := func(p phrase) bool { return len(p.words) > len(best.words) && p.matches(words) } // of equals, the longest word
	first := words[0]
	for _, p := range l.byWord[first] {
		if better(p) {
			best = p
		}
	}
	for end := min(len(first)-1, maxPrefix); end >= minPrefix; end-- {
		if !utf8.RuneStart(first[end]) {
			continue
		}
		for _, p := range l.byWord[first[:end]] {
			if better(p) {
				best = p
			}
		}
	}
	return best, len(best.words) > 0
}

func (p phrase) matches(words []string) bool {
	if len(words) < len(p.words) {
		return false
	}
	for i, w := range p.words {
		if prefix, ok := strings.CutSuffix(w, "*"); ok && strings.HasPrefix(words[i], prefix) {
			continue
		}
		if words[i] != w {
			return false
		}
	}
	return true
}

// characters adds the topics of what stands in a form without spaces to found.
func (l phrases) characters(form string, found map[Topic]bool) {
	for len(form) > 0 {
		first, size := utf8.DecodeRuneInString(form)
		if first > unicode.MaxLatin1 {
			for _, p := range l.unspaced[first] {
				if strings.HasPrefix(form, p.words[0]) {
					found[p.topic] = true
					size = len(p.words[0])
					break
				}
			}
		}
		form = form[size:]
	}
}
