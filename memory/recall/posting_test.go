package recall

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// randomList is a list of documents of which each one is there with a chance.
func randomList(r *rand.Rand, documents int, chance float64) (docs []uint16, counts []uint8) {
	for d := range documents {
		if r.Float64() < chance {
			docs = append(docs, uint16(d))
			counts = append(counts, 1+uint8(min(r.ExpFloat64(), maxCount-1)))
		}
	}
	return docs, counts
}

func written(docs []uint16, counts []uint8) []byte {
	return append(appendList([]byte("before"), docs, counts, 77), make([]byte, overread)...)[len("before"):]
}

func TestListsReadAsWritten(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, chance := range []float64{1, 0.9, 0.3, 0.02, 0.001, 0.00005} {
		docs, counts := randomList(r, maxSegment, chance)
		var p postings
		n, bound := p.open(written(docs, counts))
		if want := len(docs); n != want {
			t.Errorf("chance %v: opened a list of %d, want %d", chance, n, want)
		}
		if n >= blockSize && bound != 77 {
			t.Errorf("chance %v: bound %d, want 77", chance, bound)
		}
		gotDocs, gotCounts := p.all(nil, nil, 0)
		if !slices.Equal(gotDocs, docs) || !slices.Equal(gotCounts, counts) {
			t.Errorf("chance %v: %d documents read otherwise than written", chance, len(docs))
		}
	}
}

func TestSeekPassesOverNothingThatIsAsked(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 200 {
		docs, counts := randomList(r, 20_000, []float64{0.5, 0.05, 0.01}[r.IntN(3)])
		var p postings
		p.open(written(docs, counts))
		from := uint16(r.IntN(20_000))
		p.seek(from)
		skipped := len(docs) - p.left
		got, _ := p.all(nil, nil, 0)
		if !slices.Equal(got, docs[skipped:]) {
			t.Fatalf("seek %d: what is left reads otherwise than written", from)
		}
		if skipped > 0 && docs[skipped-1] >= from {
			t.Fatalf("seek %d passed over %d", from, docs[skipped-1])
		}
		at, _ := slices.BinarySearch(docs, from)
		if ahead := at - skipped; ahead >= blockSize && p.left >= blockSize {
			t.Fatalf("seek %d stopped %d documents before it", from, ahead)
		}
	}
}
