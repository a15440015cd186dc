package recall

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"nacre"
	"nacre/memory/recall/terms"
)

const defaultMemory = 128 << 20 // bytes

// Index answers searches over what is in a Store. All its methods may be called
// from several goroutines.
type Index struct {
	store    Store
	opts     Options
	analyzer *terms.Analyzer

	stop    context.CancelFunc // of every build
	ctx     context.Context
	running sync.WaitGroup // builds

	mu     sync.Mutex // guards what follows; no other lock is taken while it is held
	owners map[nacre.OwnerID]*chats
	clock  int64 // counts searches, for chats.used
}

// New returns an Index over a Store. It holds nothing and runs nothing until it is
// asked.
func New(store Store, opts Options) *Index {
	if opts.Memory <= 0 {
		opts.Memory = defaultMemory
	}
	if opts.Zone == nil {
		opts.Zone = func(nacre.OwnerID) *time.Location { return time.UTC }
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	ctx, stop := context.WithCancel(context.Background())
	analyzer := opts.Terms
	if analyzer == nil {
		analyzer = terms.New(nil)
	}
	return &Index{store: store, opts: opts, analyzer: analyzer,
		ctx: ctx, stop: stop, owners: map[nacre.OwnerID]*chats{}}
}

// Warm begins to build an owner's index in the background, so that the first
// search finds it. It does not wait.
func (x *Index) Warm(owner nacre.OwnerID) {
	x.running.Go(func() {
		c := x.chats(owner)
		if err := c.catchUp(x.ctx, 0); err != nil && x.ctx.Err() == nil {
			x.opts.Log.Warn("search index not begun", "owner", owner, "err", err)
		}
	})
}

// Drop throws away what is known of an owner's messages, and stops a build of it.
// Nothing of it is found by a search that begins afterwards. It is called when
// messages were erased, or the owner lives by another clock: the next search builds
// anew, from what is left.
func (x *Index) Drop(owner nacre.OwnerID) {
	x.mu.Lock()
	c := x.owners[owner]
	delete(x.owners, owner)
	x.mu.Unlock()
	if c != nil {
		c.stop()
	}
}

// Close stops every build and waits until it has stopped. The Index must not be
// used afterwards.
func (x *Index) Close() {
	x.stop()
	x.running.Wait()
}

// chats returns an owner's messages, of which nothing may be known yet.
func (x *Index) chats(owner nacre.OwnerID) *chats {
	x.mu.Lock()
	defer x.mu.Unlock()
	c := x.owners[owner]
	if c == nil {
		c = newChats(x, owner)
		x.owners[owner] = c
	}
	x.clock++
	c.used = x.clock
	return c
}
