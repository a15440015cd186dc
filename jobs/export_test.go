package jobs

import (
	"context"
	"time"
)

// SetTick says how often the Clock looks at the wall clock by itself.
func (c *Clock) SetTick(d time.Duration) { c.tick = d }

// Decide is what becomes of a due job.
var Decide = decide

// Spread is how long after a slot a task may begin.
var Spread = spread

// Replanned is a job whose next slot is worked out anew.
var Replanned = replanned

// Step does all that can be done now.
func (c *Clock) Step(ctx context.Context) time.Duration { return c.step(ctx) }
