package gateway

import (
	"context"
	"sync"
	"time"

	"nacre"
)

// Typing begins after a moment, so that quick answers need no sign, and is
// repeated because apps drop the sign after five seconds.
const (
	typingAfter = 300 * time.Millisecond
	typingEvery = 4 * time.Second
)

// Typing shows in a chat that an answer is being made, until stop is called.
func (g *Gateway) Typing(chat nacre.Chat) (stop func()) {
	t, ok := g.channels[chat.Channel].(Typer)
	if !ok {
		return func() {}
	}
	ctx, cancel := context.WithCancel(g.courier.sending)
	var mu sync.Mutex
	var timer *time.Timer
	mu.Lock()
	defer mu.Unlock()
	timer = time.AfterFunc(typingAfter, func() {
		if ctx.Err() != nil {
			return
		}
		if err := t.Typing(ctx, chat); err != nil && ctx.Err() == nil {
			g.log.Debug("typing not shown", "channel", chat.Channel, "err", err)
		}
		mu.Lock()
		defer mu.Unlock()
		if ctx.Err() == nil {
			timer.Reset(typingEvery)
		}
	})
	return func() {
		cancel()
		mu.Lock()
		defer mu.Unlock()
		timer.Stop()
	}
}
