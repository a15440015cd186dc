package main

import (
	"context"
	"slices"

	"nacre"
	"nacre/memory"
	"nacre/web"
)

// Why implements web.History.
func (h historyDesk) Why(ctx context.Context) (web.Why, error) {
	none := nacre.Errorf(nacre.NotFound, "I have answered nothing here since I was started.")
	homes, err := h.app.ledger.Homes(ctx, h.owner)
	if err != nil {
		return web.Why{}, err
	}
	i := slices.IndexFunc(homes, func(s nacre.SessionInfo) bool { return s.Chat == h.page() })
	if i < 0 {
		return web.Why{}, none
	}
	always, known := h.app.notes.InFront(homes[i].ID)
	if !known {
		return web.Why{}, none
	}
	return h.why(ctx, homes[i].ID, always)
}

// why tells what was looked up for the last answer of a session, and what stood in
// front of the model besides.
func (h historyDesk) why(ctx context.Context, session nacre.SessionID, always []nacre.NoteID) (web.Why, error) {
	front, _ := h.app.recalls.Last(session)
	l, err := memoryDesk{app: h.app, owner: h.owner}.look(ctx)
	if err != nil {
		return web.Why{}, err
	}
	keys := make([]int64, len(front.Messages))
	for i, key := range front.Messages {
		keys[i] = int64(key)
	}
	said, err := h.app.archive.Archive.Texts(ctx, h.owner, keys)
	w := web.Why{Messages: []web.Saying{}}
	for _, key := range keys {
		if s, there := said[key]; there {
			w.Messages = append(w.Messages, h.saying(s))
		} else {
			w.Gone++
		}
	}
	always = slices.DeleteFunc(always, func(id nacre.NoteID) bool { return slices.Contains(front.Notes, id) })
	w.Found, w.Always = l.kept(front.Notes, &w.Gone), l.kept(always, &w.Gone)
	return w, err
}

// kept are the notes of some ids; those that were forgotten are counted.
func (l look) kept(ids []nacre.NoteID, gone *int) []web.Note {
	list := []web.Note{}
	for _, id := range ids {
		if n := l.state.Note(id); n != nil && n.Status != memory.Erased {
			list = append(list, l.note(n))
		} else {
			*gone++
		}
	}
	return list
}
