package ledger

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// What one query of a cursor over everything reads at most, about. Histories of
// turns may be long.
const (
	sayingsAtOnce = 2000
	bytesAtOnce   = 2 << 20
	listedAtOnce  = 256
)

// cursor hands over the Sayings of a strand whose sequence numbers are from first
// on and below end, in either order.
type cursor struct {
	*chats
	*strand
	column     string // owner or session
	whose      any    // its value
	first, end int64
	back       bool    // from the end
	atOnce     int     // rows of one query
	listed     []int64 // instead of all that: the sequence numbers, in the order in which they are handed over; first is below end while there are any

	heardBy int64 // see chats.open; of ascending cursors alone
	unheard int64 // sequence number of the message that it ended at

	batch   []Saying   // read and not handed over
	batches chan batch // from a goroutine that reads ahead; nil for none
}

// batch is what came of one query.
type batch struct {
	list []Saying
	err  error
}

// all is a cursor over all sessions of the owner, but for what was said elsewhere.
func (c *chats) all(s *strand, first, end int64) *cursor {
	return &cursor{chats: c, strand: s, column: "owner", whose: c.owner, first: first, end: end, atOnce: sayingsAtOnce}
}

// merge hands over what cursors of one direction hold, in that direction, until
// yield returns false. What came at the same time is in the order of the cursors.
func merge(ctx context.Context, yield func(Saying) bool, cursors ...*cursor) error {
	for {
		var next *cursor
		var came int64
		for _, c := range cursors {
			s, err := c.peek(ctx)
			if err != nil {
				return err
			}
			if s != nil && (next == nil || (s.came < came) != c.back) {
				next, came = c, s.came
			}
		}
		if next == nil || !yield(next.take()) {
			return nil
		}
	}
}

// readAhead lets a goroutine read the next batch while the last is used. It ends
// when ctx does, after which stopped waits for it.
func (c *cursor) readAhead(ctx context.Context) {
	c.batches = make(chan batch)
	go func() {
		defer close(c.batches)
		for c.first < c.end {
			list, err := c.read(ctx)
			select {
			case c.batches <- batch{list, err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
}

func (c *cursor) stopped() {
	for range c.batches {
		// the reader has to end before its connection is free
	}
}

// peek is the next Saying; nil at the end.
func (c *cursor) peek(ctx context.Context) (*Saying, error) {
	for len(c.batch) == 0 {
		next, more, err := c.next(ctx)
		if err != nil || !more {
			return nil, err
		}
		c.batch = next
	}
	return &c.batch[0], nil
}

// next is the next batch, which may hold no words; false if there is none.
func (c *cursor) next(ctx context.Context) (list []Saying, more bool, err error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	if c.batches != nil {
		b, more := <-c.batches
		return b.list, more, cmp.Or(b.err, ctx.Err())
	}
	if c.first >= c.end {
		return nil, false, nil
	}
	list, err = c.read(ctx)
	return list, true, err
}

func (c *cursor) take() Saying {
	s := c.batch[0]
	c.batch = c.batch[1:]
	return s
}

// read reads the next batch.
func (c *cursor) read(ctx context.Context) ([]Saying, error) {
	if c.listed != nil {
		return c.readListed(ctx)
	}
	order, words := "ASC", c.words
	if c.back {
		order = "DESC"
	}
	if c.strand == &messages && c.column == "owner" {
		words += " AND i." + isHere
	}
	rows, err := c.l.query(ctx, fmt.Sprintf("SELECT %s FROM %s i WHERE i.%s = ? AND i.seq >= ? AND i.seq < ? AND %s ORDER BY i.seq %s LIMIT ?",
		c.columns, c.table, c.column, words, order), c.whose, c.first, c.end, c.atOnce)
	if err != nil {
		return nil, err
	}
	read, err := scanSayings(rows, bytesAtOnce)
	if err != nil {
		return nil, err
	}
	c.advance(read)
	list, unheard, err := c.open(ctx, c.strand, read, c.heardBy)
	if c.unheard = unheard; unheard > 0 {
		c.end = c.first
	}
	return list, err
}

// readListed reads the next of those that are listed.
func (c *cursor) readListed(ctx context.Context) ([]Saying, error) {
	next := c.listed[:min(len(c.listed), listedAtOnce)]
	if c.listed = c.listed[len(next):]; len(c.listed) == 0 {
		c.end = c.first
	}
	list, err := c.texts(ctx, c.strand, next)
	at := make(map[int64]int, len(next))
	for i, seq := range next {
		at[c.key(seq)] = i
	}
	slices.SortFunc(list, func(a, b Saying) int { return at[a.Key] - at[b.Key] })
	return list, err
}

// advance moves behind what was read. None left is the end.
func (c *cursor) advance(list []sayingRow) {
	switch n := len(list); {
	case n == 0:
		c.end = c.first
	case c.back:
		c.end = list[n-1].seq
	default:
		c.first = list[n-1].seq + 1
	}
}
