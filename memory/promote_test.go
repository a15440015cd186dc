package memory

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/memory/canon"
)

// room counts characters of text alone.
func room(budget int) Room {
	return Room{budget, func(n *Note) int { return len(n.Text) }}
}

// promotes are what Promotions finds, as "+slug" and "-slug".
func (m *mind) promotes(use map[nacre.NoteID]Use, r Room) string {
	var list []string
	for _, p := range Promotions(m.state, use, m.now, time.UTC, r) {
		sign := "-"
		if p.Pin {
			sign = "+"
		}
		list = append(list, sign+p.Note.Slot.Slug)
	}
	return strings.Join(list, " ")
}

// promote carries it out, as Book.Promote does.
func (m *mind) promote(use map[nacre.NoteID]Use, r Room) {
	m.t.Helper()
	for _, p := range proposed(Promotions(m.state, use, m.now, time.UTC, r)) {
		if why, n := m.propose(p); why != "" || n.Pinned != (p.Do == PinNote) {
			m.t.Errorf("%s is refused: %q", p.Do, why)
		}
	}
	if more := m.promotes(use, r); more != "" {
		m.t.Errorf("once more it finds %s", more)
	}
}

// used is a note's having been recalled, last so many days ago.
func (m *mind) used(days, ago int) Use {
	return Use{days, m.now.AddDate(0, 0, -ago).Format(time.DateOnly)}
}

func TestWhatIsPromoted(t *testing.T) {
	for _, c := range []struct {
		name      string
		status    Status
		change    func(*Body)
		do        func(m *mind)
		days, ago int
		want      string
	}{
		{"observed", Observed, nil, nil, 3, 0, "+bike"},
		{"stated", Stated, nil, nil, 3, 0, "+bike"},
		{"on two days", Stated, nil, nil, 2, 0, ""},
		{"never", Stated, nil, nil, 0, 0, ""},
		{"lately", Stated, nil, nil, 9, 89, "+bike"},
		{"long ago", Stated, nil, nil, 9, 90, ""},
		{"a guess", Tentative, nil, nil, 9, 0, ""},
		{"waiting", Candidate, nil, nil, 9, 0, ""},
		{"archived", Archived, nil, nil, 9, 0, ""},
		{"of a group", Stated, func(b *Body) { b.Slot.Scope = "telegram:-5" }, nil, 9, 0, ""},
		{"sensitive", Stated, func(b *Body) { b.Topic = canon.Health }, nil, 9, 0, ""},
		{"sensitive, and allowed", Stated, func(b *Body) { b.Topic, b.Allowed = canon.Health, true }, nil, 9, 0, ""},
		{"expired", Stated, func(b *Body) { b.Expires = date("2026-05-01") }, nil, 9, 0, ""},
		{"doubted", Stated, nil, func(m *mind) {
			m.holds("red", "Bike is red", Candidate, func(o *Op) { o.Payload.Against = "bike" })
		}, 9, 0, ""},
		{"doubted in vain", Stated, nil, func(m *mind) {
			m.holds("red", "Bike is red", Candidate, func(o *Op) { o.Payload.Against = "bike" })
			m.propose(Proposal{Writer: ByPage, Do: Reject, Note: "red"})
		}, 9, 0, "+bike"},
		{"pinned by hand", Stated, nil, func(m *mind) { m.propose(Proposal{Writer: ByPage, Do: PinNote, Note: "bike"}) }, 9, 0, ""},
		{"pinned by hand, unused", Stated, nil, func(m *mind) { m.propose(Proposal{Writer: ByFile, Do: PinNote, Note: "bike"}) }, 0, 0, ""},
		{"unpinned by hand", Stated, nil, func(m *mind) {
			m.propose(Proposal{Writer: ByPage, Do: PinNote, Note: "bike"})
			m.propose(Proposal{Writer: ByPage, Do: UnpinNote, Note: "bike"})
		}, 9, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMind(t)
			m.holds("bike", "Bike is green", c.status, func(o *Op) {
				if c.change != nil {
					c.change(o.Payload.Body)
				}
			})
			if c.do != nil {
				c.do(m)
			}
			use := map[nacre.NoteID]Use{}
			if c.days > 0 {
				use["bike"] = m.used(c.days, c.ago)
			}
			if got := m.promotes(use, room(100)); got != c.want {
				t.Errorf("found %q, want %q", got, c.want)
			}
			m.promote(use, room(100))
		})
	}
}

