package notebook

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"nacre"
	"nacre/agent"
	"nacre/agent/llm"
	"nacre/memory"
	"nacre/memory/render"
)

func readSpec() llm.ToolSpec {
	return llm.ToolSpec{
		Name:        "memory_read",
		Description: "Reads what is remembered: an index, the notes of an area, or one note with dates and the words it rests on.",
		Schema:      json.RawMessage(`{"type":"object","properties":{"path":{"type":"string","maxLength":100,"description":"empty, area, or area/slug"},` + timesSchema + `},"additionalProperties":false}`),
	}
}

// timesSchema is the properties of times.
const timesSchema = `"as_of":{"type":"string","description":"date: what was true then"},"known_at":{"type":"string","description":"date: as it was known then"}`

// times are the two times of a read: when it was true in the world, and when it
// was known. Each means the end of its date; empty means now.
type times struct {
	AsOf    string `json:"as_of"`
	KnownAt string `json:"known_at"`
}

// view is what a session sees of memory.
type view struct {
	notes []*memory.Note
	state *memory.State // as it was known
}

// view reads what the model may see, now or as it was. What is switched off, or
// forgotten, since then is not shown.
func (n *Notebook) view(ctx context.Context, c nacre.Caller, t times) (view, error) {
	asOf, err := memory.ParseDate(t.AsOf, n.opts.Zone(c.Owner))
	if err != nil {
		return view{}, err
	}
	known, err := memory.ParseDate(t.KnownAt, n.opts.Zone(c.Owner))
	if err != nil {
		return view{}, err
	}
	st, err := n.book(c).State(ctx)
	if err != nil || closed(st, c) {
		return view{state: st}, err
	}
	then, q := st, memory.Query{Scope: scope(c), Now: time.Now()}
	if !asOf.IsZero() {
		q.AsOf, q.Now = asOf.End().Add(-time.Millisecond), time.Time{}
	}
	if !known.IsZero() {
		q.Now = known.End().Add(-time.Millisecond)
		if then, err = n.book(c).At(ctx, q.Now); err != nil {
			return view{}, err
		}
		q.Hidden = st.On(memory.Sensitive)
	}
	notes := slices.DeleteFunc(then.Select(q), func(n *memory.Note) bool {
		return n.Topic != "" && !n.Allowed && !st.On(memory.Sensitive)
	})
	return view{notes, then}, nil
}

// read is the tool memory_read.
func (n *Notebook) read(ctx context.Context, c nacre.Caller, args json.RawMessage) (agent.Result, error) {
	var in struct {
		Path string `json:"path"`
		times
	}
	if err := agent.ReadArgs(args, &in); err != nil {
		return agent.Result{}, err
	}
	v, err := n.view(ctx, c, in.times)
	if err != nil {
		return agent.Result{}, err
	}
	path := strings.ToLower(strings.Trim(in.Path, "/ "))
	area, slug, one := strings.Cut(path, "/")
	known := slices.Contains(memory.Areas, memory.Area(area))
	switch {
	case path == "":
		return said(v.index()), nil
	case known && !one:
		return said(v.area(memory.Area(area))), nil
	}
	if i := slices.IndexFunc(v.notes, func(n *memory.Note) bool { return n.Slot.String() == path }); i >= 0 {
		return n.entry(ctx, c, v, v.notes[i])
	}
	cue := path
	if known {
		cue = slug
	}
	note := n.resolve(v.notes, cue)
	if note == nil {
		return agent.Result{}, errNoPlace
	}
	r, err := n.entry(ctx, c, v, note)
	r.Text = instead + r.Text
	return r, err
}

// instead begins what is read in the place of a note that is not there.
const instead = "No note stands in that place. The one most likely meant is this:\n"

var errNoPlace = nacre.Errorf(nacre.NotFound, "there is nothing in that place; the areas are about, preferences, people, routines and lessons")

// index counts the notes of each area.
func (v view) index() string {
	if len(v.notes) == 0 {
		return "Nothing is remembered."
	}
	var b strings.Builder
	for _, a := range memory.Areas {
		if in := v.in(a); len(in) > 0 {
			fmt.Fprintf(&b, "%s: %d\n", a, len(in))
		}
	}
	return strings.TrimSpace(b.String())
}

func (v view) in(a memory.Area) []*memory.Note {
	return slices.DeleteFunc(slices.Clone(v.notes), func(n *memory.Note) bool { return n.Slot.Area != a })
}

// maxShown bounds the characters of notes that a tool gives back; what is left
// out is counted.
const maxShown = 12_000

// area lists the notes of an area, the newest first.
func (v view) area(a memory.Area) string {
	list := v.in(a)
	slices.Reverse(list)
	return items(list)
}

// items are notes for the model, a line each.
func items(list []*memory.Note) string {
	if len(list) == 0 {
		return nothing
	}
	var b strings.Builder
	for i, n := range list {
		line := render.Item(n)
		if b.Len()+len(line) > maxShown {
			fmt.Fprintf(&b, "… and %d more, which memory_find reaches\n", len(list)-i)
			break
		}
		b.WriteString(line + "\n")
	}
	return strings.TrimSpace(b.String())
}

const nothing = "Nothing is remembered about that."

// entry shows one note with what it rests on, as far as that is still there.
func (n *Notebook) entry(ctx context.Context, c nacre.Caller, v view, note *memory.Note) (agent.Result, error) {
	quotes, err := n.book(c).Quotes(ctx, note)
	if err != nil {
		return agent.Result{}, err
	}
	n.recalled(ctx, c, note)
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nStatus: %s. Noted on %s.\n", render.Item(note), strings.ToLower(render.Status(note.Status)), n.day(c, note.Recorded.From))
	if old := v.state.Note(note.Replaces); old != nil && old.Status == memory.Archived {
		b.WriteString("It took the place of an earlier note.\n")
	}
	for _, q := range quotes {
		fmt.Fprintf(&b, "They said on %s: %s\n", n.day(c, q.Evidence.Sent), render.Plain(q.Text))
	}
	return said(strings.TrimSpace(b.String())), nil
}

// day is a day where the owner lives.
func (n *Notebook) day(c nacre.Caller, t time.Time) string {
	return t.In(n.opts.Zone(c.Owner)).Format(time.DateOnly)
}

// recalled counts that notes were shown to the model. It is no reason to fail. What
// a job looks at is no sign that its owner needs it.
func (n *Notebook) recalled(ctx context.Context, c nacre.Caller, notes ...*memory.Note) {
	if len(notes) == 0 || c.Run != nil {
		return
	}
	ids := make([]nacre.NoteID, len(notes))
	for i, note := range notes {
		ids[i] = note.ID
	}
	if err := n.opts.Log.Hit(ctx, c.Owner, n.day(c, time.Now()), ids); err != nil {
		n.opts.Logger.Warn("a recall was not counted", "session", c.Session, "err", err)
	}
}
