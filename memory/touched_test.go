package memory

import (
	"slices"
	"testing"
	"time"

	"nacre"
)

func TestTouched(t *testing.T) {
	body := func(slug string) *Body { return &Body{Slot: Slot{Area: About, Slug: slug}, Text: slug} }
	began := time.Now()
	var ops []Op
	do := func(o Op) {
		o.Version, o.At = int64(len(ops)+1), began.Add(time.Duration(len(ops))*time.Second)
		o.ID, o.Payload.V = OpID(o.At.String()), 1
		ops = append(ops, o)
	}
	do(Op{Kind: Add, Note: "a", Payload: Payload{Body: body("a"), Status: Stated}})
	do(Op{Kind: Add, Note: "b", Payload: Payload{Body: body("b"), Status: Stated}})
	do(Op{Kind: Switch, Payload: Payload{Setting: Saving}})
	do(Op{Kind: Revise, Note: "a2", Payload: Payload{Body: body("a"), Status: Stated, Replaces: "a"}})
	do(Op{Kind: Settle, Note: "b", Payload: Payload{Status: Archived}})
	plain := Fold(NewState(), ops...)
	do(Op{Kind: Undo, Note: "b", Payload: Payload{Undoes: []OpID{ops[4].ID}}})
	undone := Fold(plain, ops[5])
	do(Op{Kind: Add, Note: "c", Payload: Payload{Body: body("c"), Status: Stated}})
	later := Fold(undone, ops[6])
	for _, c := range []struct {
		name  string
		s     *State
		after int64
		want  []nacre.NoteID
		known bool
	}{
		{"everything", plain, 0, nil, false},
		{"since the first", plain, 1, []nacre.NoteID{"a", "a2", "b"}, true},
		{"a setting is no note", plain, 3, []nacre.NoteID{"a", "a2", "b"}, true},
		{"the last change", plain, 4, []nacre.NoteID{"b"}, true},
		{"nothing", plain, 5, nil, true},
		{"another memory", plain, 6, nil, false},
		{"before something was taken back", undone, 5, nil, false},
		{"after it was", later, 6, []nacre.NoteID{"c"}, true},
		{"an empty memory", NewState(), 1, nil, false},
	} {
		got, known := c.s.Touched(c.after)
		var ids []nacre.NoteID
		for id := range got {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		if known != c.known || !slices.Equal(ids, c.want) {
			t.Errorf("%s: %v, %v; want %v, %v", c.name, ids, known, c.want, c.known)
		}
	}
	if !plain.Since().Equal(began) || !NewState().Since().IsZero() {
		t.Errorf("memory began at %v, and an empty one at %v", plain.Since(), NewState().Since())
	}
}
