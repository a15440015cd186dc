package recall

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"nacre/memory/recall/terms"
)

// said is a message of the tests of ranking by words, with what an index may know
// of it.
type said struct {
	words []string
	sent  time.Time
	by    docID // that replaced it; 0 for none, for no document replaces before 1
}

// randomSaid makes up messages of a small vocabulary, of which some words are in
// every other message and some in a few.
func randomSaid(r *rand.Rand, n int) []said {
	list := make([]said, n)
	for i := range list {
		for range 1 + r.IntN(30) {
			list[i].words = append(list[i].words, fmt.Sprint("w", int(math.Pow(r.Float64(), 4)*300)))
		}
		late := time.Duration(r.IntN(20)) * time.Minute
		list[i].sent = syntheticEpoch.Add(time.Duration(i)*time.Minute - late)
		if r.IntN(40) == 0 && i+1 < n {
			list[i].by = docID(i + 1 + r.IntN(n-i-1))
		}
	}
	return list
}

// segmentsOf indexes messages in segments of random sizes, some of them merged.
func segmentsOf(r *rand.Rand, list []said) []*segment {
	var segments []*segment
	for first := 0; first < len(list); {
		n := min(1+r.IntN(len(list)/3+1), len(list)-first)
		var d draft
		for _, m := range list[first : first+n] {
			var tokens []terms.Token
			for _, w := range m.words {
				tokens = append(tokens, terms.Token{Term: w})
			}
			d.add(Doc{}, traits{sent: minute(m.sent)}, nil, tokens)
		}
		s := d.seal(docID(first))
		for i, m := range list[first : first+n] {
			if m.by != 0 {
				s = s.without(gone{uint16(i), m.by})
			}
		}
		segments = append(segments, s)
		if r.IntN(2) == 0 {
			segments = compact(segments)
		}
		first += n
	}
	return segments
}

// plainly ranks messages by reading all of them.
func plainly(list []said, asked []term, f filter, w window) []hit {
	in := func(i int) bool {
		return docID(i) >= w.first && docID(i) <= w.last && !list[i].sent.Before(f.from) && (f.to.IsZero() || list[i].sent.Before(f.to))
	}
	count := func(i int, word string) (n int) {
		for _, have := range list[i].words {
			if have == word {
				n++
			}
		}
		return n
	}
	documents, length := 0, 0
	for i, m := range list {
		if in(i) {
			documents++
			length += len(m.words)
		}
	}
	scores := map[int]float64{}
	for _, t := range asked {
		some := 0
		for i := range list {
			for _, word := range t.alternatives {
				if in(i) && count(i, word) > 0 {
					some++
				}
			}
		}
		for i, m := range list {
			for _, word := range t.alternatives {
				if n := count(i, word); in(i) && n > 0 {
					long := 1 - shortening + shortening*float64(len(m.words))/(float64(length)/float64(documents))
					scores[i] += t.weight * rarity(min(some, documents), documents) * float64(n) / (float64(n) + saturation*long)
				}
			}
		}
	}
	var hits []hit
	for i, score := range scores {
		if replaced := list[i].by != 0 && list[i].by <= w.last; !replaced {
			hits = append(hits, hit{docID(i), score})
		}
	}
	slices.SortFunc(hits, order)
	return hits
}

func TestTopIsWhatReadingEverythingGives(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(3, seed))
		list := randomSaid(r, 30+r.IntN(1500))
		f, w := filter{}, unbounded
		if r.IntN(2) == 0 {
			f.from = syntheticEpoch.Add(time.Duration(r.IntN(len(list))) * time.Minute)
		}
		if r.IntN(2) == 0 {
			f.to = syntheticEpoch.Add(time.Duration(r.IntN(len(list))) * time.Minute)
		}
		if r.IntN(2) == 0 {
			w.last = docID(r.IntN(len(list)))
		}
		if r.IntN(4) == 0 {
			w.first = docID(r.IntN(len(list)))
		}
		var asked []term
		for range 1 + r.IntN(12) {
			one := term{weight: 0.5 + r.Float64()}
			for range 1 + r.IntN(3)/2 {
				one.alternatives = append(one.alternatives, fmt.Sprint("w", int(math.Pow(r.Float64(), 2)*320)))
			}
			asked = append(asked, one)
		}
		v := newView(segmentsOf(r, list), nil, f, w)
		want := plainly(list, asked, f, w)
		if got := count(v.having(words(asked))); got != len(want) {
			t.Fatalf("seed %d: %d messages with any of the words, want %d", seed, got, len(want))
		}
		for _, n := range []int{1, 5, 50, 5000} {
			compareHits(t, fmt.Sprintf("seed %d, best %d", seed, n), v.top(asked, n), want[:min(n, len(want))], want)
		}
	}
}

// compareHits compares scores in order, and of each document; documents whose
// scores are the same but for rounding may stand in each other's place.
func compareHits(t *testing.T, what string, got, want, all []hit) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d hits, want %d", what, len(got), len(want))
	}
	scores := map[docID]float64{}
	for _, h := range all {
		scores[h.doc] = h.score
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-5*max(a, b) }
	seen := map[docID]bool{}
	for i, h := range got {
		if !near(h.score, want[i].score) || !near(h.score, scores[h.doc]) || seen[h.doc] {
			t.Fatalf("%s: hit %d is %v, want %v", what, i, h, want[i])
		}
		seen[h.doc] = true
	}
}

// Pages are cut from the same ranking over and over, so it must not depend on how
// many hits are wanted or how the messages lie in segments.
func TestTopDoesNotDependOnWhatItPassesOver(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	list := randomSaid(r, 3000)
	asked := []term{{[]string{"w0"}, 1}, {[]string{"w3"}, 1}, {[]string{"w40", "w41"}, 1}, {[]string{"w200"}, 1}}
	all := newView(segmentsOf(r, list), nil, filter{}, unbounded).top(asked, len(list))
	for _, n := range []int{1, 10, 100, 1000} {
		got := newView(segmentsOf(r, list), nil, filter{}, unbounded).top(asked, n)
		if !slices.Equal(got, all[:n]) {
			t.Errorf("the best %d are not the first %d of all", n, n)
		}
	}
}
