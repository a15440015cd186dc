package llmtest

import (
	"context"
	"sync"
)

// Gate holds a completion until it is opened, so that a test can act while the
// model seems to think. One Gate may hold several steps.
type Gate struct {
	reached, open   chan struct{}
	reaching, opens sync.Once
}

// NewGate returns a closed Gate.
func NewGate() *Gate {
	return &Gate{reached: make(chan struct{}), open: make(chan struct{})}
}

// Reached is closed once a completion waits at the gate.
func (g *Gate) Reached() <-chan struct{} { return g.reached }

// Open lets everyone pass, from now on.
func (g *Gate) Open() { g.opens.Do(func() { close(g.open) }) }

// pass waits until the gate is open or ctx ends. A nil Gate is no gate.
func (g *Gate) pass(ctx context.Context) error {
	if g == nil {
		return nil
	}
	g.reaching.Do(func() { close(g.reached) })
	select {
	case <-g.open:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
