package recall

import "math"

// The formula is BM25 (Robertson and Zaragoza, "The Probabilistic Relevance
// Framework", 2009) with the constants below. Chat messages are short and of
// like length, so a repeated word counts for little and length too.
const (
	saturation = 1.0 // k1
	shortening = 0.3 // b
)

// rarity is the weight of a word that some of so many documents have; never
// negative.
func rarity(some, all int) float64 {
	return math.Log1p((float64(all-some) + 0.5) / (float64(some) + 0.5))
}

// share is how much of a word's weight a document of some length gets that has it
// so often, between 0 and 1.
func share(count, length int, average float64) float32 {
	slow := saturation * (1 - shortening + shortening*float64(length)/average)
	return float32(float64(count) / (float64(count) + slow))
}

// shares is a table of share by count and length.
type shares [maxCount + 1][256]float32

func newShares(average float64) *shares {
	var t shares
	for count := range t {
		for length := range t[count] {
			t[count][length] = share(count, length, average)
		}
	}
	return &t
}

// bound is the largest share that documents get in a segment of an average
// length, in 255ths. Where that average is another, they get at most the bound
// times stretch.
func bound(docs []uint16, counts, lengths []uint8, average float64) uint8 {
	if len(docs) < blockSize {
		return 255
	}
	best := float32(0)
	for i, d := range docs {
		best = max(best, share(int(counts[i]), int(lengths[d]), average))
	}
	return uint8(min(255, math.Ceil(float64(best)*255)))
}

// stretch is what a bound for one average length is multiplied by for another:
// with larger ones, length slows by at most as much less.
func stretch(bounded, average float64) float32 { return float32(max(1, average/bounded)) }