func TestPromotedAndUnused(t *testing.T) {
	m := newMind(t)
	m.holds("bike", "Bike is green", Stated)
	use := map[nacre.NoteID]Use{"bike": m.used(3, 5)}
	m.promote(use, room(100))
	n := m.state.Note("bike")
	if !n.Pinned || n.PinnedBy != ByRepair || !n.PinnedAt.Equal(m.now) || n.Held || n.Status != Stated || n.Decided != ByChat {
		t.Fatalf("it is %+v", n)
	}
	if o := m.log[len(m.log)-1]; o.Reason != Recalled || o.Kind != Pin {
		t.Errorf("the log has %s for %q", o.Kind, o.Reason)
	}
	m.passes(84)
	if got := m.promotes(use, room(0)); got != "" {
		t.Errorf("89 days later: %s", got)
	}
	m.passes(1)
	if got := m.promotes(use, room(0)); got != "-bike" {
		t.Errorf("90 days later: %s", got)
	}
	m.promote(use, room(100))
	if n := m.state.Note("bike"); n.Pinned || n.PinnedBy != "" || !n.PinnedAt.IsZero() {
		t.Errorf("it is %+v", n)
	}
	use["bike"] = m.used(4, 0)
	if got := m.promotes(use, room(100)); got != "+bike" {
		t.Errorf("used again: %s", got)
	}
}

// One that nothing is known of any more counts from when it was pinned.
func TestPromotedAndNeverUsed(t *testing.T) {
	m := newMind(t)
	m.holds("bike", "Bike is green", Stated)
	m.promote(map[nacre.NoteID]Use{"bike": m.used(3, 5)}, room(100))
	m.passes(89)
	if got := m.promotes(nil, room(100)); got != "" {
		t.Errorf("after 89 days: %s", got)
	}
	m.passes(1)
	if got := m.promotes(nil, room(100)); got != "-bike" {
		t.Errorf("after 90 days: %s", got)
	}
}

func TestPromotionTakenBackIsNotRepeated(t *testing.T) {
	m := newMind(t)
	m.holds("bike", "Bike is green", Stated)
	use := map[nacre.NoteID]Use{"bike": m.used(3, 0)}
	m.promote(use, room(100))
	m.propose(Proposal{Writer: ByCommand, Do: TakeBack})
	if n := m.state.Note("bike"); n.Pinned || !n.Held {
		t.Errorf("after undo it is %+v", n)
	}
	if got := m.promotes(use, room(100)); got != "" {
		t.Errorf("after undo: %s", got)
	}
	if why, _ := m.propose(Proposal{Writer: ByRepair, Do: PinNote, Note: "bike"}); why != StatedKept {
		t.Errorf("pinning it by itself: %q", why)
	}
	m.propose(Proposal{Writer: ByPage, Do: PinNote, Note: "bike"})
	if n := m.state.Note("bike"); !n.Pinned {
		t.Error("the owner cannot pin it")
	}
	if why, _ := m.propose(Proposal{Writer: ByRepair, Do: UnpinNote, Note: "bike"}); why != StatedKept {
		t.Errorf("unpinning it by itself: %q", why)
	}
}

func TestUnpinningTakenBackIsNotRepeated(t *testing.T) {
	m := newMind(t)
	m.holds("bike", "Bike is green", Observed)
	use := map[nacre.NoteID]Use{"bike": m.used(3, 0)}
	m.promote(use, room(100))
	m.passes(90)
	m.promote(use, room(100))
	m.propose(Proposal{Writer: ByCommand, Do: TakeBack})
	m.passes(500)
	if n := m.state.Note("bike"); !n.Pinned || m.promotes(use, room(100)) != "" {
		t.Errorf("after undo it is pinned: %v, and then: %s", n.Pinned, m.promotes(use, room(100)))
	}
}

