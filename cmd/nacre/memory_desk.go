package main

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/render"
	"nacre/web"
)

// memoryDesk is an owner's memory in one hand. It is a web.Memory.
type memoryDesk struct {
	app   *app
	owner nacre.OwnerID
	by    memory.Writer
}

// Memory implements web.Desk.
func (a *app) Memory(h web.Hand) web.Memory { return memoryDesk{a, a.ownerOf(h), h.By} }

// ownerOf is whose hand it is.
func (a *app) ownerOf(h web.Hand) nacre.OwnerID { return cmp.Or(h.Owner, a.operator) }

func (m memoryDesk) book() *memory.Book { return m.app.library.Book(m.owner) }

func (m memoryDesk) zone() *time.Location { return m.app.zoneOf(m.owner) }

// Notes implements web.Memory. A part is what changed of what is believed now;
// another time is always listed in full.
func (m memoryDesk) Notes(ctx context.Context, q web.NoteQuery) (web.Listing, error) {
	query, err := m.query(q)
	if err != nil {
		return web.Listing{}, err
	}
	state, err := m.state(ctx, q.KnownAt)
	if err != nil {
		return web.Listing{}, err
	}
	hits, err := m.app.ledger.Hits(ctx, m.owner)
	if err != nil {
		return web.Listing{}, err
	}
	list := web.Listing{Version: state.Version, Saving: state.On(memory.Saving), Sensitive: state.On(memory.Sensitive),
		Waiting: len(waiting(state)), Folder: filepath.Join(m.app.cfg.Data, "owners", string(m.owner)), Notes: []web.Note{}}
	if since := state.Since(); !since.IsZero() {
		list.Since = since.In(m.zone())
	}
	notes := state.Select(query)
	if touched, known := state.Touched(q.After); known && q.KnownAt == "" {
		list.Partial = true
		notes, list.Gone = changed(notes, touched)
	}
	for _, n := range inOrder(notes) {
		list.Notes = append(list.Notes, m.shown(n, hits[n.ID]))
	}
	return list, nil
}

// changed are those of some notes that were touched, and what was touched and is
// none of them.
func changed(notes []*memory.Note, touched map[nacre.NoteID]bool) (list []*memory.Note, gone []nacre.NoteID) {
	for _, n := range notes {
		if touched[n.ID] {
			list = append(list, n)
			delete(touched, n.ID)
		}
	}
	return list, slices.Sorted(maps.Keys(touched))
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

// shown is a note as it goes to people, and on how many days it was recalled.
func (m memoryDesk) shown(n *memory.Note, hits int) web.Note {
	w := web.Note{ID: n.ID, Path: n.Slot.String(), Scope: n.Slot.Scope, Text: n.Text, Abstract: n.Abstract, Kind: n.Kind, Entities: n.Entities,
		Topic: string(n.Topic), Status: n.Status, Origin: n.Origin, From: n.Valid.From.String(), To: n.Valid.To.String(),
		Event: n.Event.String(), Expires: n.Expires.String(), Recorded: n.Recorded.From.In(m.zone()), Waits: n.Waits,
		WaitsFor: sentence(n.Waits), Against: n.Against, Replaces: n.Replaces, Pinned: n.Pinned, Hits: hits, Hash: n.Hash()}
	if !n.Recorded.To.IsZero() {
		w.Until = n.Recorded.To.In(m.zone())
	}
	return w
}

// sentence says why something waits or was refused; empty for no reason.
func sentence(why memory.Reason) string {
	if why == "" {
		return ""
	}
	return capital(render.Why(why)) + "."
}
