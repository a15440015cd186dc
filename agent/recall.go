package agent

import (
	"context"

	"nacre"
)

// Recaller finds what of memory, and of what was said before, matters to a
// request.
type Recaller interface {
	// Recall is called before the first request of a turn, and again before the
	// next one when more messages of the person came or something was forgotten:
	// what it found before counts no more then. It may ask a model and take its
	// time, within ctx. An error costs the turn its evidence and nothing else.
	Recall(ctx context.Context, caller nacre.Caller, w Window) (Evidence, error)
}

// Window is what a request holds already, so that evidence does not repeat it.
type Window struct {
	Turns []nacre.TurnID // whose messages and answers stand in it word for word, the present one among them
	Since int64          // inbox sequence of the first message of them
	Room  int            // tokens that are left for evidence, as prompt.TextTokens counts them; what has more is left out whole
	Notes string         // what the prompt holds of memory
}

// Evidence is what was found for the requests of one turn. The zero Evidence is nothing.
type Evidence struct {
	Text string // for the end of the request, fenced; empty for nothing
	// Check, unless it is nil, reads a draft of the answer before anybody sees it,
	// and returns what is to be delivered instead, which may be the draft. It is
	// called at most once for each draft. An error lets the draft go out.
	Check func(ctx context.Context, draft string) (string, error)
}
