package distill

import (
	"regexp"
	"strings"
	"sync"

	"nacre/memory"
	"nacre/memory/canon"
)

// thing is what a sentence such as "my dog is called Rex" speaks of.
type thing struct {
	words string // "dog"
	name  string // the word for a name, if the sentence says what it is called
}

// slug is where that is kept. What a thing is called stands apart from what else
// is known of it.
func (t thing) slug() string {
	words := strings.NewReplacer("'s ", " ", "’s ", " ").Replace(t.words + " " + t.name)
	return slug(strings.Fields(canon.Form(words)))
}

// single reports whether such a sentence says the one value that a thing has, so
// that the next one takes its place. People are and have many things, but one
// name and one birthday.
func (t thing) single(a memory.Area) bool {
	return a != memory.People || t.name != "" || strings.ContainsAny(t.words, "'’")
}

// thingOf reads a sentence that begins with what it speaks of. What has no letter is
// no thing.
func thingOf(text string) (thing, bool) {
	for _, f := range forms() {
		if m := f.re.FindStringSubmatch(text); m != nil && (thing{words: m[1]}).slug() != "" {
			return thing{m[1], f.name}, true
		}
	}
	return thing{}, false
}

// form is one way to say what something of the owner's is.
type form struct {
	name string // the word for a name, where the form tells one
	re   *regexp.Regexp
}

// forms lists the more special ones first. In a German clause after "dass" the
// verb comes last.
var forms = sync.OnceValue(func() []form {
	in := strings.NewReplacer(" ", `\s+`, "'", "['’]", "NOUN", `([^\s,.;:!?]+(?: [^\s,.;:!?]+){0,3}?)`, "WORD", `([^\s,.;:!?]+)`, "HAN", `(\p{Han}{1,8}?)`)
	of := func(name, pattern string) form {
		return form{name, regexp.MustCompile(`^(?is:` + in.Replace(pattern) + `)`)}
	}
	return []form{
		of("name", `my NOUN(?:'s name is|(?:'s name)? is (?:called|named)) `),
		of("", `my NOUN(?: (?:is|are|was|were) |\s*[:=])`),
		of("name", `mein(?:e[rsnm]?)? NOUN (?:heißt|heisst|heißen) `),
		of("name", `mein(?:e[rsnm]?)? WORD .+ (?:heißt|heisst|heißen)$`),
		of("", `mein(?:e[rsnm]?)? NOUN(?: (?:ist|sind|war|lautet) |\s*[:=])`),
		of("", `mein(?:e[rsnm]?)? WORD .+ (?:ist|sind|war|lautet)$`),
		of("nombre", `mis? NOUN se llaman? `),
		of("", `mis? NOUN(?: (?:es|son|está|están|era) |\s*[:=])`),
		of("nom", `(?:mon|ma|mes) NOUN s'appell(?:e|ent) `),
		of("", `(?:mon|ma|mes) NOUN(?: (?:est|sont|était) |\s*[:=])`),
		of("名字", `我(?:的|家)HAN(?:的名字(?:是|叫)|叫做|叫作|名叫|叫)`),
		of("", `我的HAN(?:是|为|為|：)`),
	}
})
