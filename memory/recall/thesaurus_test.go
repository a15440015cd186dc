package recall

import (
	"slices"
	"strings"
	"testing"

	"nacre/memory/recall/terms"
)

func TestRelated(t *testing.T) {
	tests := []struct{ word, other string }{
		{"kids", "daughter"}, {"moved", "relocating"}, {"Urlaub", "Reisen"}, {"买", "购买"},
	}
	for _, languages := range [][]string{nil, {"en", "de"}, {"de", "en"}} {
		a := terms.New(languages)
		for _, test := range tests {
			have, want := a.Query(test.word), a.Query(test.other)
			kin := related(have[0].Alternatives)
			if !slices.ContainsFunc(want, func(w terms.Asked) bool { return slices.Contains(kin, w.Term) }) {
				t.Errorf("%v: %q is not related to %q: %v", languages, test.word, test.other, kin)
			}
			if slices.Contains(kin, have[0].Term) {
				t.Errorf("%q is related to itself", test.word)
			}
		}
	}
	if kin := related([]string{"zzyzx"}); len(kin) != 0 {
		t.Errorf("an unknown word is related to %v", kin)
	}
}

// Words that are not indexed, or stand alone, are of no use in the thesaurus.
func TestThesaurusIsOfUse(t *testing.T) {
	for line := range strings.Lines(thesaurusText) {
		language, words, _ := strings.Cut(strings.TrimSpace(line), " ")
		if language == "#" {
			continue
		}
		a := terms.New([]string{language})
		group := groupOf(a, words)
		if slices.Sort(group); len(slices.Compact(group)) < 2 {
			t.Errorf("%q has only one term", line)
		}
		for _, token := range a.Doc(words) {
			if token.Stop {
				t.Errorf("%q has the stop word %q", line, token.Form)
			}
		}
	}
}
