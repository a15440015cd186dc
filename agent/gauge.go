package agent

import (
	"nacre/agent/llm"
	"nacre/agent/prompt"
)

// gauge tells how full a model's window is. Our estimates are calibrated by the
// provider's own counts, and the window by its refusals.
type gauge struct {
	window float64 // tokens
	ratio  float64 // of the provider's count to our estimate
}

// The ratio stays within what estimates can be wrong by, whatever a provider
// counts.
const (
	minRatio = 0.4
	maxRatio = 3
)

func newGauge(window int) gauge { return gauge{float64(window), 1} }

// tokens is how many a request will count.
func (g gauge) tokens(req llm.Request) int { return int(float64(prompt.Tokens(req)) * g.ratio) }

// share is a part of the window in tokens as our estimates count them.
func (g gauge) share(of float64) int { return int(g.window * of / g.ratio) }

// read learns from a provider's count. Images are left out: what they count is
// no question of script.
func (g *gauge) read(req llm.Request, counted int) {
	if estimate := prompt.Tokens(req); counted > 0 && estimate > 0 && !hasImages(req) {
		seen := min(max(float64(counted)/float64(estimate), minRatio), maxRatio)
		g.ratio = (g.ratio + seen) / 2
	}
}

// overflow learns that a request was too long: the window is smaller than
// that, whatever we took it for. By how much nobody knows, so the step is large.
func (g *gauge) overflow(req llm.Request) {
	g.window = min(g.window, 0.6*float64(g.tokens(req)))
}
