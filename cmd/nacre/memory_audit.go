package main

import (
	"context"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/folder"
	"nacre/memory/render"
	"nacre/web"
)

// Log implements web.Memory.
func (m memoryDesk) Log(ctx context.Context, q web.LogQuery) ([]web.Entry, error) {
	state, err := m.book().State(ctx)
	if err != nil {
		return nil, err
	}
	wanted := func(nacre.NoteID) bool { return true }
	if q.Name != "" {
		if wanted, err = named(state, q.Name); err != nil {
			return nil, err
		}
	}
	ops, err := m.book().Log(ctx, "", q.Refusals)
	entries := []web.Entry{}
	for i := range ops {
		if wanted(ops[i].Note) {
			entries = append(entries, m.entry(state, &ops[i]))
		}
	}
	return entries, err
}

// named tells the notes of a path, or all versions of one note. One that was
// forgotten has no path any more, but its id is still in the log.
func named(state *memory.State, name string) (func(nacre.NoteID) bool, error) {
	slot, isPath := parsePath(name)
	ids := map[nacre.NoteID]bool{}
	for _, n := range state.Versions(nacre.NoteID(name)) {
		ids[n.ID] = true
	}
	for _, n := range everything(state) {
		if isPath && n.Slot.Area == slot.Area && n.Slot.Slug == slot.Slug {
			ids[n.ID] = true
		}
	}
	if len(ids) == 0 {
		return nil, nacre.Errorf(nacre.NotFound, "there is no such note now; one that was forgotten is in nacre memory log without its path")
	}
	return func(id nacre.NoteID) bool { return ids[id] }, nil
}

// entry is an Op without a word of content: the path of a note is told only
// while it is live or waits.
func (m memoryDesk) entry(state *memory.State, o *memory.Op) web.Entry {
	e := web.Entry{Leaf: o.Seq, At: o.At.In(m.zone()), Writer: o.Writer, Via: o.Via, Kind: o.Kind, Note: o.Note, Reason: o.Reason, Words: sentence(o.Reason), Version: o.Version,
		Setting: o.Payload.Setting, On: o.Payload.On}
	if o.Kind == memory.Settle || o.Kind == memory.Support {
		e.Status = o.Payload.Status
	}
	if n := state.Note(o.Note); n != nil && (n.Status.Live() || n.Status == memory.Candidate) {
		e.Path = n.Slot.String()
	}
	return e
}

// Verify implements web.Memory.
func (m memoryDesk) Verify(ctx context.Context, c web.Check) (web.Verification, error) {
	anchors := make([][]byte, len(c.Checkpoints))
	for i, text := range c.Checkpoints {
		anchors[i] = []byte(text)
	}
	r, err := m.app.ledger.VerifyMemory(ctx, anchors...)
	if err != nil {
		return web.Verification{}, err
	}
	v := web.Verification{OK: r.OK(), Size: r.Size, Root: r.Root.String(), Anchored: r.Anchored, Findings: []string{}, Omitted: r.Omitted}
	for _, f := range r.Findings {
		v.Findings = append(v.Findings, f.String())
	}
	if c.Sign && v.OK {
		signed, err := m.app.backups.checkpoint(ctx)
		v.Signed = string(signed)
		return v, err
	}
	return v, nil
}

// Rebuild implements web.Memory.
func (m memoryDesk) Rebuild(ctx context.Context) (web.Rebuilt, error) {
	same, err := m.book().Rebuild(ctx)
	if err != nil {
		return web.Rebuilt{}, err
	}
	state, err := m.book().State(ctx)
	if err != nil {
		return web.Rebuilt{}, err
	}
	reports, err := m.app.folder.Sync(ctx, m.owner)
	return web.Rebuilt{Version: state.Version, Notes: len(everything(state)), Same: same, Edits: folder.Summary(reports)}, err
}

// everything lists the notes of which there is something to show.
func everything(s *memory.State) []*memory.Note {
	return s.Select(memory.Query{Everywhere: true, Hidden: true, Statuses: web.AllNotes.Statuses()})
}

// Export implements web.Memory.
func (m memoryDesk) Export(ctx context.Context) (string, error) {
	state, err := m.book().State(ctx)
	if err != nil {
		return "", err
	}
	a := render.Archive{Notes: everything(state), Quotes: map[nacre.NoteID][]memory.Quoted{}, Sensitive: state.On(memory.Sensitive), At: time.Now().In(m.zone())}
	for _, n := range a.Notes {
		if a.Quotes[n.ID], err = m.book().Quotes(ctx, n); err != nil {
			return "", err
		}
	}
	return render.Export(a), nil
}
