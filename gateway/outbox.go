package gateway

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"sync"
	"time"

	"nacre"
)

// Waits of the outbox.
const (
	firstRetry  = time.Second       // after a send that certainly failed; doubles
	longestWait = 5 * time.Minute   // ceiling of the doubling
	unsureWait  = 5 * time.Second   // before the one labelled repeat: the network that swallowed an answer needs a moment
	sendTimeout = 150 * time.Second // of one send, above the channel's own deadline
	mostTries   = 1000              // of a part that certainly fails: some three days
	endOfSends  = time.Second       // for sends that were cut off to notice
)

// courier carries deliveries to their channels: in order within a chat, chats
// beside each other, so that one that is throttled holds up nobody else.
type courier struct {
	g *Gateway

	mu      sync.Mutex
	lanes   map[lane]*queue // guarded by mu; a chat is here while it has deliveries
	moved   map[lane]lane   // guarded by mu; where chats go on that moved
	stopped bool            // guarded by mu

	running sync.WaitGroup
	drain   chan struct{} // closed when lanes shall end rather than wait
	sending context.Context
	cancel  context.CancelFunc
}

func (c *courier) init(g *Gateway) {
	c.g, c.lanes, c.moved, c.drain = g, map[lane]*queue{}, map[lane]lane{}, make(chan struct{})
	c.sending, c.cancel = context.WithCancel(context.Background())
}

// Post takes deliveries that are in the outbox and carries them out. It does
// not block.
func (g *Gateway) Post(list []nacre.Delivery) {
	c := &g.courier
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return // they stay in the outbox for the next process
	}
	for _, d := range list {
		if g.channels[d.Chat.Channel] == nil {
			continue // until a start with that channel
		}
		key := laneOf(c.follow(d.Chat))
		q := c.lanes[key]
		if q == nil {
			q = &queue{lane: key, flush: make(chan struct{}, 1)}
			c.lanes[key] = q
			c.running.Go(func() { c.carry(q) })
		}
		if d.State == nacre.Asked && len(q.waiting) > 0 {
			d.State = nacre.Waiting // it may be forgotten before its turn comes
		}
		q.waiting = append(q.waiting, d)
	}
}

// Flush implements Host.
func (g *Gateway) Flush(chat nacre.Chat) {
	c := &g.courier
	c.mu.Lock()
	defer c.mu.Unlock()
	if q := c.lanes[laneOf(c.follow(chat))]; q != nil {
		select {
		case q.flush <- struct{}{}:
		default:
		}
	}
}

func (c *courier) isStopped() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stopped
}

// Drain sends what can be sent at once and returns when that is done or ctx
// ends; then sends still in flight are cut off. Nothing is posted afterwards.
func (g *Gateway) Drain(ctx context.Context) {
	if g.late != nil && g.late.Stop() {
		g.speakOfLate()
	}
	c := &g.courier
	c.mu.Lock()
	if !c.stopped {
		c.stopped = true
		close(c.drain)
	}
	c.mu.Unlock()
	done := make(chan struct{})
	go func() { c.running.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
	}
	c.cancel()
	select {
	case <-done:
	case <-time.After(endOfSends):
		g.log.Error("a send does not end; going on without it")
	}
}

// carry works a chat's queue off, then ends.
func (c *courier) carry(q *queue) {
	for {
		d, ok := c.head(q)
		if !ok || !c.wait(q, d.NotUntil) {
			return
		}
		d.Chat = c.home(d.Chat)
		asked, ok := c.deliver(q, &d)
		if !ok {
			return
		}
		c.advance(q, d, asked)
	}
}

// deliver makes one try and records its outcome in d and in the outbox. asked is
// whether the delivery behind it was asked by that. It returns false when the process
// shall end.
func (c *courier) deliver(q *queue, d *nacre.Delivery) (asked, ok bool) {
	if d.State != nacre.Asked && !c.persist(func(ctx context.Context) error { return c.ask(ctx, d) }) {
		return false, false
	}
	if d.State == nacre.Dead {
		return false, true
	}
	external, reason := c.try(q, d)
	var next nacre.DeliveryID
	if d.State != nacre.Waiting {
		next = c.next(q)
	}
	if r, ok := c.g.channels[d.Chat.Channel].(Resender); ok && d.State == nacre.Sent {
		d.Keep = r.Resends()
	}
	ok = c.persist(func(ctx context.Context) (err error) {
		asked, err = c.g.outbox.Settle(ctx, *d, external, reason, next)
		return err
	})
	return asked, ok
}

