package ledger

import (
	"context"
	"fmt"
	"math"
	"slices"

	"nacre"
	"nacre/memory"
)

// Texts reads Sayings by their keys. Those that are not there any more, or were
// replaced, are missing in the answer.
func (a *Archive) Texts(ctx context.Context, owner nacre.OwnerID, keys []int64) (map[int64]Saying, error) {
	c, err := a.chats(ctx, owner)
	if err != nil {
		return nil, err
	}
	seqs := map[*strand][]int64{}
	for _, key := range keys {
		s, seq := strandOf(key)
		seqs[s] = append(seqs[s], seq)
	}
	found := make(map[int64]Saying, len(keys))
	for s, list := range seqs {
		sayings, err := c.texts(ctx, s, list)
		if err != nil {
			return nil, err
		}
		for _, t := range sayings {
			found[t.Key] = t
		}
	}
	return found, nil
}

func (c *chats) texts(ctx context.Context, s *strand, seqs []int64) ([]Saying, error) {
	rows, err := c.l.query(ctx, fmt.Sprintf("SELECT %s FROM %s i WHERE i.seq IN (SELECT value FROM json_each(?)) AND i.owner = ? AND %s",
		s.columns, s.table, s.words), numbers(seqs), c.owner)
	if err != nil {
		return nil, err
	}
	list, err := scanSayings(rows, math.MaxInt)
	if err != nil {
		return nil, err
	}
	sayings, _, err := c.open(ctx, s, list, 0)
	return sayings, err
}

// Near reads a Saying of a scope with at most so many before and after it in its
// session, oldest first; NotFound if there is no such one.
func (a *Archive) Near(ctx context.Context, owner nacre.OwnerID, scope memory.Scope, key int64, each int) ([]Saying, error) {
	c, err := a.chats(ctx, owner)
	if err != nil {
		return nil, err
	}
	s, seq := strandOf(key)
	list, err := c.texts(ctx, s, []int64{seq})
	if err != nil {
		return nil, err
	}
	if len(list) == 0 || list[0].Scope != scope {
		return nil, errNoMessage()
	}
	return c.near(ctx, s, seq, list[0], each)
}

// near is a Saying with at most so many before and after it in its session.
func (c *chats) near(ctx context.Context, s *strand, seq int64, mid Saying, each int) ([]Saying, error) {
	from, to, err := c.around(ctx, s, seq, mid)
	if err != nil {
		return nil, err
	}
	before, err := c.some(ctx, mid.Session, from, true, each)
	if err != nil {
		return nil, err
	}
	after, err := c.some(ctx, mid.Session, to, false, each)
	if err != nil {
		return nil, err
	}
	slices.Reverse(before)
	return slices.Concat(before, []Saying{mid}, after), nil
}

// around are the Marks before and behind a Saying, for its session. A message is
// before the answers that came at the same time.
func (c *chats) around(ctx context.Context, s *strand, seq int64, mid Saying) (from, to Mark, err error) {
	end, err := c.Archive.end(ctx, c.owner)
	if err != nil {
		return from, to, err
	}
	if s == &messages {
		at, err := c.place(ctx, &answers, mid.Session, mid.came, end.Answered)
		return Mark{seq, at}, Mark{seq + 1, at}, err
	}
	at, err := c.place(ctx, &messages, mid.Session, mid.came+1, end.Said)
	return Mark{at, seq}, Mark{at, seq + 1}, err
}

// place is the lowest sequence number, at most high, from which on everything in a
// session came at a time or later. Both rise together, so that halving finds it.
func (c *chats) place(ctx context.Context, s *strand, session nacre.SessionID, came, high int64) (int64, error) {
	low := int64(0)
	for low < high {
		mid := low + (high-low)/2
		seq, at, err := c.from(ctx, s, session, mid)
		switch {
		case err != nil:
			return 0, err
		case seq >= high || at >= came:
			high = mid
		default:
			low = seq + 1
		}
	}
	return low, nil
}

// from is the first row of a session from a sequence number on, and when it came;
// the end of all numbers if there is none.
func (c *chats) from(ctx context.Context, s *strand, session nacre.SessionID, first int64) (seq, came int64, err error) {
	rows, err := c.l.query(ctx, fmt.Sprintf("SELECT i.seq, i.%s FROM %s i WHERE i.session = ? AND i.seq >= ? AND %s ORDER BY i.seq LIMIT 1",
		s.came, s.table, s.words), session, first)
	if err != nil {
		return 0, 0, err
	}
	defer rows.Close()
	seq = math.MaxInt64
	for rows.Next() {
		if err := rows.Scan(&seq, &came); err != nil {
			return 0, 0, explain(err)
		}
	}
	return seq, came, explain(rows.Err())
}

// nearAtOnce is what one query for neighbours reads: a few more than are mostly
// wanted, since some rows hold no words.
const nearAtOnce = 16

// some are at most so many Sayings of a session before a Mark, newest first, or
// from it on, oldest first.
func (c *chats) some(ctx context.Context, session nacre.SessionID, m Mark, back bool, most int) (list []Saying, err error) {
	one := func(s *strand, seq int64) *cursor {
		k := &cursor{chats: c, strand: s, column: "session", whose: session, first: seq, end: math.MaxInt64, back: back, atOnce: nearAtOnce}
		if back {
			k.first, k.end = 0, seq
		}
		return k
	}
	if most <= 0 {
		return nil, nil
	}
	err = merge(ctx, func(s Saying) bool {
		list = append(list, s)
		return len(list) < most
	}, one(&messages, m.Said), one(&answers, m.Answered))
	return list, err
}
