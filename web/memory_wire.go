package web

import (
	"context"
	"io"
	"net/http"

	"nacre"
	"nacre/memory"
)

// verbs are the changes of memory by the path that asks for each.
var verbs = map[string]memory.Verb{
	"add": memory.Learn, "edit": memory.Edit, "confirm": memory.Confirm, "keep": memory.Keep, "reject": memory.Reject, "archive": memory.Archive,
	"restore": memory.Bring, "pin": memory.PinNote, "unpin": memory.UnpinNote, "set": memory.Set, "undo": memory.TakeBack,
}

// memoryRoutes are where Memory is asked.
func memoryRoutes(m func(Hand) Memory) []route {
	list := []route{
		{"GET /api/memory", false, asked(m, Memory.Notes)},
		{"POST /api/memory/note", false, asked(m, Memory.Note)},
		{"POST /api/memory/search", false, asked(m, Memory.Search)},
		{"GET /api/memory/review", false, told(m, Memory.Review)},
		{"GET /api/memory/pinned", false, told(m, Memory.Pinned)},
		{"POST /api/memory/log", false, asked(m, Memory.Log)},
		{"POST /api/memory/plan", false, asked(m, Memory.Plan)},
		{"POST /api/memory/forget", false, asked(m, Memory.Forget)},
		{"POST /api/memory/verify", false, asked(m, Memory.Verify)},
		{"POST /api/memory/rebuild", false, told(m, Memory.Rebuild)},
		{"GET /api/memory/export", false, export(m)},
	}
	for name, verb := range verbs {
		list = append(list, route{"POST /api/memory/" + name, false, change(m, verb)})
	}
	return list
}

// change serves a change. What takes the last one back needs no question.
func change(m func(Hand) Memory, verb memory.Verb) http.Handler {
	if verb == memory.TakeBack {
		return told(m, func(m Memory, ctx context.Context) (Outcome, error) { return m.Propose(ctx, Change{Do: verb}) })
	}
	return asked(m, func(m Memory, ctx context.Context, c Change) (Outcome, error) {
		c.Do = verb
		return m.Propose(ctx, c)
	})
}

// export serves the whole memory as a file.
func export(m func(Hand) Memory) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := read(w, r, &struct{}{}); err != nil {
			return err
		}
		text, err := m(handOf(r.Context())).Export(r.Context())
		if err != nil {
			return err
		}
		w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
		w.Header().Set("Content-Disposition", `attachment; filename="nacre-memory.md"`)
		send(w, r, []byte(text))
		return nil
	}
}

// Memory implements Desk. The server knows by the socket whose hand asks, whatever
// is said here.
func (c *Client) Memory(Hand) Memory { return remoteMemory{c} }

// remoteMemory is the memory of a running Nacre.
type remoteMemory struct{ client *Client }

// ask is a call to one of the routes of the API.
func ask[Out any](ctx context.Context, c *Client, method, what string, in any) (Out, error) {
	var out Out
	err := c.call(ctx, method, "/api/"+what, in, &out)
	return out, err
}

// Notes implements Memory.
func (m remoteMemory) Notes(ctx context.Context, q NoteQuery) (Listing, error) {
	return ask[Listing](ctx, m.client, http.MethodGet, "memory?"+query(q), nil)
}

// Note implements Memory.
func (m remoteMemory) Note(ctx context.Context, n NoteName) (Sheet, error) {
	return ask[Sheet](ctx, m.client, http.MethodPost, "memory/note", n)
}

// Log implements Memory.
func (m remoteMemory) Log(ctx context.Context, q LogQuery) ([]Entry, error) {
	return ask[[]Entry](ctx, m.client, http.MethodPost, "memory/log", q)
}

// Propose implements Memory.
func (m remoteMemory) Propose(ctx context.Context, c Change) (Outcome, error) {
	for name, verb := range verbs {
		if verb == c.Do {
			return ask[Outcome](ctx, m.client, http.MethodPost, "memory/"+name, c)
		}
	}
	return Outcome{}, nacre.Errorf(nacre.Invalid, "there is no change of that kind")
}

// Plan implements Memory.
func (m remoteMemory) Plan(ctx context.Context, f Forgetting) (Plan, error) {
	return ask[Plan](ctx, m.client, http.MethodPost, "memory/plan", f)
}

// Forget implements Memory.
func (m remoteMemory) Forget(ctx context.Context, f Forgetting) (memory.Receipt, error) {
	return ask[memory.Receipt](ctx, m.client, http.MethodPost, "memory/forget", f)
}

// Verify implements Memory.
func (m remoteMemory) Verify(ctx context.Context, c Check) (Verification, error) {
	return ask[Verification](ctx, m.client, http.MethodPost, "memory/verify", c)
}

// Rebuild implements Memory.
func (m remoteMemory) Rebuild(ctx context.Context) (Rebuilt, error) {
	return ask[Rebuilt](ctx, m.client, http.MethodPost, "memory/rebuild", nil)
}

// Export implements Memory.
func (m remoteMemory) Export(ctx context.Context) (string, error) {
	answer, err := m.client.open(ctx, http.MethodGet, "/api/memory/export", nil)
	if err != nil {
		return "", err
	}
	defer answer.Close()
	text, err := io.ReadAll(answer)
	return string(text), err
}

// Review implements Memory.
func (m remoteMemory) Review(ctx context.Context) ([]Sheet, error) {
	return ask[[]Sheet](ctx, m.client, http.MethodGet, "memory/review", nil)
}

// Pinned implements Memory.
func (m remoteMemory) Pinned(ctx context.Context) (Pinned, error) {
	return ask[Pinned](ctx, m.client, http.MethodGet, "memory/pinned", nil)
}

// Search implements Memory.
func (m remoteMemory) Search(ctx context.Context, q NoteSearch) ([]Note, error) {
	return ask[[]Note](ctx, m.client, http.MethodPost, "memory/search", q)
}
