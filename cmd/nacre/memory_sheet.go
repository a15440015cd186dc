package main

import (
	"context"
	"slices"

	"nacre"
	"nacre/memory"
	"nacre/memory/render"
	"nacre/web"
)

// look is memory as it is now, with what is known of the use of its notes.
type look struct {
	memoryDesk
	state *memory.State
	use   map[nacre.NoteID]memory.Use
}

func (m memoryDesk) look(ctx context.Context) (look, error) {
	state, err := m.book().State(ctx)
	if err != nil {
		return look{}, err
	}
	use, err := m.app.ledger.Use(ctx, m.owner)
	return look{m, state, use}, err
}

// note is a note as it goes to people.
func (l look) note(n *memory.Note) web.Note { return l.shown(n, l.use[n.ID].Days) }

// Note implements web.Memory.
func (m memoryDesk) Note(ctx context.Context, name web.NoteName) (web.Sheet, error) {
	l, err := m.look(ctx)
	if err != nil {
		return web.Sheet{}, err
	}
	n, err := findNote(l.state, name)
	if err != nil {
		return web.Sheet{}, err
	}
	return l.sheet(ctx, n)
}

// Review implements web.Memory.
func (m memoryDesk) Review(ctx context.Context) ([]web.Sheet, error) {
	l, err := m.look(ctx)
	if err != nil {
		return nil, err
	}
	sheets := []web.Sheet{}
	for _, n := range waiting(l.state) {
		s, err := l.sheet(ctx, n)
		if err != nil {
			return nil, err
		}
		sheets = append(sheets, s)
	}
	return sheets, nil
}

// waiting are the notes that the owner has to decide on, oldest first, so that the
// number of one stays the same until something before it is decided.
func waiting(s *memory.State) []*memory.Note {
	list := s.Select(memory.Query{Everywhere: true, Hidden: true, Statuses: web.WaitingNotes.Statuses()})
	slices.SortStableFunc(list, func(x, y *memory.Note) int { return x.Recorded.From.Compare(y.Recorded.From) })
	return list
}

// sheet is everything about a note.
func (l look) sheet(ctx context.Context, n *memory.Note) (web.Sheet, error) {
	said, err := l.said(ctx, n)
	if err != nil {
		return web.Sheet{}, err
	}
	sheet := web.Sheet{Version: l.state.Version, Note: l.note(n), Pin: render.Pinned(n, l.use[n.ID]), Said: said}
	for _, v := range l.state.Versions(n.ID) {
		if v.Status != memory.Erased {
			sheet.Versions = append(sheet.Versions, l.note(v))
		}
	}
	if other := l.state.Note(n.Against); other != nil && other.Status != memory.Erased {
		against := l.note(other)
		sheet.Against = &against
	}
	return sheet, nil
}

// said reads the words that a note rests on.
func (m memoryDesk) said(ctx context.Context, n *memory.Note) ([]web.Quote, error) {
	quotes, err := m.book().Quotes(ctx, n)
	if err != nil {
		return nil, err
	}
	said := make([]web.Quote, len(quotes))
	for i, q := range quotes {
		said[i] = web.Quote{Message: q.Evidence.Message, Sent: q.Evidence.Sent.In(m.zone()), Channel: q.Chat.Channel, Spoken: q.Evidence.Spoken, Text: q.Text}
	}
	return said, nil
}
