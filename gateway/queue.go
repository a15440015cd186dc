package gateway

import (
	"time"

	"nacre"
)

// lane is what keeps an order: a chat, whatever the thread, because limits
// count per chat.
type lane struct {
	channel nacre.ChannelName
	chat    nacre.ChatID
}

func laneOf(c nacre.Chat) lane { return lane{c.Channel, c.ID} }

// queue is what waits for a chat. One goroutine carries it.
type queue struct {
	lane    lane             // guarded by courier.mu
	waiting []nacre.Delivery // guarded by courier.mu; the first is being carried
	parked  bool             // touched by carry alone: the first waits for flush
	flush   chan struct{}    // room for one: the chat became reachable
}

// head returns the first delivery of a queue; an empty queue is taken down.
func (c *courier) head(q *queue) (nacre.Delivery, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(q.waiting) == 0 {
		delete(c.lanes, q.lane)
		return nacre.Delivery{}, false
	}
	return q.waiting[0], true
}

// advance notes what became of the first delivery of a queue, and whether the one
// behind it is asked.
func (c *courier) advance(q *queue, d nacre.Delivery, asked bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if d.State == nacre.Waiting {
		q.waiting[0] = d
		return
	}
	q.waiting = q.waiting[1:]
	if asked {
		q.waiting[0].State = nacre.Asked
	}
}

// next is the delivery behind the first, if it may be sent at once.
func (c *courier) next(q *queue) nacre.DeliveryID {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(q.waiting) < 2 || !q.waiting[1].NotUntil.IsZero() {
		return ""
	}
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
