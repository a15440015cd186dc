package whatsapp

import (
	"slices"
	"sync"

	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"
)

// mostOpen is how many sends without an outcome are remembered.
const mostOpen = 64

// outcomes are the sends of which the network has not said that it took them. A
// receipt for one says so. The zero value is ready.
type outcomes struct {
	mu   sync.Mutex // guards all below
	open []outcome  // the oldest first
}

type outcome struct {
	id      types.MessageID
	arrived bool
}

// begin remembers a send; the oldest makes room.
func (o *outcomes) begin(id types.MessageID) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.at(id) >= 0 {
		return
	}
	if len(o.open) == mostOpen {
		o.open = slices.Delete(o.open, 0, 1)
	}
	o.open = append(o.open, outcome{id: id})
}

// end forgets a send whose outcome is known.
func (o *outcomes) end(id types.MessageID) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if i := o.at(id); i >= 0 {
		o.open = slices.Delete(o.open, i, i+1)
	}
}

// arrive takes the ids of a receipt.
func (o *outcomes) arrive(ids []types.MessageID) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, id := range ids {
		if i := o.at(id); i >= 0 {
			o.open[i].arrived = true
		}
	}
}

// arrived reports whether there was a receipt for a send, and forgets it then.
func (o *outcomes) arrived(id types.MessageID) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	i := o.at(id)
	if i < 0 || !o.open[i].arrived {
		return false
	}
	o.open = slices.Delete(o.open, i, i+1)
	return true
}

func (o *outcomes) at(id types.MessageID) int {
	return slices.IndexFunc(o.open, func(x outcome) bool { return x.id == id })
}

// follow takes a receipt of something that we sent. What a phone could not read has
// not arrived: it may ask for that over a connection that does not know the words
// yet, and then the outbox must send them again.
func (l *line) follow(e *events.Receipt) {
	switch e.Type {
	case types.ReceiptTypeRetry, types.ReceiptTypeServerError:
	default:
		l.outcomes.arrive(e.MessageIDs)
	}
}
