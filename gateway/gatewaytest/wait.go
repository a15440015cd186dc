package gatewaytest

import (
	"context"
	"fmt"
	"strings"
)

// WaitSent returns the messages of the bot as soon as there are n of them. Its
// error is that of ctx.
func (b *BotAPI) WaitSent(ctx context.Context, n int) ([]Sent, error) {
	err := b.wait(ctx, func() bool { return len(b.sent) >= n })
	return b.Sent(), err
}

// WaitCalls returns when a method was called n times, answered or not.
func (b *BotAPI) WaitCalls(ctx context.Context, method string, n int) error {
	return b.wait(ctx, func() bool { return b.countCalls(method) >= n })
}

// WaitConfirmed returns when the bot has confirmed an update.
func (b *BotAPI) WaitConfirmed(ctx context.Context, update int64) error {
	return b.wait(ctx, func() bool { return b.confirmed[update] })
}

func (b *BotAPI) countCalls(method string) (n int) {
	for _, c := range b.calls {
		if strings.EqualFold(c.Method, method) {
			n++
		}
	}
	return n
}

// wait blocks until met, which is called with the lock held, becomes true.
func (b *BotAPI) wait(ctx context.Context, met func() bool) error {
	for {
		b.mu.Lock()
		done, changed := met(), b.changed
		state := fmt.Sprintf("%d calls, %d messages sent, %d updates pending", len(b.calls), len(b.sent), len(b.updates))
		b.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("waiting at %s: %w", state, ctx.Err())
		}
	}
}
