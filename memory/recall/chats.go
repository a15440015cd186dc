package recall

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"nacre"
	"nacre/memory"
)

// How long things may take.
const (
	patience   = time.Second      // that a search waits for the newest messages to be indexed
	retryAfter = 10 * time.Second // that a build which failed is left alone
)

// chats are the messages of one owner, as far as they are indexed.
type chats struct {
	x     *Index
	owner nacre.OwnerID
	zone  *time.Location // where they live
	used  int64          // when it was last asked for; Index.mu guards it
	bytes atomic.Int64   // that its segments take

	ctx  context.Context // of the build
	stop context.CancelFunc

	pull  sync.Mutex // guards what follows, and is held while new messages are taken in
	begun bool
	from  Mark      // before which the build reads
	mark  Mark      // up to which messages were taken in
	taken time.Time // when that was

	mu       sync.Mutex // guards what follows; held for moments, also with pull
	shelves  map[memory.Scope]*shelf
	replaced map[Key]replacement // of messages that the build may still come to
	built    bool                // everything is there
	failed   time.Time           // when the build did; zero for not at all, or while it runs again

	feeding feeding

	ready chan struct{} // closed, once, when there is something to search
	once  sync.Once
}

// replacement is where a message stands that took another's place.
type replacement struct {
	scope memory.Scope
	by    docID
}

func newChats(x *Index, owner nacre.OwnerID) *chats {
	c := &chats{x: x, owner: owner, zone: x.opts.Zone(owner), shelves: map[memory.Scope]*shelf{},
		replaced: map[Key]replacement{}, ready: make(chan struct{})}
	c.ctx, c.stop = context.WithCancel(x.ctx)
	return c
}

// catchUp takes in what was stored since the last time, unless that was less than lag
// ago. The first time it begins the build.
func (c *chats) catchUp(ctx context.Context, lag time.Duration) error {
	c.pull.Lock()
	defer c.pull.Unlock()
	if time.Since(c.taken) < lag {
		return nil
	}
	if err := c.begin(ctx); err != nil {
		return err
	}
	var fresh []Doc
	mark, err := c.x.store.Since(ctx, c.owner, c.mark, func(d Doc) { fresh = append(fresh, d) })
	if err != nil {
		return fmt.Errorf("new messages: %w", err)
	}
	for part := range slices.Chunk(fresh, maxSegment) {
		c.append(part)
	}
	c.mark, c.taken = mark, time.Now()
	c.feed()
	return nil
}

// begin starts the build, if none was or the last one failed some time ago. It
// starts from the end then, for there are no Marks in between.
func (c *chats) begin(ctx context.Context) error {
	if c.begun && !c.again() {
		return nil
	}
	if !c.begun {
		m, err := c.x.store.Mark(ctx, c.owner)
		if err != nil {
			return fmt.Errorf("mark of the newest message: %w", err)
		}
		c.from, c.mark, c.begun = m, m, true
	}
	from := c.from
	c.x.running.Go(func() { c.build(from) })
	return nil
}

// again clears away a build that failed; false if none did, or just now.
func (c *chats) again() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed.IsZero() || time.Since(c.failed) < retryAfter {
		return false
	}
	c.failed = time.Time{}
	for _, s := range c.shelves {
		s.older = nil
	}
	return true
}

// append takes in at most maxSegment messages that were stored one after another.
func (c *chats) append(docs []Doc) {
	if len(docs) == 0 {
		return
	}
	in := newIntake(c)
	for _, d := range docs {
		in.add(d)
	}
	for scope, d := range in.drafts {
		s := c.shelf(scope)
		first := s.next()
		newer := compact(append(slices.Clip(s.newer), d.seal(first)))
		c.mu.Lock()
		s.newer = newer
		for _, r := range d.replaces {
			c.replace(s, r.old, replacement{scope, first + docID(r.doc)})
		}
		c.mu.Unlock()
	}
	c.weigh()
}

// replace marks a message as replaced, whether it is there already or the build
// comes to it later. It is called with mu held.
func (c *chats) replace(s *shelf, old Key, r replacement) {
	if replace(&s.newer, old, r.by) {
		return
	}
	replace(&s.older, old, r.by)
	if !c.built {
		c.replaced[old] = r
	}
}

// shelf returns that of a scope, which may be empty.
func (c *chats) shelf(scope memory.Scope) *shelf {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.shelves[scope]
	if s == nil {
		s = newShelf()
		c.shelves[scope] = s
	}
	return s
}

// weigh counts the bytes that the messages take, and makes room for them.
func (c *chats) weigh() {
	c.mu.Lock()
	total := int64(0)
	for _, s := range c.shelves {
		total += s.bytes()
	}
	c.bytes.Store(total)
	c.mu.Unlock()
	c.x.trim(c)
}

// wait returns when there is something to search, or patience is over.
func (c *chats) wait(ctx context.Context) error {
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-c.ready:
	case <-late.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// knows reports whether a message, and with it all that was stored before, is one of
// the newest that were taken in.
func (c *chats) knows(scope memory.Scope, k Key) bool {
	_, there := late(c.snapshot(scope).segments, k)
	return there
}

// session is the number of a session of a scope.
func (c *chats) session(scope memory.Scope, id nacre.SessionID) (n uint32, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.shelves[scope]; s != nil {
		n, known = s.sessions[id]
	}
	return n, known
}

// snapshot is what a search of a scope looks at.
type snapshot struct {
	segments []*segment
	names    []string // of authors
	vectors  table
	complete bool // nothing is missing
}

func (c *chats) snapshot(scope memory.Scope) snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.shelves[scope]
	if s == nil {
		s = newShelf()
	}
	return snapshot{slices.Concat(s.older, s.newer), s.names, s.vectors, c.built}
}
