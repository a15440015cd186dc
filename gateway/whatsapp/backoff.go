package whatsapp

import (
	"context"
	"math/rand/v2"
	"time"
)

// backoff is how long to wait between connections: first, then twice as long each
// time up to most, and a random quarter more, so that many who lost the same server
// do not return to it at once.
type backoff struct {
	first, most time.Duration
	next        time.Duration // 0: first
}

func (b *backoff) wait() time.Duration {
	d := max(b.next, b.first)
	b.next = min(2*d, b.most)
	return d + rand.N(d/4)
}

func (b *backoff) reset() { b.next = 0 }

// sleep returns after d or when ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
