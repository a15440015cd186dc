package gateway

import (
	"context"
	"math/rand/v2"
	"time"
)

// Backoff is how long a channel waits between tries to reach its network: First,
// then twice as long each time up to Most, and a random quarter more, so that many
// who lost the same server do not return to it at once.
type Backoff struct {
	First, Most time.Duration
	next        time.Duration // 0: First
}

// Wait returns the next wait.
func (b *Backoff) Wait() time.Duration {
	d := max(b.next, b.First)
	b.next = min(2*d, b.Most)
	return d + rand.N(d/4)
}

// Reset makes the next wait the first one again.
func (b *Backoff) Reset() { b.next = 0 }

// Sleep returns after d or when ctx ends.
func Sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
