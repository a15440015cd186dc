package web

import (
	"context"
	"encoding/json"
	"io"
	"net/http"

	"nacre"
	"nacre/memory"
)

// maxAsked is how long what is asked of Memory may be, in bytes: the longest
// note, or some hundred checkpoints.
const maxAsked = 256 << 10

// memoryRoutes are where Memory is asked. What needs to be said of a request
// is one JSON object, also where nothing changes, so that no path holds words.
func memoryRoutes(mux *http.ServeMux, m Memory) {
	mux.Handle("POST /v1/memory/notes", asked(m.Notes))
	mux.Handle("POST /v1/memory/note", asked(m.Note))
	mux.Handle("POST /v1/memory/log", asked(m.Log))
	mux.Handle("POST /v1/memory/propose", asked(m.Propose))
	mux.Handle("POST /v1/memory/plan", asked(m.Plan))
	mux.Handle("POST /v1/memory/forget", asked(m.Forget))
	mux.Handle("POST /v1/memory/verify", asked(m.Verify))
	mux.Handle("POST /v1/memory/rebuild", told(m.Rebuild))
	mux.Handle("GET /v1/memory/export", told(m.Export))
}

// asked serves what takes one JSON object and answers with another.
func asked[In, Out any](do func(context.Context, In) (Out, error)) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		var in In
		d := json.NewDecoder(io.LimitReader(r.Body, maxAsked))
		d.DisallowUnknownFields() // a misspelt one must not become a wider wish
		if err := d.Decode(&in); err != nil {
			return nacre.Errorf(nacre.Invalid, "the request is too long, or not the JSON that is asked for here")
		}
		return told(func(ctx context.Context) (Out, error) { return do(ctx, in) })(w, r)
	}
}

// told serves what takes nothing.
func told[Out any](do func(context.Context) (Out, error)) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		out, err := do(r.Context())
		if err != nil {
			return err
		}
		return json.NewEncoder(w).Encode(out)
	}
}

// Memory implements Desk. The server knows by the socket that the command line
// asks, whatever by says.
func (c *Client) Memory(by memory.Writer) Memory { return remoteMemory{c} }

// remoteMemory is the memory of a running Nacre.
type remoteMemory struct{ client *Client }

// ask is a call to one of the routes of Memory or Jobs.
func ask[Out any](ctx context.Context, c *Client, method, what string, in any) (Out, error) {
	var out Out
	err := c.call(ctx, method, "/v1/"+what, in, &out)
	return out, err
}

// Notes implements Memory.
func (m remoteMemory) Notes(ctx context.Context, q NoteQuery) (Listing, error) {
	return ask[Listing](ctx, m.client, http.MethodPost, "memory/notes", q)
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
	return ask[Outcome](ctx, m.client, http.MethodPost, "memory/propose", c)
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
	return ask[string](ctx, m.client, http.MethodGet, "memory/export", nil)
}
