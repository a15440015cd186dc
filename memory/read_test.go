package memory_test

import (
	"testing"

	"nacre"
	"nacre/memory"
)

// through is how far a reader of the first owner's messages has come; -1 if it
// never began.
func (d *desk) through(reader string) int64 {
	d.t.Helper()
	n, known, err := d.ledger.Mark(d.t.Context(), d.owners[0], reader)
	if err != nil {
		d.t.Fatal(err)
	}
	if !known {
		return -1
	}
	return n
}

// A reader's mark moves with what it proposes, also if that is nothing or all of
// it is refused, and never back.
func TestMarkMovesWithWhatWasRead(t *testing.T) {
	d := newDesk(t)
	id := d.hear(0, "my bike is green")
	bike := learn(id, "bike", "Bike is green", "my bike is green")
	bike.Writer, bike.Asked = memory.ByReflect, false
	red := bike
	red.Cites = []memory.Cite{{Message: id, Quote: "my bike is red"}}
	for _, c := range []struct {
		name      string
		through   int64
		proposals []memory.Proposal
		want      int64
		live      string
	}{
		{"nothing", 3, nil, 3, ""},
		{"refused", 5, []memory.Proposal{red}, 5, ""},
		{"saved", 7, []memory.Proposal{bike}, 7, "about/bike: Bike is green"},
		{"known already", 8, []memory.Proposal{bike}, 8, "about/bike: Bike is green"},
		{"an older one", 6, nil, 8, "about/bike: Bike is green"},
	} {
		if _, err := d.book(0).ProposeRead(t.Context(), memory.Mark{Reader: "reflect", Through: c.through}, c.proposals...); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := d.through("reflect"); got != c.want || d.live(0) != c.live {
			t.Errorf("%s: read through %d, want %d; live: %s", c.name, got, c.want, d.live(0))
		}
	}
	if got := d.through("another"); got != -1 {
		t.Errorf("another reader has come to %d", got)
	}
	d.propose(0, bike)
	if got := d.through("reflect"); got != 8 {
		t.Errorf("a proposal of somebody who reads nothing moved it to %d", got)
	}
}

// Where somebody else was faster nothing of the first try counts: neither the
// mark nor what was decided.
func TestMarkMovesOnceWhoeverIsFirst(t *testing.T) {
	d := newDesk(t)
	id := d.hear(0, "my bike is green")
	tries := 0
	book := d.meddledBook(func() {
		tries++
		d.propose(0, write("boat", "Boat is red"))
	})
	bike := learn(id, "bike", "Bike is green", "my bike is green")
	bike.Writer, bike.Asked = memory.ByReflect, false
	out, err := book.ProposeRead(t.Context(), memory.Mark{Reader: "reflect", Through: 7}, bike)
	if err != nil || out[0].Refused != "" || out[0].Same || tries != 1 {
		t.Fatalf("%+v, %v, after %d tries", out, err, tries)
	}
	d.restart()
	if got := d.through("reflect"); got != 7 || d.live(0) != "about/boat: Boat is red; about/bike: Bike is green" {
		t.Errorf("read through %d; live: %s", got, d.live(0))
	}
	if ops, err := d.book(0).Log(t.Context(), "", true); err != nil || len(ops) != 2 {
		t.Errorf("%d ops, %v", len(ops), err)
	}
}

// The mark of a transaction that fails stays where it was.
func TestMarkStaysWhereNothingWasStored(t *testing.T) {
	d := newDesk(t)
	op := memory.Op{Writer: memory.ByReflect, Kind: memory.Switch, Payload: memory.Payload{V: 1, Setting: memory.Sensitive, On: true}}
	for _, c := range []struct {
		name string
		base int64
		want int64
		fail bool
	}{{"on another version", 4, -1, true}, {"on this one", 0, 7, false}} {
		_, err := d.ledger.Append(t.Context(), d.owners[0], c.base, []memory.Op{op}, &memory.Mark{Reader: "reflect", Through: 7})
		if failed := nacre.KindOf(err) == nacre.Conflict; failed != c.fail || d.through("reflect") != c.want {
			t.Errorf("%s: %v, read through %d", c.name, err, d.through("reflect"))
		}
	}
}
