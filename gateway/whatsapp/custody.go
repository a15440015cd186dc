package whatsapp

import (
	"context"
	"sync"

	"nacre"
)

// custody says who has the account's file and its version: the channel while it
// runs, or somebody who links or unlinks an account, one at a time.
type custody struct {
	held chan struct{} // has one while somebody has them

	mu        sync.Mutex // guards all below
	claimed   bool       // somebody links or unlinks, or is about to
	running   bool
	interrupt context.CancelFunc // ends what the running channel does now; it begins anew
}

// run notes that the channel runs, until stop is called.
func (c *custody) run() (stop func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running, c.interrupt = true, func() {}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.running = false
	}
}

// enter begins a step of the running channel. Its context ends with leave, or when
// the account is claimed or given back.
func (c *custody) enter(ctx context.Context) (step context.Context, leave context.CancelFunc) {
	step, leave = context.WithCancel(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.interrupt = leave
	return step, leave
}

// take waits until nobody has the account, and takes it until release. It is false
// when ctx ends before that.
func (c *custody) take(ctx context.Context) bool {
	select {
	case c.held <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (c *custody) release() { <-c.held }

func (c *custody) isClaimed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.claimed
}

// claim lets the running channel begin nothing more with the account. It is a
// Conflict if somebody else has claimed it.
func (c *custody) claim() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.claimed {
		return nacre.Errorf(nacre.Conflict, "an account is being linked or unlinked already; wait until that is done")
	}
	c.claimed = true
	return nil
}

// vacate takes the account from the running channel. Its error is that of ctx.
func (c *custody) vacate(ctx context.Context) error {
	c.wake()
	if !c.take(ctx) {
		return ctx.Err()
	}
	return nil
}

// unclaim lets the running channel look at the account anew.
func (c *custody) unclaim() {
	c.mu.Lock()
	c.claimed = false
	c.mu.Unlock()
	c.wake()
}

// wake ends the step of the running channel.
func (c *custody) wake() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running {
		c.interrupt()
	}
}

func (c *custody) isRunning() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.running
}
