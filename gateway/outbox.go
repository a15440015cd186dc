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
	stopped bool            // guarded by mu

	running sync.WaitGroup
	drain   chan struct{} // closed when lanes shall end rather than wait
	sending context.Context
	cancel  context.CancelFunc
}

// lane is what keeps an order: a chat, whatever the thread, because limits
// count per chat.
type lane struct {
	channel nacre.ChannelName
	chat    nacre.ChatID
}

type queue struct {
	waiting []nacre.Delivery // guarded by courier.mu; the first is being carried
	parked  bool             // touched by carry alone: the first waits for flush
	flush   chan struct{}    // room for one: the chat became reachable
}

func (c *courier) init(g *Gateway) {
	c.g, c.lanes, c.drain = g, map[lane]*queue{}, make(chan struct{})
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
		key := lane{d.Chat.Channel, d.Chat.ID}
		q := c.lanes[key]
		if q == nil {
			q = &queue{flush: make(chan struct{}, 1)}
			c.lanes[key] = q
			c.running.Go(func() { c.carry(key, q) })
		}
		q.waiting = append(q.waiting, d)
	}
}

// Flush implements Host.
func (g *Gateway) Flush(chat nacre.Chat) {
	g.courier.mu.Lock()
	defer g.courier.mu.Unlock()
	if q := g.courier.lanes[lane{chat.Channel, chat.ID}]; q != nil {
		select {
		case q.flush <- struct{}{}:
		default:
		}
	}
}

// Drain sends what can be sent at once and returns when that is done or ctx
// ends; then sends still in flight are cut off. Nothing is posted afterwards.
func (g *Gateway) Drain(ctx context.Context) {
	g.admitLate()
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
func (c *courier) carry(key lane, q *queue) {
	for {
		d, ok := c.head(key, q)
		if !ok || !c.wait(q, d.NotUntil) || !c.deliver(q, &d) {
			return
		}
		c.mu.Lock()
		if d.State == nacre.Waiting {
			q.waiting[0] = d
		} else {
			q.waiting = q.waiting[1:]
		}
		c.mu.Unlock()
	}
}

// head returns the first delivery of a queue; an empty queue is taken down.
func (c *courier) head(key lane, q *queue) (nacre.Delivery, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(q.waiting) == 0 {
		delete(c.lanes, key)
		return nacre.Delivery{}, false
	}
	return q.waiting[0], true
}

// next is the delivery behind the first, if it may be sent at once.
func (c *courier) next(q *queue) nacre.DeliveryID {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(q.waiting) < 2 || !q.waiting[1].NotUntil.IsZero() {
		return ""
	}
	q.waiting[1].State = nacre.Asked
	return q.waiting[1].ID
}

// wait returns true when the time has come, or a parked chat is flushed; false
// when the courier drains first.
func (c *courier) wait(q *queue, until time.Time) bool {
	if q.parked {
		select {
		case <-q.flush:
			q.parked = false
			return true
		case <-c.drain:
			return false
		}
	}
	if until.IsZero() || time.Until(until) <= 0 {
		return true
	}
	t := time.NewTimer(time.Until(until))
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-c.drain:
		return false
	}
}

// deliver makes one try and records its outcome in d and in the outbox. It
// returns false when the process shall end.
func (c *courier) deliver(q *queue, d *nacre.Delivery) bool {
	if d.State != nacre.Asked {
		if !c.persist(func(ctx context.Context) error { return c.g.outbox.Ask(ctx, d.ID) }) {
			return false
		}
		d.State = nacre.Asked
	}
	external, reason := c.try(q, d)
	var next nacre.DeliveryID
	if d.State != nacre.Waiting {
		next = c.next(q)
	}
	if r, ok := c.g.channels[d.Chat.Channel].(Resender); ok && d.State == nacre.Sent {
		d.Keep = r.Resends()
	}
	return c.persist(func(ctx context.Context) error { return c.g.outbox.Settle(ctx, *d, external, reason, next) })
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
			c.g.log.Error("send panicked", "delivery", d.ID, "cause", fmt.Sprintf("%T", p), "stack", string(debug.Stack()))
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
	c.g.log.Warn("part not delivered", "delivery", d.ID, "channel", d.Chat.Channel, "state", d.State, "attempts", d.Attempts, "err", err)
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
