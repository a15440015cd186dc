package memory

import (
	"slices"
	"strings"

	"nacre/memory/canon"
)

// denials are the words, in canonical form, that turn around what stands behind
// them; "t" is what is left of "don't".
var denials = []string{"not", "t", "never", "no", "neither", "nor", "without", "nicht", "kein", "keine", "keinen", "keiner", "keinem", "nie", "niemals", "ohne",
	"nunca", "jamás", "tampoco", "sin", "ne", "n", "pas", "jamais", "sans", "aucun", "aucune", "не", "nikdy"}

// remindings stand behind a "not" that denies nothing: "don't forget that …".
var remindings = []string{"forget", "vergiss", "vergessen", "olvides", "olvidar", "oublie", "oubliez", "oublier"}

// deniedWithin is how many words before a quote a denial reaches.
const deniedWithin = 3

// denied reports whether a quote leaves out the denial that stands right before or
// behind it in its clause ("ich mag das nicht"), or begins with one.
func denied(before, quote, behind string) bool {
	if behind, _, _ = strings.Cut(canon.Form(behind), " "); slices.Contains(denials, behind) {
		return true
	}
	if i := strings.LastIndexAny(before, clauseEnds); i >= 0 {
		before = before[i:]
	}
	if strings.HasSuffix(strings.TrimSpace(before), "不") || strings.HasSuffix(strings.TrimSpace(before), "没") || strings.HasSuffix(strings.TrimSpace(before), "没有") {
		return true
	}
	words := strings.Fields(canon.Form(before))
	for i := len(words) - 1; i >= max(0, len(words)-deniedWithin); i-- {
		if slices.Contains(remindings, words[i]) {
			return false
		}
		if slices.Contains(denials, words[i]) {
			return true
		}
	}
	first, _, _ := strings.Cut(canon.Form(quote), " ")
	return slices.Contains(denials, first)
}

// denies reports whether a text has any denial itself.
func denies(text string) bool {
	return slices.ContainsFunc(strings.Fields(canon.Form(text)), func(w string) bool { return slices.Contains(denials, w) }) ||
		strings.ContainsAny(text, "不没")
}

const clauseEnds = ".,;:!?\n。，；：！？"

// clause is the rest of the clause with which a text begins.
func clause(text string) string {
	if i := strings.IndexAny(text, clauseEnds); i >= 0 {
		return text[:i]
	}
	return text
}
