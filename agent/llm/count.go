package llm

import (
	"context"
	"sync"
)

// Counted sums what metered calls used. It may be read while calls are under way.
type Counted struct {
	outer *Counted // counts as well; nil for none

	mu    sync.Mutex
	total Total // guarded by mu
}

// countedKey is where a context holds its Counted.
type countedKey struct{}

// Counting returns a context below which every call of a Meter is counted, whoever
// it is counted for, and also by a Counting above it. What runs a job calls it, to
// tell what that job has cost.
func Counting(ctx context.Context) (context.Context, *Counted) {
	c := &Counted{outer: countedIn(ctx)}
	return context.WithValue(ctx, countedKey{}, c), c
}

// Total is what the calls used that have ended by now.
func (c *Counted) Total() Total {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.total
}

// countedIn is the innermost Counted of a context, nil if nothing counts there.
func countedIn(ctx context.Context) *Counted {
	c, _ := ctx.Value(countedKey{}).(*Counted)
	return c
}

// add counts a call.
func (c *Counted) add(s Spend) {
	for ; c != nil; c = c.outer {
		c.mu.Lock()
		c.total.add(s)
		c.mu.Unlock()
	}
}

func (t *Total) add(s Spend) {
	in, out := int64(s.Usage.Input), int64(s.Usage.Output)
	t.Calls++
	t.Input += in
	t.Output += out
	t.CacheRead += int64(s.Usage.CacheRead)
	t.CacheWrite += int64(s.Usage.CacheWrite)
	t.Cost += s.Cost
	if !s.Priced {
		t.Unpriced += in + out
	}
}
