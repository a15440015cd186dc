package recall

import (
	"cmp"
	"slices"
)

// podium holds the best hits: a heap with the worst of them on top.
type podium struct {
	room int // at least 1
	hits []hit
}

// order sorts hits as corpus says.
func order(a, b hit) int {
	if c := cmp.Compare(b.score, a.score); c != 0 {
		return c
	}
	return cmp.Compare(b.doc, a.doc)
}

// slack makes up for sums of bounds being rounded otherwise than scores are.
const slack = 1 + 1e-5

// open says whether a score of at most so much may get on the podium.
func (p *podium) open(most float32) bool {
	return len(p.hits) < p.room || float64(most)*slack >= p.hits[0].score
}

func (p *podium) offer(h hit) {
	switch {
	case len(p.hits) < p.room:
		p.hits = append(p.hits, h)
		p.up(len(p.hits) - 1)
	case order(h, p.hits[0]) < 0:
		p.hits[0] = h
		p.down()
	}
}

func (p *podium) up(i int) {
	for i > 0 {
		above := (i - 1) / 2
		if order(p.hits[i], p.hits[above]) < 0 {
			return
		}
		p.hits[i], p.hits[above] = p.hits[above], p.hits[i]
		i = above
	}
}

func (p *podium) down() {
	for i := 0; ; {
		worst := 2*i + 1
		if worst >= len(p.hits) {
			return
		}
		if other := worst + 1; other < len(p.hits) && order(p.hits[other], p.hits[worst]) > 0 {
			worst = other
		}
		if order(p.hits[i], p.hits[worst]) > 0 {
			return
		}
		p.hits[i], p.hits[worst] = p.hits[worst], p.hits[i]
		i = worst
	}
}

// sorted takes the hits out, best first.
func (p *podium) sorted() []hit {
	slices.SortFunc(p.hits, order)
	return p.hits
}
