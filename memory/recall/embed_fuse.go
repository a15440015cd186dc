package recall

import (
	"context"
	"slices"
	"strings"
	"time"
)

const (
	askTimeout = 2 * time.Second // for the vector of a query, which people wait for
	nearest    = 100             // messages that closeness in meaning brings into a ranking

	// meaning is how much of a score closeness in meaning makes up, next to the
	// words that a message shares with a query: the smaller part, for words are
	// what people remember, and vectors find something near to anything.
	meaning = 0.3
)

// What is close enough in meaning to count without any word in common. Models differ
// in how near they put what has nothing to do with each other: most stay below that.
const (
	closeEnough = 0.6 // cosine
	manyOfAKind = 3   // messages
)

// closest are the first of the nearest messages that are close.
func closest(near []hit) []hit {
	near = near[:min(manyOfAKind, len(near))]
	return slices.DeleteFunc(slices.Clone(near), func(h hit) bool { return h.score < closeEnough })
}

// byMeaning are the messages that are closest in meaning to the query; none
// without an Embedder, or if it does not answer in time.
func (s *search) byMeaning(ctx context.Context) []hit {
	text := strings.TrimSpace(s.q.Text)
	if s.x.opts.Embedder == nil || text == "" || len(s.vectors.docs) == 0 || s.view.size() == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	vectors, err := s.x.embed(ctx, s.owner, []string{cut(text)})
	if err != nil {
		s.x.opts.Log.WarnContext(ctx, "query not embedded", "owner", s.owner, "err", err)
		return nil
	}
	return s.vectors.nearest(s.view, quantise(vectors[0]), nearest)
}

// fuse adds closeness in meaning to a ranking by words. Both are measured by their
// best; of the ranking by words the scale stays.
func fuse(byWords, byMeaning []hit) []hit {
	if len(byMeaning) == 0 {
		return byWords
	}
	scale := 1.0
	if len(byWords) > 0 && byWords[0].score > 0 {
		scale = byWords[0].score
	}
	scores := make(map[docID]float64, len(byWords)+len(byMeaning))
	for _, h := range byWords {
		scores[h.doc] = (1 - meaning) * h.score
	}
	for _, h := range byMeaning {
		scores[h.doc] += meaning * scale * h.score / byMeaning[0].score
	}
	fused := make([]hit, 0, len(scores))
	for d, score := range scores {
		fused = append(fused, hit{d, score})
	}
	slices.SortFunc(fused, order)
	return fused
}
