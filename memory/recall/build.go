package recall

import (
	"time"

	"nacre/memory"
	"nacre/memory/recall/terms"
)

// firstPortion is how many messages are searchable first; the portions double up
// to maxSegment.
const firstPortion = 1 << 13

// build takes in what was stored before a Mark, newest first. It runs on one
// goroutine, so that the others have the rest of the machine, and ends early when
// the messages are dropped.
func (c *chats) build(from Mark) {
	in, portion := newIntake(c), firstPortion
	superseded := map[Key]bool{}
	err := c.x.store.Before(c.ctx, c.owner, from, func(d Doc) bool {
		if d.Replaces != 0 {
			superseded[d.Replaces] = true
		}
		if superseded[d.Key] {
			delete(superseded, d.Key)
			return true
		}
		if in.add(d); in.count == portion {
			c.prepend(in)
			c.open()
			portion = min(2*portion, maxSegment)
		}
		return c.ctx.Err() == nil
	})
	if err == nil {
		err = c.ctx.Err()
	}
	c.prepend(in)
	c.finish(err)
	c.open()
	c.feed()
}

// open lets the searches go ahead that wait for something to search.
func (c *chats) open() { c.once.Do(func() { close(c.ready) }) }

// prepend makes segments of messages that are older than all the others, and
// empties the intake.
func (c *chats) prepend(in *intake) {
	for scope, d := range in.drafts {
		if len(d.keys) > 0 {
			d.turn()
			c.putBefore(scope, d)
			d.reset()
		}
	}
	in.count = 0
	c.weigh()
}

func (c *chats) putBefore(scope memory.Scope, d *draft) {
	s := c.shelf(scope)
	c.mu.Lock()
	first := s.oldest() - docID(len(d.keys))
	c.mu.Unlock()
	list := []*segment{d.seal(first)}
	c.mu.Lock()
	defer c.mu.Unlock()
	for old, r := range c.replaced {
		if r.scope == scope {
			replace(&list, old, r.by)
		}
	}
	s.older = append(list, s.older...)
}

// finish notes how the build ended.
func (c *chats) finish(err error) {
	if err != nil && c.ctx.Err() == nil {
		c.x.opts.Log.Warn("search index not built", "owner", c.owner, "err", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		c.failed = time.Now()
		return
	}
	c.built = true
	clear(c.replaced)
}

// intake turns messages into drafts, one for each scope.
type intake struct {
	c      *chats
	drafts map[memory.Scope]*draft
	tokens []terms.Token
	count  int
}

func newIntake(c *chats) *intake { return &intake{c: c, drafts: map[memory.Scope]*draft{}} }

func (in *intake) add(d Doc) {
	in.tokens = in.c.x.analyzer.Append(in.tokens[:0], d.Text)
	t, spans := observe(d, in.tokens, in.c.zone)
	s := in.c.shelf(d.Scope)
	in.c.mu.Lock()
	t.session, t.author = s.session(d.Session), s.author(d.Author)
	in.c.mu.Unlock()
	into := in.drafts[d.Scope]
	if into == nil {
		into = new(draft)
		in.drafts[d.Scope] = into
	}
	into.add(d, t, spans, in.tokens)
	in.count++
}
