package keys

import (
	"slices"
	"strings"

	"nacre/memory/recall/terms"
)

// note is an Entry with its words.
type note struct {
	Entry
	slug   string // what stands after the area
	fields []field
	parts  int // fields of the slug
}

// field is a word of a note, once, where it weighs most.
type field struct {
	terms.Token
	weight float64 // textWeight to 1
	slug   bool    // stands in the slug
}

// What a word counts, by where it stands. The slug and the names are what people
// call a note; its text says more than they would.
const (
	slugWeight     = 1.0
	nameWeight     = 1.0
	abstractWeight = 0.7
	textWeight     = 0.6
)

// read finds the words of an entry, in one text, so that all of it shows which
// language it is in. Words that mean nothing in that count only where a slug has
// no others, such as the name Will.
func read(words *terms.Analyzer, e Entry) *note {
	n := &note{Entry: e, slug: e.Place[strings.IndexByte(e.Place, '/')+1:]}
	slug, names := strings.ReplaceAll(n.slug, "-", " "), strings.Join(e.Entities, "\n")
	tokens := words.Doc(slug + "\n" + names + "\n" + e.Abstract + "\n" + e.Text)
	endSlug := len(slug)
	endNames := endSlug + 1 + len(names)
	endAbstract := endNames + 1 + len(e.Abstract)
	void := !slices.ContainsFunc(tokens, func(t terms.Token) bool { return t.From < endSlug && !t.Stop })
	for _, t := range tokens {
		f := field{Token: t, weight: textWeight, slug: t.From < endSlug}
		switch {
		case f.slug:
			f.weight = slugWeight
		case t.From < endNames:
			f.weight = nameWeight
		case t.From < endAbstract:
			f.weight = abstractWeight
		}
		if !t.Stop || f.slug && void {
			n.add(f)
		}
	}
	return n
}

// add takes a word in that is not there yet.
func (n *note) add(f field) {
	if slices.ContainsFunc(n.fields, func(o field) bool { return o.Term == f.Term || o.Form == f.Form }) {
		return
	}
	n.fields = append(n.fields, f)
	if f.slug {
		n.parts++
	}
}
