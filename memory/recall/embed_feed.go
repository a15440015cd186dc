package recall

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"nacre"
)

const (
	embedBatch   = 64              // texts that are embedded at a time
	embedLength  = 4000            // bytes of a text that are: models refuse, or cut, long ones
	embedTimeout = 2 * time.Minute // for a batch
)

// feeding is how far the messages of an owner have vectors. The lock of its chats
// guards all but loaded, which the one goroutine that feeds reads and writes.
type feeding struct {
	running bool
	failed  time.Time // when it last did
	loaded  bool      // the vectors that were made before
}

// feed starts making vectors of the messages that have none, once the build is
// done. It returns at once, and does nothing without an Embedder.
func (c *chats) feed() {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := &c.feeding
	if c.x.opts.Embedder == nil || !c.built || f.running || time.Since(f.failed) < retryAfter || f.loaded && c.hungry() == nil {
		return
	}
	f.running = true
	c.x.running.Go(func() {
		err := c.embedAll()
		c.mu.Lock()
		defer c.mu.Unlock()
		f.running = false
		if err != nil && c.ctx.Err() == nil {
			c.x.opts.Log.Warn("messages not embedded", "owner", c.owner, "err", err)
			f.failed = time.Now()
		}
	})
}

// hungry is a shelf with messages that have no vectors, nil if all have. It is
// called with mu held.
func (c *chats) hungry() *shelf {
	for _, s := range c.shelves {
		if len(s.waiting) > 0 || s.queued < s.next() {
			return s
		}
	}
	return nil
}

// embedAll makes vectors until every message has one, or cannot get one.
func (c *chats) embedAll() error {
	if err := c.loadVectors(); err != nil {
		return fmt.Errorf("stored vectors: %w", err)
	}
	for c.ctx.Err() == nil {
		s, keys, docs := c.batch()
		if len(docs) == 0 {
			return nil
		}
		err := c.embed(s, keys, docs)
		if err != nil && nacre.KindOf(err) != nacre.Invalid {
			return err // to be tried again; what is invalid stays so
		}
		c.mu.Lock()
		s.waiting = s.waiting[:len(s.waiting)-len(docs)]
		c.mu.Unlock()
		c.weigh()
	}
	return c.ctx.Err()
}

// loadVectors takes in, once, the vectors that were made before, and queues the
// messages that have none.
func (c *chats) loadVectors() error {
	if c.feeding.loaded {
		return nil
	}
	stored := map[Key][]int8{}
	err := c.x.opts.Vectors.Vectors(c.ctx, c.owner, c.x.opts.Embedder.Name(), func(k Key, vector []float32) {
		if codes := quantise(vector); codes != nil {
			stored[k] = codes
		}
	})
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.shelves {
		for _, segment := range slices.Concat(s.older, s.newer) {
			for i, k := range segment.keys {
				if d := segment.first + docID(i); !s.vectors.add(d, stored[k]) {
					s.waiting = append(s.waiting, d)
				}
			}
		}
		s.queued = s.next()
	}
	c.feeding.loaded = true
	return nil
}

// batch is the next messages to make vectors of, the newest that wait.
func (c *chats) batch() (s *shelf, keys []Key, docs []docID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s = c.hungry(); s == nil {
		return nil, nil, nil
	}
	for ; s.queued < s.next(); s.queued++ {
		s.waiting = append(s.waiting, s.queued)
	}
	docs = slices.Clone(s.waiting[max(0, len(s.waiting)-embedBatch):])
	v := newView(slices.Concat(s.older, s.newer), nil, filter{}, unbounded)
	for _, d := range docs {
		keys = append(keys, v.key(d))
	}
	return s, keys, docs
}

// embed makes the vectors of some messages, keeps them, and takes them in. Those
// that are not there any more get none.
func (c *chats) embed(s *shelf, keys []Key, docs []docID) error {
	ctx, cancel := context.WithTimeout(c.ctx, embedTimeout)
	defer cancel()
	read, err := c.x.store.Texts(ctx, c.owner, keys)
	if err != nil {
		return fmt.Errorf("texts to embed: %w", err)
	}
	var texts []string
	var of []int // which message each is of
	for i, k := range keys {
		if text := strings.TrimSpace(read[k].Doc.Text); strings.ContainsFunc(text, worded) {
			texts, of = append(texts, cut(text)), append(of, i)
		}
	}
	vectors, err := c.x.embed(ctx, c.owner, texts)
	if err != nil {
		return err
	}
	made := make(map[Key][]float32, len(vectors))
	for i, vector := range vectors {
		made[keys[of[i]]] = vector
	}
	if err := c.x.opts.Vectors.PutVectors(ctx, c.owner, c.x.opts.Embedder.Name(), made); err != nil {
		return fmt.Errorf("keeping vectors: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, vector := range vectors {
		s.vectors.add(docs[of[i]], quantise(vector))
	}
	return nil
}

// embed asks the Embedder for the vectors of texts, if there are any.
func (x *Index) embed(ctx context.Context, owner nacre.OwnerID, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	vectors, err := x.opts.Embedder.Embed(ctx, owner, texts)
	if err != nil {
		return nil, fmt.Errorf("embedding: %w", err)
	}
	if len(vectors) != len(texts) {
		return nil, fmt.Errorf("embedding: %d vectors for %d texts", len(vectors), len(texts))
	}
	return vectors, nil
}

// cut shortens a text to what is embedded of it.
func cut(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), embedLength)], "")
}

// worded is a character of a word. What was forgotten is blanked with others.
func worded(r rune) bool { return r != '*' && !unicode.IsSpace(r) && !unicode.IsPunct(r) }
