package keys

import (
	"math"
	"testing"
)

// Of the answers in which a step has some confidence about that share is right,
// whether there is one note or a thousand.
func TestConfidenceIsHowOftenItIsRight(t *testing.T) {
	const bins, enough = 4, 50
	// The words of combined notes give many cues the very same signs, so that
	// whole bins of Fuzzy are a few cases.
	slack := map[Step]float64{Exact: 0.15, Fuzzy: 0.25, Hologram: 0.15}
	for _, step := range []Step{Exact, Fuzzy, Hologram} {
		for _, size := range sizes {
			var count, right, sum [bins]float64
			for _, a := range samples(step, worlds(size.notes, size.worlds, 1)) {
				c := a.confidence(step)
				bin := min(int(c*bins), bins-1)
				count[bin]++
				sum[bin] += c
				right[bin] += a.right
			}
			for bin, n := range count {
				if n == 0 {
					continue
				}
				said, is := sum[bin]/n, right[bin]/n
				t.Logf("%s, %d notes: confidence %.2f, right %.2f of %.0f", step, size.notes, said, is, n)
				if n >= enough && math.Abs(said-is) > slack[step] {
					t.Errorf("%s among %d notes: confidence %.2f, but right %.2f", step, size.notes, said, is)
				}
			}
		}
	}
}
