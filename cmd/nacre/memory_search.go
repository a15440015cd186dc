package main

import (
	"context"

	"nacre/memory"
	"nacre/web"
)

// How many notes a search finds.
const (
	mostFound    = 200
	usuallyFound = 50
)

// Search implements web.Memory.
func (m memoryDesk) Search(ctx context.Context, q web.NoteSearch) ([]web.Note, error) {
	wanted, err := statuses(q.Which)
	if err != nil {
		return nil, err
	}
	l, err := m.look(ctx)
	if err != nil {
		return nil, err
	}
	notes := []web.Note{}
	among := l.state.Select(memory.Query{Everywhere: true, Hidden: true, Statuses: wanted})
	for _, n := range memory.Find(among, q.Words, atMost(q.Most, usuallyFound, mostFound)) {
		notes = append(notes, l.note(n))
	}
	return notes, nil
}

// atMost is how many of something are shown to whom wants so many: the usual number
// where they do not say.
func atMost(wanted, usual, most int) int {
	if wanted <= 0 {
		return usual
	}
	return min(wanted, most)
}
