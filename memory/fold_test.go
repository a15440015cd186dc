package memory

import (
	"fmt"
	"testing"
	"time"

	"nacre"
)

// history is the Ops of a long life: notes of which nine in ten are corrected or
// archived later.
func history(n int) []Op {
	ops := make([]Op, 0, n)
	at := noon
	put := func(o Op) {
		at = at.Add(time.Minute)
		o.Seq, o.ID, o.At, o.Version, o.Writer = int64(len(ops)), OpID(fmt.Sprint("o", len(ops))), at, int64(len(ops)+1), ByChat
		o.Payload.V = 1
		ops = append(ops, o)
	}
	for i := 0; len(ops) < n; i++ {
		id := nacre.NoteID(fmt.Sprint("n", i))
		b := Body{Slot: Slot{Area: Areas[i%5], Slug: fmt.Sprint("slug-", i)}, Text: fmt.Sprintf("Thing %d is of colour %d and stands by the door", i, i%7), Origin: FromInference}
		put(Op{Kind: Add, Note: id, Payload: Payload{Body: &b, Status: Tentative, Evidence: []Evidence{{Message: nacre.MessageID(id), To: 9}}}})
		switch i % 10 {
		case 0:
			put(Op{Kind: Support, Note: id, Payload: Payload{Status: Observed, Evidence: []Evidence{{Message: "m" + nacre.MessageID(id), To: 9}}}})
		case 1, 2, 3:
			put(Op{Kind: Settle, Note: id, Payload: Payload{Status: Archived}})
		default:
			c := b
			c.Text += ", or was"
			put(Op{Kind: Revise, Note: id + "b", Payload: Payload{Body: &c, Status: Tentative, Replaces: id}})
		}
	}
	return ops[:n]
}

func TestFoldOneByOneIsFoldAtOnce(t *testing.T) {
	ops := history(400)
	undo := Op{ID: "undo", At: noon, Version: 401, Kind: Undo, Payload: Payload{V: 1, Undoes: []OpID{ops[300].ID}}}
	erase := Op{ID: "erase", At: noon, Version: 402, Kind: Erase, Note: ops[0].Note, Payload: Payload{V: 1, Tomb: &Tombstone{}, Revoked: []nacre.MessageID{"m1"}}}
	after := Op{ID: "add", At: noon, Version: 403, Kind: Switch, Payload: Payload{V: 1, Setting: Sensitive, On: true}}
	ops = append(ops, undo, erase, after)
	whole := Fold(NewState(), ops...)
	step := NewState()
	for i := range ops {
		before := step
		version, live := before.Version, len(before.Select(Query{}))
		step = Fold(step, ops[i])
		if before.Version != version || len(before.Select(Query{})) != live {
			t.Fatalf("op %d changed the state before it", i)
		}
	}
	if !whole.equal(step) {
		t.Error("the two states differ")
	}
	if n := whole.Note(ops[0].Note); n.Status != Erased || n.Text != "" || n.Evidence != nil {
		t.Errorf("what was erased is still %+v", n)
	}
	if whole.equal(Fold(NewState(), ops[:len(ops)-1]...)) {
		t.Error("a state without its last op is called equal")
	}
}

func TestFoldOfErasedPayloads(t *testing.T) {
	ops := history(40)
	whole := Fold(NewState(), ops...)
	for i := range ops {
		if ops[i].Note == ops[0].Note {
			ops[i].Payload = Payload{}
		}
	}
	s := Fold(NewState(), ops...)
	if n := s.Note(ops[0].Note); n.Status != Erased {
		t.Errorf("a note without its words is %s", n.Status)
	}
	if got, want := len(s.Select(Query{})), len(whole.Select(Query{}))-1; got != want {
		t.Errorf("%d live notes, want %d", got, want)
	}
}

func TestTimes(t *testing.T) {
	m := newMind(t)
	m.now = time.Date(2026, 5, 9, 12, 0, 0, 0, time.UTC)
	p := learn(m.said("m1", "I was vegetarian 2012–2024"), "about/food", "Was vegetarian 2012–2024", "I was vegetarian 2012–2024")
	p.Draft.From, p.Draft.To = "2012", "2024"
	m.propose(p)
	m.now = m.now.Add(24 * time.Hour)
	p = learn(m.said("m2", "from March I work at zqx"), "about/work", "Works at zqx", "I work at zqx")
	p.Draft.From = "2026-03"
	m.propose(p)
	names := func(s *State, at string) (list string) {
		d, err := ParseDate(at, time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range s.Select(Query{AsOf: d.Start}) {
			list += n.Slot.Slug + " "
		}
		return list
	}
	var early []Op
	for _, o := range m.log {
		if o.At.Before(time.Date(2026, 5, 12, 0, 0, 0, 0, time.UTC)) {
			early = append(early, o)
		}
	}
	for _, c := range []struct {
		name  string
		state *State
		at    string
		want  string
	}{
		{"in the span", m.state, "2018", "food "},
		{"its last day", m.state, "2024-12-31", "food "},
		{"after it", m.state, "2025", ""},
		{"before it", m.state, "2011-12-31", ""},
		{"backfilled", m.state, "2026-04", "work "},
		{"not known then", Fold(NewState(), early...), "2026-04", ""},
		{"known then", Fold(NewState(), early...), "2018", "food "},
	} {
		if got := names(c.state, c.at); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func BenchmarkFold(b *testing.B) {
	ops := history(10_000)
	for b.Loop() {
		Fold(NewState(), ops...)
	}
}

func BenchmarkFoldOne(b *testing.B) {
	ops := history(10_001)
	s := Fold(NewState(), ops[:10_000]...)
	for b.Loop() {
		Fold(s, ops[10_000])
	}
}
