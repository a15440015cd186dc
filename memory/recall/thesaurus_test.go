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
			kin, _ := related(have[0].Alternatives)
			if !anyOf(want, kin) {
				t.Errorf("%v: %q is not related to %q: %v", languages, test.word, test.other, kin)
			}
			if slices.Contains(kin, have[0].Term) {
				t.Errorf("%q is related to itself", test.word)
			}
		}
	}
	if same, things := related([]string{"zzyzx"}); len(same)+len(things) != 0 {
		t.Errorf("an unknown word is related to %v and %v", same, things)
	}
}

// A kind is asked for when a thing was said, and not the other way round.
func TestRelatedThings(t *testing.T) {
	a := terms.New([]string{"en", "de", "zh"})
	for kind, thing := range map[string]string{"instruments": "violin", "Haustier": "Hund", "水果": "苹果"} {
		if _, things := related(alternatives(a, kind)); !anyOf(a.Query(thing), things) {
			t.Errorf("%q is no thing of the kind %q: %v", thing, kind, things)
		}
		if same, things := related(alternatives(a, thing)); anyOf(a.Query(kind), slices.Concat(same, things)) {
			t.Errorf("%q is related to %q: %v %v", thing, kind, same, things)
		}
	}
}

func alternatives(a *terms.Analyzer, text string) []string {
	var list []string
	for _, w := range a.Query(text) {
		list = append(list, w.Alternatives...)
	}
	return list
}

func anyOf(asked []terms.Asked, kin []string) bool {
	return slices.ContainsFunc(asked, func(w terms.Asked) bool {
		return slices.ContainsFunc(w.Alternatives, func(term string) bool { return slices.Contains(kin, term) })
	})
}

// Words that are not indexed, or stand alone, are of no use in the thesaurus.
func TestThesaurusIsOfUse(t *testing.T) {
	for line := range strings.Lines(thesaurusText) {
		language, words, _ := strings.Cut(strings.TrimSpace(line), " ")
		if language == "#" {
			continue
		}
		a := terms.New([]string{language})
		words = strings.Replace(words, " > ", " ", 1)
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
