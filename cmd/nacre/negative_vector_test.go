package main

import (
	"context"
	"strings"
	"sync"

	"nacre"
	"nacre/memory/recall"
)

// lexicon is an embedder of which everybody can see what its vectors say: each word
// that it ever read has a place of its own in them.
type lexicon struct {
	mu     sync.Mutex
	places map[string]int // guarded by mu
}

// lexiconSize is more words than any case has.
const lexiconSize = 4096

// Name implements recall.Embedder.
func (l *lexicon) Name() string { return "lexicon" }

// Embed implements recall.Embedder.
func (l *lexicon) Embed(_ context.Context, _ nacre.OwnerID, texts []string) ([][]float32, error) {
	list := make([][]float32, len(texts))
	for i, text := range texts {
		list[i] = make([]float32, lexiconSize)
		for word := range strings.FieldsSeq(text) {
			list[i][l.place(letters(word))] = 1
		}
	}
	return list, nil
}

// place is where a word stands in every vector.
func (l *lexicon) place(word string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.places == nil {
		l.places = map[string]int{}
	}
	at, ok := l.places[word]
	if !ok {
		at = len(l.places) % lexiconSize
		l.places[word] = at
	}
	return at
}

// know reports whether any vector that is kept for an owner says a word.
func (l *lexicon) know(c *trial, owner nacre.OwnerID, word string) (knows bool) {
	c.t.Helper()
	err := c.app.archive.Vectors(c.t.Context(), owner, l.Name(), func(_ recall.Key, v []float32) {
		knows = knows || v[l.place(letters(word))] > 0
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return knows
}
