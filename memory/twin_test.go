package memory

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"nacre"
	"nacre/memory/canon"
)

func TestTwins(t *testing.T) {
	body := func(change func(*Body)) func(*Op) { return func(o *Op) { change(o.Payload.Body) } }
	two := func(o *Op) {
		o.Payload.Evidence = append(o.Payload.Evidence, Evidence{Message: "other" + nacre.MessageID(o.Note), To: 5})
	}
	type twin struct {
		text   string
		status Status
		change []func(*Op)
	}
	for _, c := range []struct {
		name string
		a, b twin
		gone string
	}{
		{"the stated stays", twin{"Café is near", Tentative, nil}, twin{"cafe: is near!", Stated, nil}, "a"},
		{"the observed stays", twin{"Bike is green", Tentative, nil}, twin{"bike is GREEN", Observed, nil}, "a"},
		{"more messages", twin{"Bike is green", Observed, nil}, twin{"Bike is green.", Observed, []func(*Op){two}}, "a"},
		{"the older", twin{"Bike is green", Tentative, nil}, twin{"Bike is green.", Tentative, nil}, "b"},
		{"both stated", twin{"Bike is green", Stated, nil}, twin{"Bike is green.", Stated, nil}, ""},
		{"other words", twin{"Bike is green", Tentative, nil}, twin{"Bikes are green", Stated, nil}, ""},
		{"other letters", twin{"はな", Tentative, nil}, twin{"ばな", Stated, nil}, ""},
		{"another scope", twin{"Bike is green", Tentative, nil}, twin{"Bike is green", Stated, []func(*Op){body(func(b *Body) { b.Slot.Scope = "telegram:-5" })}}, ""},
		{"of one group", twin{"Bike is green", Tentative, []func(*Op){body(func(b *Body) { b.Slot.Scope = "telegram:-5" })}},
			twin{"Bike is green", Observed, []func(*Op){body(func(b *Body) { b.Slot.Scope = "telegram:-5" })}}, "a"},
		{"another day", twin{"Dinner with Ana", Tentative, []func(*Op){body(func(b *Body) { b.Event = date("2026-05-20") })}},
			twin{"Dinner with Ana", Stated, []func(*Op){body(func(b *Body) { b.Event = date("2026-06-20") })}}, ""},
		{"the same day", twin{"Dinner with Ana", Tentative, []func(*Op){body(func(b *Body) { b.Event = date("2026-05-20") })}},
			twin{"Dinner with Ana", Stated, []func(*Op){body(func(b *Body) { b.Event = date("2026-05-20") })}}, "a"},
		{"a day that the stronger has not", twin{"Dinner with Ana", Tentative, []func(*Op){body(func(b *Body) { b.Event = date("2026-05-20") })}}, twin{"Dinner with Ana", Stated, nil}, ""},
		{"a plan and its event", twin{"Dinner with Ana", Tentative, []func(*Op){body(func(b *Body) { b.Kind = KindPlan })}},
			twin{"Dinner with Ana", Observed, []func(*Op){body(func(b *Body) { b.Kind = KindEvent })}}, ""},
		{"one is hidden", twin{"Bike is green", Tentative, nil}, twin{"Bike is green", Observed, []func(*Op){body(func(b *Body) { b.Topic = canon.Health })}}, ""},
		{"both are hidden", twin{"Bike is green", Tentative, []func(*Op){body(func(b *Body) { b.Topic = canon.Health })}},
			twin{"Bike is green", Observed, []func(*Op){body(func(b *Body) { b.Topic = canon.Health })}}, "a"},
		{"one waits", twin{"Bike is green", Candidate, nil}, twin{"Bike is green", Stated, nil}, ""},
		{"the stronger expired", twin{"Bike is green", Tentative, nil}, twin{"Bike is green", Observed, []func(*Op){body(func(b *Body) { b.Expires = date("2026-05") })}}, "b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMind(t)
			m.holds("a", c.a.text, c.a.status, c.a.change...)
			m.passes(1)
			m.holds("b", c.b.text, c.b.status, c.b.change...)
			if strings.Contains(c.name, "expired") {
				m.passes(25)
			}
			var gone []nacre.NoteID
			for id := range m.tidy(nil) {
				gone = append(gone, id)
			}
			if got := fmt.Sprint(gone); got != strings.ReplaceAll("["+c.gone+"]", " ", "") {
				t.Errorf("gone are %v, want %q", got, c.gone)
			}
			m.repair(nil)
		})
	}
}

func TestTwinThatIsPinned(t *testing.T) {
	m := newMind(t)
	m.holds("old", "Bike is green", Observed)
	m.passes(1)
	m.holds("pinned", "Bike is green!", Observed)
	m.propose(Proposal{Writer: ByPage, Do: PinNote, Note: "pinned"})
	if got := m.tidy(nil); !maps.Equal(got, map[nacre.NoteID]Reason{"old": Merged}) {
		t.Errorf("gone: %v", got)
	}
	m.propose(Proposal{Writer: ByPage, Do: Confirm, Note: "old"})
	if got := m.tidy(nil); len(got) > 0 {
		t.Errorf("of a stated and a pinned one goes %v", got)
	}
}
