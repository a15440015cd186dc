package keys

import (
	"math"
	"testing"
)

// BenchmarkFit tells the odds of each step, as the calibrating half of the cues makes
// them: go test -run NONE -bench Fit -benchtime 1x. Every size of memory counts the
// same. Whether those in use are right is TestConfidenceIsHowOftenItIsRight's to say.
func BenchmarkFit(b *testing.B) {
	for b.Loop() {
		fitAll(b)
	}
}

func fitAll(b *testing.B) {
	for _, step := range steps {
		var list []sample
		for _, size := range sizes {
			some := samples(step, worlds(size.notes, size.worlds, 0))
			for i := range some {
				some[i].weight = 1 / float64(len(some)*len(sizes))
			}
			list = append(list, some...)
		}
		b.Logf("%s %.2f", step, fit(list))
	}
}

var steps = []Step{Exact, Words, Overlap, Fuzzy, Hologram}

// sample is an answer of a step.
type sample struct {
	signs
	right  float64 // 1 or 0
	weight float64
}

// samples are all answers of a step, however bad.
func samples(step Step, all []world) (list []sample) {
	for _, w := range all {
		s := New(w.entries, Options{})
		for _, c := range w.cues {
			at, g, ok := s.try(step, c.text)
			if !ok {
				continue
			}
			a := sample{signs: g}
			if w.entries[at].Place == c.place {
				a.right = 1
			}
			list = append(list, a)
		}
	}
	return list
}

// fit is a logistic regression by gradient descent with momentum and a little
// weight decay (Adam).
func fit(list []sample) (o odds) {
	const rate, decay, rounds = 0.05, 0.0005, 1500
	var mean, square odds
	for round := 1; round <= rounds; round++ {
		var slope odds
		for _, a := range list {
			miss := a.weight * (o.of(a.signs) - a.right)
			slope[0] += miss
			for i, v := range a.signs {
				slope[i+1] += miss * v
			}
		}
		for i := range o {
			g := slope[i] + decay*o[i]
			mean[i] = 0.9*mean[i] + 0.1*g
			square[i] = 0.999*square[i] + 0.001*g*g
			o[i] -= rate * mean[i] / (1 - math.Pow(0.9, float64(round))) / (math.Sqrt(square[i]/(1-math.Pow(0.999, float64(round)))) + 1e-9)
		}
	}
	return o
}
