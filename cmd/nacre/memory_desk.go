package main

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/render"
	"nacre/web"
)

// memoryDesk is the operator's memory in one hand. It is a web.Memory.
type memoryDesk struct {
	app *app
	by  memory.Writer
}

// Memory implements web.Desk.
func (a *app) Memory(by memory.Writer) web.Memory { return memoryDesk{a, by} }

func (m memoryDesk) book() *memory.Book { return m.app.library.Book(m.app.operator) }

func (m memoryDesk) zone() *time.Location { return m.app.cfg.Zone }

// Notes implements web.Memory.
func (m memoryDesk) Notes(ctx context.Context, q web.NoteQuery) (web.Listing, error) {
	query, err := m.query(q)
	if err != nil {
		return web.Listing{}, err
	}
	state, err := m.state(ctx, q.KnownAt)
	if err != nil {
		return web.Listing{}, err
	}
	hits, err := m.app.ledger.Hits(ctx, m.app.operator)
	if err != nil {
		return web.Listing{}, err
	}
	list := web.Listing{Version: state.Version, Saving: state.On(memory.Saving), Sensitive: state.On(memory.Sensitive),
		Waiting: len(state.Select(memory.Query{Everywhere: true, Hidden: true, Statuses: []memory.Status{memory.Candidate}})),
		Folder:  filepath.Join(m.app.cfg.Data, "owners", string(m.app.operator)), Notes: []web.Note{}}
	for _, n := range inOrder(state.Select(query)) {
		list.Notes = append(list.Notes, m.shown(n, hits))
	}
	return list, nil
}

// query reads a NoteQuery, but for when it was known.
func (m memoryDesk) query(q web.NoteQuery) (query memory.Query, err error) {
	query = memory.Query{Everywhere: true, Hidden: true, Area: q.Area}
	if q.Area != "" && !slices.Contains(memory.Areas, q.Area) {
		return query, nacre.Errorf(nacre.Invalid, "there is no area of that name; there are %s", areas())
	}
	if query.Statuses, err = statuses(q.Which); err == nil {
		query.AsOf, err = m.end(q.AsOf)
	}
	return query, err
}

// inOrder sorts notes as people look for them, those of one place by age.
func inOrder(notes []*memory.Note) []*memory.Note {
	slices.SortStableFunc(notes, func(x, y *memory.Note) int {
		return cmp.Or(cmp.Compare(slices.Index(memory.Areas, x.Slot.Area), slices.Index(memory.Areas, y.Slot.Area)),
			strings.Compare(x.Slot.Slug, y.Slot.Slug), strings.Compare(string(x.Slot.Scope), string(y.Slot.Scope)))
	})
	return notes
}

// end is the last moment of what a date names; zero for none.
func (m memoryDesk) end(date string) (time.Time, error) {
	d, err := memory.ParseDate(date, m.zone())
	if err != nil || d.IsZero() {
		return time.Time{}, err
	}
	return d.End().Add(-time.Millisecond), nil
}

// state is what is believed, or what was believed at a date.
func (m memoryDesk) state(ctx context.Context, known string) (*memory.State, error) {
	at, err := m.end(known)
	switch {
	case err != nil:
		return nil, err
	case at.IsZero():
		return m.book().State(ctx)
	}
	return m.book().At(ctx, at)
}

// Note implements web.Memory.
func (m memoryDesk) Note(ctx context.Context, name web.NoteName) (web.Sheet, error) {
	state, err := m.book().State(ctx)
	if err != nil {
		return web.Sheet{}, err
	}
	n, err := findNote(state, name)
	if err != nil {
		return web.Sheet{}, err
	}
	hits, err := m.app.ledger.Hits(ctx, m.app.operator)
	if err != nil {
		return web.Sheet{}, err
	}
	use, err := m.app.ledger.Use(ctx, m.app.operator)
	if err != nil {
		return web.Sheet{}, err
	}
	sheet := web.Sheet{Version: state.Version, Note: m.shown(n, hits), Pin: render.Pinned(n, use[n.ID])}
	if sheet.Said, err = m.said(ctx, n); err != nil {
		return web.Sheet{}, err
	}
	for _, v := range state.Versions(n.ID) {
		if v.Status != memory.Erased {
			sheet.Versions = append(sheet.Versions, m.shown(v, hits))
		}
	}
	if other := state.Note(n.Against); other != nil && other.Status != memory.Erased {
		against := m.shown(other, hits)
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

// shown is a note as it goes to people.
func (m memoryDesk) shown(n *memory.Note, hits map[nacre.NoteID]int) web.Note {
	w := web.Note{ID: n.ID, Path: n.Slot.String(), Scope: n.Slot.Scope, Text: n.Text, Abstract: n.Abstract, Kind: n.Kind, Entities: n.Entities,
		Topic: string(n.Topic), Status: n.Status, Origin: n.Origin, From: n.Valid.From.String(), To: n.Valid.To.String(),
		Event: n.Event.String(), Expires: n.Expires.String(), Recorded: n.Recorded.From.In(m.zone()), Waits: n.Waits,
		Against: n.Against, Replaces: n.Replaces, Pinned: n.Pinned, Hits: hits[n.ID], Hash: n.Hash()}
	if !n.Recorded.To.IsZero() {
		w.Until = n.Recorded.To.In(m.zone())
	}
	return w
}
