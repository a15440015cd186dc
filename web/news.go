package web

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"nacre"
)

// newsEvery is how long a page rests between two frames that tell what changed, so
// that a burst of changes is one frame at its begin and a few after it.
const newsEvery = 25 * time.Millisecond

// news is what changed that a page shows, since it was told last. It takes no room
// in the page's queue: however slow a page is, it is told, and of each thing once.
type news struct {
	some chan struct{} // room for one: topics has something

	mu     sync.Mutex
	topics []Topic // guarded by mu; each once
}

func newNews() *news { return &news{some: make(chan struct{}, 1)} }

// add does not block.
func (n *news) add(topic Topic) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if slices.Contains(n.topics, topic) {
		return
	}
	n.topics = append(n.topics, topic)
	select {
	case n.some <- struct{}{}:
	default:
	}
}

// take empties it.
func (n *news) take() []Topic {
	n.mu.Lock()
	defer n.mu.Unlock()
	topics := n.topics
	n.topics = nil
	return topics
}

// readers are the open pages that want news, by owner.
type readers struct {
	begun string        // another for each process
	came  chan struct{} // room for one: somebody's page was opened

	mu     sync.Mutex
	all    map[nacre.OwnerID]map[*news]struct{} // guarded by mu; without owners who have none
	forgot map[nacre.OwnerID]int                // guarded by mu; how often something was forgotten
}

func newReaders() readers {
	return readers{begun: nacre.NewID(time.Now()), came: make(chan struct{}, 1), all: map[nacre.OwnerID]map[*news]struct{}{}, forgot: map[nacre.OwnerID]int{}}
}

// mark is by what a page that comes back knows whether something of its owner's was
// forgotten since: then, or where nobody can tell, it is another one.
func (r *readers) mark(owner nacre.OwnerID) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return fmt.Sprintf("%s-%d", r.begun, r.forgot[owner])
}

// add makes news for a page, to be dropped when the page is gone.
func (r *readers) add(owner nacre.OwnerID) *news {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all[owner] == nil {
		r.all[owner] = map[*news]struct{}{}
	}
	n := newNews()
	r.all[owner][n] = struct{}{}
	select {
	case r.came <- struct{}{}:
	default:
	}
	return n
}

// open reports whether a page of an owner is open.
func (r *readers) open(owner nacre.OwnerID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.all[owner] != nil
}

// pages counts the pages that are open, whoever's they are.
func (r *readers) pages() (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, of := range r.all {
		n += len(of)
	}
	return n
}

// awaited waits until a page of an owner is open; false if ctx ends before. One
// goroutine may wait.
func (r *readers) awaited(ctx context.Context, owner nacre.OwnerID) bool {
	for !r.open(owner) {
		select {
		case <-r.came:
		case <-ctx.Done():
			return false
		}
	}
	return ctx.Err() == nil
}

func (r *readers) drop(owner nacre.OwnerID, n *news) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.all[owner], n)
	if len(r.all[owner]) == 0 {
		delete(r.all, owner)
	}
}

// tell tells the pages of an owner, or of everybody where owner is empty.
func (r *readers) tell(owner nacre.OwnerID, topic Topic) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if topic == TopicForgotten {
		r.forgot[owner]++
	}
	for o, theirs := range r.all {
		if owner != "" && o != owner {
			continue
		}
		for n := range theirs {
			n.add(topic)
		}
	}
}
