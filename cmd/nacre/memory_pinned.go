package main

import (
	"context"
	"time"

	"nacre/memory"
	"nacre/memory/render"
	"nacre/web"
)

// Pinned implements web.Memory. The room is that of private chats, so that a note
// of a group is listed and takes none of it; those of a sensitive topic that is
// switched off are not in front of any model, and not here.
func (m memoryDesk) Pinned(ctx context.Context) (web.Pinned, error) {
	l, err := m.look(ctx)
	if err != nil {
		return web.Pinned{}, err
	}
	now, room := time.Now(), render.PinnedRoom()
	p := web.Pinned{Notes: []web.PinnedNote{}, Next: []web.Promotion{}, Room: room.Budget}
	for _, n := range inOrder(l.state.Select(memory.Query{Everywhere: true, Now: now})) {
		if !n.Pinned {
			continue
		}
		p.Notes = append(p.Notes, web.PinnedNote{Note: l.note(n), Why: render.Pinned(n, l.use[n.ID]), Hand: n.Held})
		if n.Slot.Scope == memory.Private {
			p.Used += room.Size(n)
		}
	}
	next, err := m.book().Promotions(ctx, now, room)
	for _, n := range next {
		p.Next = append(p.Next, web.Promotion{Note: l.note(n.Note), Pin: n.Pin, Why: render.Promotion(n)})
	}
	return p, err
}
