package main

import (
	"context"

	"nacre"
	"nacre/memory"
	"nacre/memory/recall"
)

// owner is the one whose messages a store holds.
const owner nacre.OwnerID = "owner"

// store is a recall.Store of one owner's messages in memory; the key of a message
// is its place, from 1 on.
type store struct{ docs []recall.Doc }

// add stores a message.
func (s *store) add(d recall.Doc) recall.Key {
	d.Key = recall.Key(len(s.docs) + 1)
	s.docs = append(s.docs, d)
	return d.Key
}

func (s *store) Mark(context.Context, nacre.OwnerID) (recall.Mark, error) {
	return recall.Mark{Said: int64(len(s.docs))}, nil
}

func (s *store) Before(ctx context.Context, _ nacre.OwnerID, m recall.Mark, yield func(recall.Doc) bool) error {
	for i := int(m.Said) - 1; i >= 0; i-- {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !yield(s.docs[i]) {
			return nil
		}
	}
	return nil
}

func (s *store) Since(ctx context.Context, id nacre.OwnerID, m recall.Mark, yield func(recall.Doc)) (recall.Mark, error) {
	for _, d := range s.docs[m.Said:] {
		yield(d)
	}
	return s.Mark(ctx, id)
}

func (s *store) Texts(_ context.Context, _ nacre.OwnerID, keys []recall.Key) (map[recall.Key]recall.Text, error) {
	texts := make(map[recall.Key]recall.Text, len(keys))
	for _, k := range keys {
		texts[k] = recall.Text{Doc: s.docs[k-1]}
	}
	return texts, nil
}

// Near is not asked for by searches.
func (s *store) Near(context.Context, nacre.OwnerID, memory.Scope, recall.Key, int) ([]recall.Text, error) {
	return nil, nacre.Errorf(nacre.NotFound, "neighbours are not kept")
}
