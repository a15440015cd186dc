package main

import (
	"context"
	"sync"

	"nacre"
)

// importsAtOnce is how many imports are read at a time, of different owners.
const importsAtOnce = 2

// runningImports are those that are under way. What comes in takes nobody's place: a
// slow line holds up its owner alone, and reading, which takes the processors, waits for
// its turn. Its zero value is of use.
type runningImports struct {
	mu     sync.Mutex
	of     map[nacre.OwnerID]bool // guarded by mu
	places chan struct{}          // made under mu; as many as read
}

// begin lets an owner bring something, until they call done. Conflict means that
// another import of theirs is under way.
func (i *runningImports) begin(owner nacre.OwnerID) (done func(), err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.of[owner] {
		return nil, nacre.Errorf(nacre.Conflict, "Another import of yours is still running; wait until it is done, and import this then.")
	}
	if i.of == nil {
		i.of = map[nacre.OwnerID]bool{}
	}
	i.of[owner] = true
	return func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		delete(i.of, owner)
	}, nil
}

// read waits for its turn to read what came in, which ends with leave.
func (i *runningImports) read(ctx context.Context) (leave func(), err error) {
	i.mu.Lock()
	if i.places == nil {
		i.places = make(chan struct{}, importsAtOnce)
	}
	places := i.places
	i.mu.Unlock()
	select {
	case places <- struct{}{}:
		return func() { <-places }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
