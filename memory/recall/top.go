package recall

import (
	"cmp"
	"math/bits"
	"slices"
)

// probe is one word that is asked for, and how much it weighs.
type probe struct {
	*usage
	weight float32
}

// probes are the words of some terms, heaviest first. Their order is the order in
// which scores are added up, so that a document has the same score however it was
// found.
func (v *view) probes(asked []term) []probe {
	var list []probe
	for _, t := range asked {
		some := 0
		for _, word := range t.alternatives {
			some += v.frequency(word)
		}
		weight := float32(t.weight * rarity(min(some, v.count), v.count))
		for _, word := range t.alternatives {
			list = append(list, probe{v.usage(word), weight})
		}
	}
	slices.SortStableFunc(list, func(a, b probe) int { return cmp.Compare(b.weight, a.weight) })
	return list
}

func (v *view) top(asked []term, n int) []hit {
	r := race{probes: v.probes(asked), shares: newShares(v.average()), average: v.average(), best: podium{room: n}}
	for i := len(v.parts) - 1; i >= 0; i-- {
		r.run(&v.parts[i], i)
	}
	return r.best.sorted()
}

// race finds the best documents of one part after the other: the better those that
// it has, the less it reads of the next (Turtle and Flood, "Query evaluation:
// strategies and optimizations", 1995, whose "max score" this is).
type race struct {
	probes  []probe
	shares  *shares
	average float64
	best    podium

	lanes      []lane
	scores     []float32 // by document; 0 for all between two parts
	touched    set       // documents with a score
	candidates []candidate
}

// lane is the list of a probe in a part.
type lane struct {
	postings
	weight float32
	rest   float32 // the most that it and the lanes behind it add to a score
}

type candidate struct {
	doc   uint16
	score float32
}

// run goes through a part, rare words first. Once the lanes that are left cannot
// bring a document among the best by themselves, they are only asked about the
// ones that were found.
func (r *race) run(p *part, number int) {
	r.enter(p, number)
	i := 0
	for ; i < len(r.lanes) && r.best.open(r.lanes[i].rest); i++ {
		r.gather(&r.lanes[i], p.lengths)
	}
	if i == 0 {
		return
	}
	r.collect(p.shown, r.left(i))
	for ; i < len(r.lanes); i++ {
		r.complete(&r.lanes[i], p.lengths)
		r.prune(r.left(i + 1))
	}
	for _, c := range r.candidates {
		r.best.offer(hit{p.first + docID(c.doc), float64(c.score)})
	}
}

// left is the most that the lanes from a number on add to a score.
func (r *race) left(i int) float32 {
	if i < len(r.lanes) {
		return r.lanes[i].rest
	}
	return 0
}

// enter opens the lists of a part.
func (r *race) enter(p *part, number int) {
	r.lanes = slices.Grow(r.lanes[:0], len(r.probes))
	stretched := stretch(p.segment.average(), r.average)
	for _, q := range r.probes {
		if list := q.lists[number]; list >= 0 {
			r.lanes = r.lanes[:len(r.lanes)+1]
			l := &r.lanes[len(r.lanes)-1]
			_, most := l.open(p.list(list))
			l.weight = q.weight
			l.rest = q.weight * min(1, stretched*float32(most)/255)
		}
	}
	for i := len(r.lanes) - 2; i >= 0; i-- {
		r.lanes[i].rest += r.lanes[i+1].rest
	}
	if len(r.scores) < p.len() {
		r.scores, r.touched = make([]float32, p.len()), newSet(p.len())
	}
}

// gather adds a lane to the scores of all its documents.
func (r *race) gather(l *lane, lengths []uint8) {
	for l.next() {
		for i, doc := range l.docs[:l.n] {
			r.scores[doc] += l.weight * r.shares[l.counts[i]][lengths[doc]]
			r.touched.add(doc)
		}
	}
}

// collect takes the documents that may get among the best with what is left, and
// clears all scores.
func (r *race) collect(shown set, left float32) {
	r.candidates = r.candidates[:0]
	for i, word := range r.touched {
		for ; word != 0; word &= word - 1 {
			doc := uint16(i<<6 + bits.TrailingZeros64(word))
			if r.best.open(r.scores[doc]+left) && shown.has(doc) {
				r.candidates = append(r.candidates, candidate{doc, r.scores[doc]})
			}
			r.scores[doc] = 0
		}
		r.touched[i] = 0
	}
}

// complete adds a lane to the scores of the candidates.
func (r *race) complete(l *lane, lengths []uint8) {
	at := 0
	for i := range r.candidates {
		c := &r.candidates[i]
		if l.n == 0 || l.docs[l.n-1] < c.doc {
			l.seek(c.doc)
			if at = 0; !l.next() || l.docs[l.n-1] < c.doc {
				return
			}
		}
		for l.docs[at] < c.doc {
			at++
		}
		if l.docs[at] == c.doc {
			c.score += l.weight * r.shares[l.counts[at]][lengths[c.doc]]
		}
	}
}

// prune drops the candidates that do not get among the best any more.
func (r *race) prune(left float32) {
	r.candidates = slices.DeleteFunc(r.candidates, func(c candidate) bool { return !r.best.open(c.score + left) })
}
