package keys

import (
	"cmp"
	"math"
	"slices"

	"nacre/memory"
	"nacre/memory/recall/terms"
)

// index says which notes have a word, and which are called something.
type index struct {
	size   int // notes
	terms  map[string][]posting
	forms  map[string][]string // the terms of each word that can be mistyped
	called map[string][]int    // the notes of a place, a slug or a name
}

// posting is a note that has a term.
type posting struct {
	at     int
	weight float64 // of where the term stands
	part   float64 // of the slug that the term is, 0 to 1
}

func newIndex(notes []*note) *index {
	x := &index{size: len(notes), terms: map[string][]posting{}, forms: map[string][]string{}, called: map[string][]int{}}
	for at, n := range notes {
		for _, f := range n.fields {
			p := posting{at: at, weight: f.weight}
			if f.slug {
				p.part = 1 / float64(n.parts)
			}
			x.terms[f.Term] = append(x.terms[f.Term], p)
			if list := x.forms[f.Form]; f.Kind == terms.Word && !slices.Contains(list, f.Term) {
				x.forms[f.Form] = append(list, f.Term)
			}
		}
		x.call(n.Place, at)
		x.call(n.slug, at)
		for _, name := range n.Entities {
			x.call(memory.Slug(name), at)
		}
	}
	return x
}

// call adds what a note is called.
func (x *index) call(name string, at int) {
	if list := x.called[name]; name != "" && !slices.Contains(list, at) {
		x.called[name] = append(list, at)
	}
}

// having finds the notes with any of some terms, each where that weighs most, in
// order.
func (x *index) having(list []string) []posting {
	var all []posting
	for _, t := range list {
		if p := x.terms[t]; len(all) == 0 {
			all = p
		} else if len(p) > 0 {
			all = merged(all, p)
		}
	}
	return all
}

func merged(a, b []posting) []posting {
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(a, b posting) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(b.weight, a.weight)) })
	return slices.CompactFunc(all, func(a, b posting) bool { return a.at == b.at })
}

// rarity weighs a word by how few of the notes have it. The 10 keeps it steady
// where there are only a few notes.
func (x *index) rarity(having int) float64 {
	return math.Log(float64(x.size+10) / float64(having+1))
}
