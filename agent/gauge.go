package agent

import (
	"nacre/agent/llm"
	"nacre/agent/prompt"
)

// gauge tells how full a model's window is. Our estimates are calibrated by the
// provider's own counts, and the window by its refusals.
type gauge struct {
	model  string
	said   float64 // the window in tokens, as we were told
	window float64 // as it seems to be
	ratio  float64 // of the provider's count to our estimate
}

// Shares of the window.
const (
	fullShare = 0.75 // a prompt beyond this is made smaller
	lastShare = 0.95 // and beyond this at any price
)

// The ratio stays within what estimates can be wrong by, whatever a provider
// counts.
const (
	minRatio = 0.4
	maxRatio = 3
)

func newGauge(model string, window int) gauge {
	return gauge{model, float64(window), float64(window), 1}
}

// over is by how many tokens, as our estimates count them, a request is larger
// than a share of the window.
func (g gauge) over(req llm.Request, share float64) int {
	return prompt.Tokens(req) - int(g.window*share/g.ratio)
}

// room is how many tokens, as our estimates count them, a conversation can have
// beside what every request has.
func (g gauge) room(req llm.Request) int {
	return max(0, prompt.MessageTokens(req.Messages)-g.over(req, fullShare))
}

// read learns from a request that was answered, and from what the provider
// counted, if it did. Images are left out: what they count is no question of
// script. A window that was found small is tried a little larger each time.
func (g *gauge) read(req llm.Request, counted int) {
	g.window = min(g.said, 1.05*g.window)
	if estimate := prompt.Tokens(req); counted > 0 && estimate > 0 && !hasImages(req) {
		seen := min(max(float64(counted)/float64(estimate), minRatio), maxRatio)
		g.ratio = (g.ratio + seen) / 2
	}
}

// leastRoom is how many tokens of conversation are not worth cutting.
const leastRoom = 300

// overflow learns that a request was too long: the window is smaller than
// that, whatever we took it for. By how much nobody knows, so the step is large.
// It returns false if that teaches nothing: what is left is what every request
// has, and little more.
func (g *gauge) overflow(req llm.Request) bool {
	all, conversation := prompt.Tokens(req), prompt.MessageTokens(req.Messages)
	if conversation <= leastRoom {
		return false
	}
	least := float64(all-conversation+leastRoom) / fullShare
	seen := g.ratio * max(least, 0.6*float64(all))
	if seen >= g.window {
		return false
	}
	g.window = seen
	return true
}
