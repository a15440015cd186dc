package keys

import "math"

// signs are what the confidence in an answer rests on: of words the shares of
// the cue and of the slug that fit, and the lead over the second best, of the
// hologram see hear; always followed by the decimal logarithm of how many notes
// there are.
type signs [4]float64

// odds weigh signs; the first is for itself.
type odds [5]float64

// oddsOf are the weights of a step: a logistic regression on half of the cues in
// testdata over 1, 10, 100 and 1,000 notes, which BenchmarkFit does again.
func oddsOf(step Step) odds {
	switch step {
	case Exact:
		return odds{6.3, 0, 0, 0, -0.4}
	case Words:
		return odds{0.05, 6.52, 0.70, 0.35, -1.19}
	case Overlap:
		return odds{-1.62, 6.60, 1.83, 0.98, -1.08}
	case Fuzzy:
		return odds{-3.10, 6.89, 3.25, 0.69, -1.11}
	default:
		return odds{-3.08, 2.11, 3.72, 7.59, -0.85}
	}
}

// confidence is the probability that signs mean the right note.
func (g signs) confidence(step Step) float64 { return oddsOf(step).of(g) }

func (o odds) of(g signs) float64 {
	sum := o[0]
	for i, v := range g {
		sum += o[i+1] * v
	}
	return 1 / (1 + math.Exp(-sum))
}
