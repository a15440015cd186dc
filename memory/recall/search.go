package recall

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"nacre"
)

// What ranking works on.
const (
	ranked  = 500 // messages that the words alone put first, which are ranked by more than words
	refined = 25  // of those at a time, whose texts are read and say which of them is before which
)

// search is one search under way.
type search struct {
	x        *Index
	owner    nacre.OwnerID
	q        Query
	from     cursor
	view     *view
	vectors  table
	query    query
	except   except
	meant    []hit // those that mean nearly the same
	complete bool
}

// Search returns a page of the messages that match a query. It takes in new
// messages first; while older ones are still being indexed it looks at those that
// are, and says so. Whatever the text is, it is found or not, and no error: an
// error is Invalid for a cursor that is not of this query, and else the Store's or
// that of ctx.
//
// By relevance the best 500 messages are shown at most, with some that stand next
// to them; Total counts all that have a word. The pages of a search neither repeat
// nor miss a message, whatever is said meanwhile, once the vectors of an Embedder
// are made.
func (x *Index) Search(ctx context.Context, owner nacre.OwnerID, q Query) (Result, error) {
	if q.Order != Newest {
		q.Order = ByRelevance
	}
	from, err := readCursor(owner, q)
	if err != nil {
		return Result{}, err
	}
	c := x.chats(owner)
	if !c.knows(q.Scope, q.Except.Since) {
		q.Lag = 0
	}
	if err := c.catchUp(ctx, q.Lag); err != nil {
		return Result{}, fmt.Errorf("search: %w", err)
	}
	if err := c.wait(ctx); err != nil {
		return Result{}, err
	}
	s := x.search(owner, q, from, c)
	if q.Order == Newest {
		return s.newest(ctx)
	}
	return s.relevant(ctx)
}

// search sets out over what is indexed now.
func (x *Index) search(owner nacre.OwnerID, q Query, from cursor, c *chats) *search {
	now := c.snapshot(q.Scope)
	if q.Cursor == "" {
		from.begin(now.segments, now.complete)
		from.endBefore(now.segments, q.Before)
	}
	if q.Limit <= 0 || q.Limit > MaxLimit {
		q.Limit = MaxLimit
	}
	q.Now = time.Unix(from.Asked, 0).In(c.zone)
	v := newView(now.segments, now.names, filter{q.From, q.To, q.Here, q.Away}, from.window(now.segments))
	return &search{
		x: x, owner: owner, q: q, from: from, view: v,
		vectors:  now.vectors,
		query:    reader{x.analyzer, c.zone}.query(q, v),
		except:   newExcept(c, q, now.segments),
		complete: now.complete && from.Floor.Key == 0,
	}
}

// relevant is the page of the best hits that come after the cursor.
func (s *search) relevant(ctx context.Context) (Result, error) {
	res := Result{Complete: s.complete, Total: count(s.view.having(words(s.query.direct())))}
	near := slices.DeleteFunc(s.byMeaning(ctx), s.excepted)
	s.meant = closest(near)
	best := slices.DeleteFunc(fuse(s.query.rank(s.view, s.view.top(s.query.terms(), ranked)), near), s.excepted)
	for at := int(s.from.Window); at < len(best) && len(res.Hits) < s.q.Limit; at += refined {
		hits, err := s.refine(ctx, best[at:min(at+refined, len(best))])
		if err != nil {
			return Result{}, err
		}
		if at == int(s.from.Window) {
			hits = s.from.after(hits)
		}
		shown := hits[:min(s.q.Limit-len(res.Hits), len(hits))]
		res.Hits = append(res.Hits, shown...)
		switch {
		case len(shown) < len(hits):
			res.Next = s.from.at(at, shown).encode()
		case at+refined < len(best):
			res.Next = s.from.at(at+refined, nil).encode()
		default:
			res.Next = ""
		}
	}
	return res, nil
}

// excepted reports whether a message is none of the hits that are wanted.
func (s *search) excepted(h hit) bool {
	return h.doc >= s.except.from && s.view.traits(h.doc).session == s.except.session
}

// except is an Except as documents and traits can tell it.
type except struct {
	from    docID
	session uint32
}

func newExcept(c *chats, q Query, segments []*segment) except {
	session, known := c.session(q.Scope, q.Except.Session)
	doc, there := late(segments, q.Except.Since)
	if !known || !there {
		return except{from: math.MaxInt32}
	}
	return except{doc, session}
}

// refine reads the texts of some messages and orders these by them. Those that are
// not there any more are left out.
func (s *search) refine(ctx context.Context, lot []hit) ([]Hit, error) {
	texts, err := s.texts(ctx, lot)
	if err != nil {
		return nil, err
	}
	hits := s.query.refine(lot, texts)
	for i := range hits {
		at := slices.IndexFunc(lot, func(h hit) bool { return s.view.key(h.doc) == hits[i].Key })
		doc := lot[at].doc
		hits[i].Dated = s.query.dated(s.view, doc)
		hits[i].Meant = slices.ContainsFunc(s.meant, func(h hit) bool { return h.doc == doc })
	}
	return hits, nil
}

func (s *search) texts(ctx context.Context, lot []hit) (map[docID]Text, error) {
	keys := make([]Key, len(lot))
	for i, h := range lot {
		keys[i] = s.view.key(h.doc)
	}
	read, err := s.x.store.Texts(ctx, s.owner, keys)
	if err != nil {
		return nil, fmt.Errorf("texts of hits: %w", err)
	}
	texts := make(map[docID]Text, len(read))
	for i, h := range lot {
		if text, there := read[keys[i]]; there && s.q.admits(text) {
			texts[h.doc] = text
		}
	}
	return texts, nil
}

// admits is the filter once more, exactly.
func (q *Query) admits(t Text) bool {
	return t.Scope == q.Scope && !t.Sent.Before(q.From) && (q.To.IsZero() || t.Sent.Before(q.To)) && (!q.Here || t.Elsewhere == "") && (!q.Away || t.Elsewhere != "")
}

// newest is the page of hits that come before the cursor in the order in which
// they were stored.
func (s *search) newest(ctx context.Context) (Result, error) {
	found := s.view.shown()
	if strings.TrimSpace(s.q.Text) != "" {
		found = s.view.having(words(s.query.direct()))
	}
	res := Result{Complete: s.complete, Total: count(found)}
	before := s.from.before(s.view.segments())
	for len(res.Hits) < s.q.Limit {
		lot := s.view.latest(found, before, s.q.Limit-len(res.Hits))
		if len(lot) == 0 {
			return res, nil
		}
		hits, err := s.refine(ctx, lot)
		if err != nil {
			return Result{}, err
		}
		res.Hits = append(res.Hits, s.inOrder(lot, hits)...)
		before = lot[len(lot)-1].doc
	}
	if len(s.view.latest(found, before, 1)) > 0 {
		res.Next = s.from.at(0, res.Hits).encode()
	}
	return res, nil
}

// inOrder sorts hits as their documents are.
func (s *search) inOrder(lot []hit, hits []Hit) []Hit {
	byKey := make(map[Key]Hit, len(hits))
	for _, h := range hits {
		h.Score = 0
		byKey[h.Key] = h
	}
	hits = hits[:0]
	for _, l := range lot {
		if h, there := byKey[s.view.key(l.doc)]; there {
			hits = append(hits, h)
		}
	}
	return hits
}

// words are all that any of the terms stands for.
func words(asked []term) []string {
	var list []string
	for _, t := range asked {
		list = append(list, t.alternatives...)
	}
	return list
}
