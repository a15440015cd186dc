package gateway

import (
	"sync"
	"time"
)

// pacer lets each of those who have a key do something so often at once, and once more
// after every such time. It remembers nobody longer than it has to.
type pacer[K comparable] struct {
	burst int
	every time.Duration
	mu    sync.Mutex
	whole map[K]time.Time // guarded by mu; when each may do it burst times again
	most  int             // guarded by mu; of them, before those who may are forgotten
}

// take lets somebody do it once. Where they may not, it returns how long it is until
// they may.
func (p *pacer[K]) take(who K, now time.Time) (wait time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	whole := p.whole[who]
	if whole.Before(now) {
		whole = now
	}
	whole = whole.Add(p.every)
	if wait = whole.Sub(now) - time.Duration(p.burst)*p.every; wait > 0 {
		return wait
	}
	p.keep(who, whole, now)
	return 0
}

// give takes back one that came to nothing.
func (p *pacer[K]) give(who K) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if whole, ok := p.whole[who]; ok {
		p.whole[who] = whole.Add(-p.every)
	}
}

// keep remembers somebody. Now and then it forgets those who would be treated as if
// they had never come.
func (p *pacer[K]) keep(who K, whole, now time.Time) {
	if len(p.whole) >= p.most {
		for k, t := range p.whole {
			if !t.After(now) {
				delete(p.whole, k)
			}
		}
		p.most = max(64, 2*len(p.whole))
	}
	if p.whole == nil {
		p.whole = map[K]time.Time{}
	}
	p.whole[who] = whole
}
