package whatsapp

import "sync"

// once remembers what was done already, so that it is done once; the zero value is
// ready. It forgets everything when it is full, because strangers can fill it.
type once struct {
	mu   sync.Mutex
	done map[string]bool // guarded by mu
}

// mostDone is how many things one remembers at most.
const mostDone = 1024

// first reports whether key comes for the first time.
func (o *once) first(key string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.done[key] {
		return false
	}
	if o.done == nil || len(o.done) >= mostDone {
		o.done = map[string]bool{}
	}
	o.done[key] = true
	return true
}

// undo makes key one that comes for the first time.
func (o *once) undo(key string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.done, key)
}
