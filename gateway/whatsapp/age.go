package whatsapp

import (
	"log/slog"
	"sync"
	"time"

	"nacre"
)

// What came while we were away is answered up to lateAfter. What is older is kept
// and told of in one line, and beyond ancientAfter nothing of it is kept.
const (
	lateAfter    = 12 * time.Hour
	ancientAfter = 7 * 24 * time.Hour
)

// dated marks a message that arrives late; false for one that is too old to keep.
func dated(m *nacre.Message) (keep bool) {
	age := m.Received.Sub(m.Sent)
	if age > lateAfter {
		m.Late, m.Quiet = true, true
	}
	return age <= ancientAfter
}

// tally counts what comes in a crowd and logs how much it was when no more comes.
// The zero value is ready.
type tally struct {
	mu    sync.Mutex
	count int         // guarded by mu, like the timer
	timer *time.Timer // runs while count is not 0
}

// tallyRest is how long nothing more must come.
const tallyRest = 5 * time.Second

// add counts one more of what words name.
func (t *tally) add(log *slog.Logger, words string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.count++; t.count > 1 {
		t.timer.Reset(tallyRest)
		return
	}
	t.timer = time.AfterFunc(tallyRest, func() { log.Info(words, "count", t.take()) })
}

func (t *tally) take() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := t.count
	t.count = 0
	return n
}