func TestPromotionsKeepToTheirRoom(t *testing.T) {
	m := newMind(t)
	use := map[nacre.NoteID]Use{}
	for i, c := range []struct{ days, ago, length int }{{5, 3, 40}, {9, 8, 30}, {5, 1, 40}, {4, 0, 20}, {9, 8, 90}} {
		id := m.holds(fmt.Sprint("n", i), strings.Repeat("x", c.length-1)+fmt.Sprint(i), Stated)
		use[id] = m.used(c.days, c.ago)
	}
	for _, c := range []struct {
		budget int
		want   string
	}{
		{300, "+n1 +n4 +n2 +n0 +n3"}, {120, "+n1 +n4"}, {119, "+n1 +n2 +n0"}, {70, "+n1 +n2"}, {69, "+n1 +n3"}, {29, "+n3"}, {19, ""}, {-5, ""},
	} {
		if got := m.promotes(use, room(c.budget)); got != c.want {
			t.Errorf("in %d characters: %s, want %s", c.budget, got, c.want)
		}
	}
	// What is pinned takes its room, and stays beyond it.
	m.holds("hand", strings.Repeat("y", 100), Stated)
	m.propose(Proposal{Writer: ByPage, Do: PinNote, Note: "hand"})
	if got := m.promotes(use, room(130)); got != "+n1" {
		t.Errorf("beside a hand's: %s", got)
	}
	if got := m.promotes(use, room(50)); got != "" {
		t.Errorf("beside a hand's that is too long: %s", got)
	}
}

// What stands in the place of a note that the owner pinned or unpinned is so, too;
// what was pinned by itself has to earn it anew.
func TestCorrectionKeepsTheOwnersPin(t *testing.T) {
	for _, c := range []struct {
		name         string
		do           []Proposal
		pinned, held bool
	}{
		{"nobody's", nil, false, false},
		{"pinned", []Proposal{{Writer: ByPage, Do: PinNote}}, true, true},
		{"unpinned", []Proposal{{Writer: ByPage, Do: PinNote}, {Writer: ByPage, Do: UnpinNote}}, false, true},
		{"by itself", []Proposal{{Writer: ByRepair, Do: PinNote}}, false, false},
	} {
		m := newMind(t)
		m.holds("bike", "Bike is green", Stated)
		for _, p := range c.do {
			p.Note = "bike"
			m.propose(p)
		}
		_, n := m.propose(Proposal{Writer: ByPage, Do: Edit, Note: "bike", Draft: Draft{Text: "Bike is red"}})
		if n.Text != "Bike is red" || n.Pinned != c.pinned || n.Held != c.held || n.Pinned != (n.PinnedBy != "") {
			t.Errorf("%s: it is %+v", c.name, n)
		}
		if !Fold(NewState(), m.log...).equal(m.state) {
			t.Errorf("%s: folded anew it differs", c.name)
		}
	}
}

func TestRepairPinsNothingSensitive(t *testing.T) {
	m := newMind(t)
	m.holds("nuts", "Allergy to nuts", Stated, func(o *Op) { o.Payload.Body.Topic = canon.Health })
	if why, _ := m.propose(Proposal{Writer: ByRepair, Do: PinNote, Note: "nuts"}); why != IsSensitive {
		t.Errorf("refused for %q", why)
	}
	if why, n := m.propose(Proposal{Writer: ByPage, Do: PinNote, Note: "nuts"}); why != "" || !n.Pinned {
		t.Errorf("the owner is refused: %q", why)
	}
	if why, _ := m.propose(Proposal{Writer: ByRepair, Do: Archive, Note: "nuts", Why: Unrepeated}); why != StatedKept {
		t.Errorf("repair archives what was stated: %q", why)
	}
}
