package whatsapp

import (
	"fmt"
	"runtime/debug"
	"sync"

	"go.mau.fi/whatsmeow/types/events"
)

// guard stands between the library and our handlers. The library takes a handler
// that panics for one that succeeded, so none may. After a message that could not be
// handled none is taken before the network has brought that one again.
func (l *line) guard(event any) (handled bool) {
	if _, is := event.(*events.Disconnected); is {
		l.client.Disconnect() // or who waits for an answer would wait for this client to come back
	}
	if !l.door.TryRLock() {
		return false
	}
	defer l.door.RUnlock()
	if l.life.Err() != nil {
		return false
	}
	defer func() {
		if recover() != nil {
			handled = l.panicked(event)
		}
		if !handled {
			l.end(unstored)
		}
	}()
	return l.hear(event)
}

// mostPanics is how often a panic over the same event may bring it again. After that
// it is passed over, or one message would keep away all that follow.
const mostPanics = 3

// panics counts the panics over the newest event that caused one.
type panics struct {
	mu    sync.Mutex // guards all below
	event string
	times int
}

// again notes a panic and reports whether the event is to be brought again.
func (p *panics) again(event string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.event != event {
		p.event, p.times = event, 0
	}
	p.times++
	return p.times < mostPanics
}

// panicked reports whether an event over which our handler panicked is done with.
// What the panic said can hold text, and stays unsaid.
func (l *line) panicked(event any) (done bool) {
	name := fmt.Sprintf("%T", event)
	id := ""
	if m, ok := event.(*events.Message); ok {
		id = m.Info.ID
	}
	again := l.panics.again(name + id)
	l.log.Error("handling an event panicked", "event", name, "id", id, "again", again, "stack", string(debug.Stack()))
	return !again
}
