package memory

import (
	"cmp"
	"slices"

	"nacre/memory/canon"
)

// twinForm is what notes have in common that say the same, but for accents,
// case and punctuation.
type twinForm struct {
	scope Scope
	text  string
}

// findTwins finds the notes that repeat a stronger one, which stays.
func (t *tidier) findTwins() {
	twins := map[twinForm][]*Note{}
	for _, n := range t.s.notes {
		if n.Status.Live() && t.why[n] == "" {
			form := twinForm{n.Slot.Scope, canon.Unaccented(n.Text)}
			twins[form] = append(twins[form], n)
		}
	}
	for _, same := range twins {
		slices.SortStableFunc(same, stronger)
		for i, n := range same {
			covered := slices.ContainsFunc(same[:i], func(o *Note) bool { return t.why[o] == "" && t.covers(o, n) })
			if covered && t.may(n) && !(n.Pinned && n.Held) {
				t.why[n] = Merged
			}
		}
	}
}

// stronger orders notes that say the same: by trust and then what is pinned, by how
// many messages they rest on, by age. Those of equal age stay as they are.
func stronger(a, b *Note) int {
	return cmp.Or(
		cmp.Compare(b.strength(), a.strength()),
		cmp.Compare(len(b.Evidence), len(a.Evidence)),
		a.Recorded.From.Compare(b.Recorded.From),
	)
}

// strength is the place of a live note in that order.
func (n *Note) strength() int {
	place := 2 * slices.Index([]Status{Tentative, Observed, Stated}, n.Status)
	if n.Pinned {
		place++
	}
	return place
}

// covers reports whether a note says all that another one of the same words does:
// a dinner in May is not the one in June, a plan is no event, and what models do
// not see stands for nothing that they do.
func (t *tidier) covers(o, n *Note) bool {
	said := func(here, there Date) bool { return here.IsZero() || here.same(there) }
	return (n.Kind == o.Kind || n.Kind == "" || n.Kind == KindFact) && said(n.Event, o.Event) &&
		said(n.Valid.From, o.Valid.From) && said(n.Valid.To, o.Valid.To) && t.s.hides(n) == t.s.hides(o)
}
