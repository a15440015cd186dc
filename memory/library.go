package memory

import (
	"context"
	"sync"
	"time"

	"nacre"
)

// Library has the Book of each Owner.
type Library struct {
	log   Log
	zone  func(nacre.OwnerID) *time.Location
	hooks Hooks // set before the first Book is used

	mu    sync.Mutex
	books map[nacre.OwnerID]*Book // guarded by mu
}

// Hooks are told what happens to memory. They may be nil.
type Hooks struct {
	// Changed is called after every change, and returns soon.
	Changed func(owner nacre.OwnerID)
	// Planning is called before a forgetting is planned, to take in what the owner
	// wrote by hand and nobody has read yet.
	Planning func(ctx context.Context, owner nacre.OwnerID)
	// Forgetting is called before the ledger looks for what is to be erased, so
	// that nothing of it is stored behind its back.
	Forgetting func(owner nacre.OwnerID, n *Needle)
	// Forgotten is called when the ledger has erased something and before the
	// receipt: it erases what others keep of it. It is given what is believed now,
	// since the Book answers nobody meanwhile, and what to look for, nil if only
	// notes went. It names the files in which prose of the owner's own still says
	// it, and says in words what it cannot finish.
	Forgotten func(ctx context.Context, owner nacre.OwnerID, now *State, n *Needle) (prose, pending []string)
	// Cut is called when the owner allows to cut their own prose too.
	Cut func(ctx context.Context, owner nacre.OwnerID, n *Needle) error
}

// NewLibrary makes a Library over a Log. Zone is where an owner lives; it does not
// block.
func NewLibrary(log Log, zone func(nacre.OwnerID) *time.Location) *Library {
	return &Library{log: log, zone: zone, books: map[nacre.OwnerID]*Book{}}
}

// Watch sets the Hooks, before anything else is called.
func (l *Library) Watch(h Hooks) { l.hooks = h }

// Book returns an owner's Book, always the same one.
func (l *Library) Book(owner nacre.OwnerID) *Book {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.books[owner]
	if b == nil {
		b = &Book{owner: owner, lib: l}
		l.books[owner] = b
	}
	return b
}

// Resume finishes what was being forgotten: when the last process ended, before
// anybody reads memory, and later what was pending. A forgetting that had not
// begun to erase when memory changed is given up: nobody got a receipt for it.
func (l *Library) Resume(ctx context.Context) error {
	left, err := l.log.Unfinished(ctx)
	if err != nil {
		return err
	}
	for _, u := range left {
		if _, err := l.Book(u.Owner).erase(ctx, u.Erasure); err != nil && nacre.KindOf(err) != nacre.Conflict {
			return err
		}
	}
	return nil
}

func (l *Library) changed(owner nacre.OwnerID) {
	if l.hooks.Changed != nil {
		l.hooks.Changed(owner)
	}
}