// ask records that a delivery is being sent. One that was forgotten while it waited
// is dead then, as it is in the outbox.
func (c *courier) ask(ctx context.Context, d *nacre.Delivery) error {
	err := c.g.outbox.Ask(ctx, d.ID)
	switch {
	case err == nil:
		d.State = nacre.Asked
	case nacre.KindOf(err) == nacre.NotFound:
		c.g.log.Info("part not sent, it was forgotten", "delivery", d.ID, "reply", d.Reply)
		d.State = nacre.Dead
		return nil
	}
	return err
}

// try sends once and sets d's new state; reason is why it is dead.
func (c *courier) try(q *queue, d *nacre.Delivery) (external nacre.ExternalID, reason string) {
	ctx, cancel := context.WithTimeout(c.sending, sendTimeout)
	defer cancel()
	if d.Unsure > 0 {
		if err := c.probe(ctx, d); err != nil {
			return "", c.failed(q, d, &nacre.Error{Kind: nacre.Transient, Text: "the network is down", After: nacre.RetryAfter(err), Err: err})
		}
	}
	external, err := c.send(ctx, d)
	if err == nil {
		d.State, d.NotUntil = nacre.Sent, time.Time{}
		return external, ""
	}
	return "", c.failed(q, d, err)
}

// probe asks whether the network works, where the channel can tell.
func (c *courier) probe(ctx context.Context, d *nacre.Delivery) error {
	if p, ok := c.g.channels[d.Chat.Channel].(Prober); ok {
		return p.Probe(ctx)
	}
	return nil
}

// send makes a panic an error like a lost answer: nobody knows how far it came.
func (c *courier) send(ctx context.Context, d *nacre.Delivery) (external nacre.ExternalID, err error) {
	defer func() {
		if p := recover(); p != nil {
			c.g.log.Error("send panicked", "delivery", d.ID, "reply", d.Reply, "cause", fmt.Sprintf("%T", p), "stack", string(debug.Stack()))
			err = ErrUnsure
		}
	}()
	return c.g.channels[d.Chat.Channel].Send(ctx, *d, d.Unsure > 0)
}

// failed decides what becomes of a delivery that the channel did not confirm.
func (c *courier) failed(q *queue, d *nacre.Delivery, err error) (reason string) {
	d.State = nacre.Waiting
	kind := nacre.KindOf(err)
	switch {
	case errors.Is(err, ErrAway):
		q.parked = true
		return ""
	case errors.Is(err, ErrUnsure) && kind == nacre.Transient:
		d.Unsure = 1
		d.Attempts++
		d.NotUntil = time.Now().Add(max(unsureWait, backOff(d.Attempts)))
	case errors.Is(err, ErrUnsure):
		d.Unsure++
		d.NotUntil = time.Now().Add(unsureWait)
		if d.Unsure > 1 {
			d.State, reason = nacre.Dead, "unconfirmed"
		}
	case kind == nacre.Transient, kind == nacre.Denied:
		d.Attempts++
		d.NotUntil = time.Now().Add(max(nacre.RetryAfter(err), backOff(d.Attempts)))
		if d.Attempts >= mostTries {
			d.State, reason = nacre.Dead, "given up"
		}
	default:
		d.State, reason = nacre.Dead, kind.String()
	}
	c.g.log.Warn("part not delivered", "delivery", d.ID, "reply", d.Reply, "channel", d.Chat.Channel, "state", d.State.String(), "attempts", d.Attempts, "err", err)
	return reason
}

// backOff doubles from firstRetry to longestWait, less up to a fifth at random
// so that chats do not come back all at once.
func backOff(attempts int) time.Duration {
	d := longestWait
	if attempts < 9 {
		d = firstRetry << (attempts - 1)
	}
	return d - rand.N(d/5)
}

// persist writes to the outbox until that succeeds, since going on without
// would lose or double a part. It returns false when the courier drains first.
func (c *courier) persist(write func(context.Context) error) bool {
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 10*time.Second) {
		err := write(context.Background())
		if err == nil {
			return true
		}
		c.g.log.Error("outbox not written, trying again", "err", err)
		select {
		case <-time.After(wait):
		case <-c.drain:
			return false
		}
	}
}
