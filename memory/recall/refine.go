package recall

import (
	"cmp"
	"slices"

	"nacre/memory/recall/terms"
)

// How words count that stand close to each other: they likely belong together.
const (
	ofCloseness = 0.2
	closeby     = 4 // places between words that still do
)

// refine orders messages by their texts as well, which are there for few. Those
// without a text are left out.
func (q query) refine(best []hit, texts map[docID]Text) []Hit {
	hits := make([]Hit, 0, len(best))
	var tokens []terms.Token
	var seen []sighting
	for _, h := range best {
		text, there := texts[h.doc]
		if !there {
			continue
		}
		tokens = q.reader.analyzer.Append(tokens[:0], text.Doc.Text)
		seen = q.sightings(seen[:0], tokens)
		share, closeness := q.measure(seen)
		hits = append(hits, Hit{Text: text, Score: h.score * (1 + ofCloseness*closeness), Share: share})
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits
}

// sighting is a word of the query at a place of a text.
type sighting struct{ place, word int }

func (q query) sightings(seen []sighting, tokens []terms.Token) []sighting {
	for _, t := range tokens {
		if t.Stop {
			continue
		}
		for i, w := range q.words {
			if slices.Contains(w.alternatives, t.Term) {
				seen = append(seen, sighting{t.Place, i})
			}
		}
	}
	return seen
}

// measure returns the share of the query's worth that was seen, and how close to
// each other it was: 1 would be all of it side by side.
func (q query) measure(seen []sighting) (share, closeness float64) {
	var all float64
	for i, w := range q.words {
		all += w.worth
		if slices.ContainsFunc(seen, func(s sighting) bool { return s.word == i }) {
			share += w.worth
			closeness += q.nearness(i, seen)
		}
	}
	if all == 0 {
		return 0, 0
	}
	return share / all, closeness / all
}

// nearness is what a word is worth for standing near to one that is next to it in
// the query: the less of the two, by the places between them.
func (q query) nearness(word int, seen []sighting) float64 {
	best := 0.0
	for _, a := range seen {
		for _, b := range seen {
			apart := max(a.place-b.place, b.place-a.place)
			if a.word == word && (b.word == word-1 || b.word == word+1) && 0 < apart && apart <= closeby {
				best = max(best, min(q.words[a.word].worth, q.words[b.word].worth)/float64(apart))
			}
		}
	}
	return best
}
