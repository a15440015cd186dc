package main

import (
	"context"

	"nacre"
	"nacre/memory"
	"nacre/memory/ledger"
	"nacre/memory/moving"
	"nacre/memory/recall"
)

// archive is the ledger's Archive as recall wants it: its Store, and the keeper of
// its Vectors.
type archive struct{ *ledger.Archive }

// KeyOf implements recollect.Store.
func (archive) KeyOf(m nacre.Message) recall.Key { return recall.Key(ledger.KeyOf(m.Seq)) }

// Mark implements recall.Store.
func (a archive) Mark(ctx context.Context, owner nacre.OwnerID) (recall.Mark, error) {
	m, err := a.Archive.Mark(ctx, owner)
	return recall.Mark(m), err
}

// Before implements recall.Store.
func (a archive) Before(ctx context.Context, owner nacre.OwnerID, m recall.Mark, yield func(recall.Doc) bool) error {
	return a.Archive.Before(ctx, owner, ledger.Mark(m), func(s ledger.Saying) bool { return yield(docOf(s)) })
}

// Since implements recall.Store.
func (a archive) Since(ctx context.Context, owner nacre.OwnerID, m recall.Mark, yield func(recall.Doc)) (recall.Mark, error) {
	end, err := a.Archive.Since(ctx, owner, ledger.Mark(m), func(s ledger.Saying) { yield(docOf(s)) })
	return recall.Mark(end), err
}

// Texts implements recall.Store.
func (a archive) Texts(ctx context.Context, owner nacre.OwnerID, keys []recall.Key) (map[recall.Key]recall.Text, error) {
	list := make([]int64, len(keys))
	for i, key := range keys {
		list[i] = int64(key)
	}
	found, err := a.Archive.Texts(ctx, owner, list)
	texts := make(map[recall.Key]recall.Text, len(found))
	for key, s := range found {
		texts[recall.Key(key)] = textOf(s)
	}
	return texts, err
}

// Near implements recall.Store.
func (a archive) Near(ctx context.Context, owner nacre.OwnerID, scope memory.Scope, key recall.Key, each int) ([]recall.Text, error) {
	found, err := a.Archive.Near(ctx, owner, scope, int64(key), each)
	if err != nil {
		return nil, err
	}
	texts := make([]recall.Text, len(found))
	for i, s := range found {
		texts[i] = textOf(s)
	}
	return texts, nil
}

// PutVectors implements recall.Vectors.
func (a archive) PutVectors(ctx context.Context, owner nacre.OwnerID, model string, vectors map[recall.Key][]float32) error {
	list := make(map[int64][]float32, len(vectors))
	for key, v := range vectors {
		list[int64(key)] = v
	}
	return a.Archive.PutVectors(ctx, owner, model, list)
}

// Vectors implements recall.Vectors.
func (a archive) Vectors(ctx context.Context, owner nacre.OwnerID, model string, yield func(recall.Key, []float32)) error {
	return a.Archive.Vectors(ctx, owner, model, func(key int64, v []float32) { yield(recall.Key(key), v) })
}

func docOf(s ledger.Saying) recall.Doc {
	return recall.Doc{Key: recall.Key(s.Key), Session: s.Session, Scope: s.Scope, Author: authorOf(s), Sent: s.Sent, Text: s.Text,
		Replaces: recall.Key(s.Replaces), Elsewhere: assistantOf(s)}
}

func textOf(s ledger.Saying) recall.Text {
	return recall.Text{Doc: docOf(s), Message: s.Message, Turn: s.Turn, Strange: s.Strange, Heard: s.Heard}
}

// authorOf is who said it. Of other people the networks' numbers are all that is
// stored; somebody without one is nobody. Other assistants have names.
func authorOf(s ledger.Saying) string {
	switch {
	case s.Answer:
		return recall.ByAssistant
	case s.Own:
		return recall.ByOwner
	case s.Author == nacre.Address{}:
		return ""
	case s.Author.Channel == nacre.Elsewhere && s.Author.ID != recall.ByOwner && s.Author.ID != recall.ByAssistant:
		return moving.Source(s.Author.ID).Name()
	}
	return s.Author.String()
}

// assistantOf is what people call the other assistant in whose chat it was said.
func assistantOf(s ledger.Saying) string {
	if s.Elsewhere == "" {
		return ""
	}
	return moving.Source(s.Elsewhere).Name()
}
