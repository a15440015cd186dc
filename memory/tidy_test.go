package memory

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/memory/canon"
)

// folds folds an Op as if somebody had decided on it now.
func (m *mind) folds(o Op) {
	o.Seq, o.ID, o.At, o.Version, o.Payload.V = int64(len(m.log)), OpID(fmt.Sprintf("o%03d", len(m.log))), m.now, m.state.Version+1, 1
	m.log = append(m.log, o)
	m.state = Fold(m.state, o)
}

// holds stores an inferred note that rests on messages of now. Its slug is its id.
func (m *mind) holds(slug, text string, s Status, change ...func(*Op)) nacre.NoteID {
	b := Body{Slot: Slot{Area: About, Slug: slug}, Text: text, Origin: FromInference}
	o := Op{Writer: ByChat, Kind: Add, Note: nacre.NoteID(slug), Payload: Payload{Body: &b, Status: s, Evidence: []Evidence{{Message: "m" + nacre.MessageID(slug), To: 5, Sent: m.now}}}}
	for _, c := range change {
		c(&o)
	}
	m.folds(o)
	return o.Note
}

func date(text string) Date {
	d, err := ParseDate(text, time.UTC)
	if err != nil {
		panic(err)
	}
	return d
}

func (m *mind) passes(days float64) { m.now = m.now.Add(time.Duration(days * float64(oneDay))) }

// tidy is what Tidy finds, by note.
func (m *mind) tidy(use map[nacre.NoteID]Use) map[nacre.NoteID]Reason {
	found, all := Tidy(m.state, use, m.now, time.UTC), map[nacre.NoteID]Reason{}
	for _, p := range found.Proposals {
		all[p.Note] = p.Why
	}
	for _, p := range found.Prune {
		all[p.Note] = p.Why
	}
	return all
}

// repair carries out what Tidy finds, as Book.Repair does.
func (m *mind) repair(use map[nacre.NoteID]Use) {
	m.t.Helper()
	for _, p := range Tidy(m.state, use, m.now, time.UTC).Proposals {
		if why, n := m.propose(p); why != "" || n.Status != Archived {
			m.t.Errorf("archiving for %q is refused: %q", p.Why, why)
		}
	}
	for _, o := range m.state.pruning(Tidy(m.state, use, m.now, time.UTC).Prune).Ops {
		m.folds(o)
	}
	if more := m.tidy(use); len(more) > 0 {
		m.t.Errorf("once more it finds %v", more)
	}
}

func TestWhatFades(t *testing.T) {
	plan := func(o *Op) { o.Payload.Body.Kind = KindPlan }
	body := func(change func(*Body)) func(*Op) { return func(o *Op) { change(o.Payload.Body) } }
	again := func(o *Op) {
		o.Payload.Evidence = append(o.Payload.Evidence, Evidence{Message: "other", To: 5, Sent: o.Payload.Evidence[0].Sent})
	}
	for _, c := range []struct {
		name   string
		status Status
		change []func(*Op)
		days   float64
		want   Reason
	}{
		{"a fact", Tentative, nil, 60, Unrepeated},
		{"sooner", Tentative, nil, 59.9, ""},
		{"said twice", Observed, []func(*Op){again}, 60, Unrepeated},
		{"called a fact", Tentative, []func(*Op){body(func(b *Body) { b.Kind = KindFact })}, 60, Unrepeated},
		{"stated", Stated, nil, 999, ""},
		{"with a name", Tentative, []func(*Op){body(func(b *Body) { b.Entities = []string{"Kiko"} })}, 999, ""},
		{"with a beginning", Tentative, []func(*Op){body(func(b *Body) { b.Valid.From = date("2026") })}, 999, ""},
		{"with an end", Tentative, []func(*Op){body(func(b *Body) { b.Valid.To = date("2026-06") })}, 999, ""},
		{"with a day", Tentative, []func(*Op){body(func(b *Body) { b.Event = date("2026-05-12") })}, 999, ""},
		{"an event that is over", Tentative, []func(*Op){body(func(b *Body) { b.Kind, b.Event = KindEvent, date("2026-05-12") })}, 999, ""},
		{"a preference", Tentative, []func(*Op){body(func(b *Body) { b.Kind = KindPreference })}, 999, ""},
		{"a possession", Observed, []func(*Op){again, body(func(b *Body) { b.Kind = KindPossession })}, 999, ""},
		{"from mail", Observed, []func(*Op){body(func(b *Body) { b.Origin = FromEmail })}, 999, ""},
		{"a plan", Tentative, []func(*Op){plan}, 60, Unrepeated},
		{"a plan with a name", Tentative, []func(*Op){plan, body(func(b *Body) { b.Entities = []string{"Kiko"} })}, 60, Unrepeated},
		{"a plan said twice", Observed, []func(*Op){plan, again}, 999, ""},
		{"a plan for later", Tentative, []func(*Op){plan, body(func(b *Body) { b.Event = date("2026-08") })}, 100, ""},
		{"a plan whose time is over", Tentative, []func(*Op){plan, body(func(b *Body) { b.Event = date("2026-08") })}, 200, Unrepeated},
		{"what expires", Observed, []func(*Op){body(func(b *Body) { b.Expires = date("2026-05-20") })}, 11, Expired},
		{"not yet", Observed, []func(*Op){body(func(b *Body) { b.Expires = date("2026-05-20") })}, 9, ""},
		{"what expires, stated", Stated, []func(*Op){body(func(b *Body) { b.Expires = date("2026-05-20") })}, 999, ""},
		{"sensitive", Tentative, []func(*Op){body(func(b *Body) { b.Topic = canon.Health })}, 60, Unrepeated},
		{"of a group", Tentative, []func(*Op){body(func(b *Body) { b.Slot.Scope = "telegram:-5" })}, 60, Unrepeated},
		{"waiting", Candidate, nil, 30, Undecided},
		{"waiting less", Candidate, nil, 29.9, ""},
		{"in the archive", Archived, nil, 999, ""},
		{"rejected", Rejected, nil, 999, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMind(t)
			id := m.holds("bike", "Bike is green", c.status, c.change...)
			m.passes(c.days)
			if got := m.tidy(nil)[id]; got != c.want {
				t.Errorf("it goes for %q, want %q", got, c.want)
			}
			m.repair(nil)
			want := c.status
			switch c.want {
			case Undecided:
				want = Erased
			case Expired, Unrepeated:
				want = Archived
			}
			if got := m.state.Note(id).Status; got != want {
				t.Errorf("it is %s, want %s", got, want)
			}
		})
	}
}

// What happens to a note keeps it from fading for as long again.
func TestWhatKeepsFromFading(t *testing.T) {
	const days = 50
	for _, c := range []struct {
		name string
		do   func(m *mind, id nacre.NoteID)
		use  func(now time.Time) Use
		keep bool
	}{
		{name: "nothing"},
		{"said again", func(m *mind, id nacre.NoteID) {
			m.folds(Op{Writer: ByChat, Kind: Support, Note: id, Payload: Payload{Evidence: []Evidence{{Message: "again", To: 5, Sent: m.now}}}})
		}, nil, true},
		{"pinned", func(m *mind, id nacre.NoteID) { m.propose(Proposal{Writer: ByPage, Do: PinNote, Note: id}) }, nil, true},
		{"confirmed and taken back", func(m *mind, id nacre.NoteID) {
			m.propose(Proposal{Writer: ByPage, Do: Confirm, Note: id})
			m.propose(Proposal{Writer: ByPage, Do: TakeBack})
		}, nil, true},
		{name: "recalled", use: func(now time.Time) Use { return Use{1, now.AddDate(0, 0, -59).Format(time.DateOnly)} }, keep: true},
		{name: "recalled long ago", use: func(now time.Time) Use { return Use{9, now.AddDate(0, 0, -60).Format(time.DateOnly)} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMind(t)
			id := m.holds("bike", "Bike is green", Tentative)
			m.passes(days)
			if c.do != nil {
				c.do(m, id)
			}
			m.passes(60 - days)
			use := map[nacre.NoteID]Use{}
			if c.use != nil {
				use[id] = c.use(m.now)
			}
			if kept := m.tidy(use)[id] == ""; kept != c.keep {
				t.Errorf("kept: %v, want %v", kept, c.keep)
			}
		})
	}
}

// The owner's taking it back is the last word: what was archived by itself stays,
// and the same candidate waits for as long again.
func TestRepairTakenBackIsNotRepeated(t *testing.T) {
	for why, begin := range map[Reason]func(*mind) nacre.NoteID{
		Unrepeated: func(m *mind) nacre.NoteID { return m.holds("bike", "Bike is green", Tentative) },
		Expired: func(m *mind) nacre.NoteID {
			return m.holds("bike", "Bike is green", Observed, func(o *Op) { o.Payload.Body.Expires = date("2026-06") })
		},
		Merged: func(m *mind) nacre.NoteID {
			m.holds("first", "Bike: green!", Stated)
			return m.holds("bike", "Bike green", Tentative)
		},
	} {
		m := newMind(t)
		id := begin(m)
		if m.passes(1); why != Merged {
			m.passes(70)
		}
		if got := m.tidy(nil)[id]; got != why {
			t.Errorf("it goes for %q, want %q", got, why)
		}
		m.repair(nil)
		m.propose(Proposal{Writer: ByCommand, Do: TakeBack})
		m.passes(700)
		if got, live := m.tidy(nil)[id], m.state.Note(id).Status.Live(); got != "" || !live {
			t.Errorf("after undo it goes for %q, live %v", got, live)
		}
	}
}

func TestArchiveIsBounded(t *testing.T) {
	m := newMind(t)
	text := strings.Repeat("é", MaxText/2)
	for i := range 5 * MaxArchive / 4 / len(text) {
		id := m.holds(fmt.Sprint("n", i), fmt.Sprint(i, text), Tentative)
		m.passes(0.01)
		m.propose(Proposal{Writer: ByPage, Do: []Verb{Archive, Reject}[i%2], Note: id})
	}
	tombs := m.state.Tombstones()
	if tombs < 30 {
		t.Fatalf("%d tombstones", tombs)
	}
	m.repair(nil)
	size, erased, kept := 0, 0, false
	for _, n := range m.state.notes {
		size += len(n.Text)
		if n.Status == Erased {
			erased++
		}
		if kept = kept || n.Status != Erased; kept && n.Status == Erased {
			t.Fatal("an older one is kept")
		}
	}
	if size > MaxArchive || size < MaxArchive-2*MaxText || erased == 0 {
		t.Errorf("%d bytes are kept, %d notes erased", size, erased)
	}
	if got := m.state.Tombstones(); got != tombs {
		t.Errorf("%d tombstones are left of %d", got, tombs)
	}
	m.holds("late", strings.Repeat("late", MaxText/4), Tentative)
	m.passes(60)
	if got := slices.Sorted(maps.Values(m.tidy(nil))); !slices.Equal(got, []Reason{Trimmed, Unrepeated}) {
		t.Errorf("one more makes %v", got)
	}
	m.repair(nil)
	refolded := Fold(NewState(), m.log...)
	if !refolded.equal(m.state) {
		t.Error("folded anew it differs")
	}
	if why, _ := m.propose(learn(m.said("m1", "1"+text), "about/x", "1"+text, "1"+text)); why != TombExact && why != TombValue {
		t.Errorf("what was rejected comes back: %q", why)
	}
}

// Pruning is nobody's decision: /undo takes back what the owner did before it,
// and the owner may say the same again without being asked.
func TestUndoLooksPastPruning(t *testing.T) {
	m := newMind(t)
	m.propose(Proposal{Writer: ByPage, Do: Learn, Draft: Draft{Area: About, Slug: "boat", Text: "Boat is red"}})
	id := m.holds("bike", "Bike is Velo-9", Candidate)
	m.passes(31)
	urgent := m.state.Urgent
	m.repair(nil)
	if n := m.state.Note(id); n.Status != Erased || n.Text != "" || m.state.Tombstones() > 0 || m.state.Urgent != urgent {
		t.Fatalf("it is %+v, with %d tombstones; urgent %d, was %d", n, m.state.Tombstones(), m.state.Urgent, urgent)
	}
	if why, _ := m.propose(asked(learn(m.said("m1", "remember my bike is Velo-9"), "about/bike", "Bike is Velo-9", "my bike is Velo-9"))); why != "" {
		t.Errorf("the owner cannot say it again: %q", why)
	}
	m.propose(Proposal{Writer: ByCommand, Do: TakeBack})
	if why, _ := m.propose(Proposal{Writer: ByCommand, Do: TakeBack}); why != "" {
		t.Errorf("undo is refused: %q", why)
	}
	m.want("")
	if why, _ := m.propose(Proposal{Writer: ByCommand, Do: TakeBack}); why != NothingToUndo {
		t.Errorf("there is something left to undo: %q", why)
	}
}

// TestTidyOfWhatever lets a memory grow at random, and holds after every step that
// tidying finds an end, touches nothing that is stated, is never refused, and leaves
// something stronger for each twin that goes.
func TestTidyOfWhatever(t *testing.T) {
	verbs := []Verb{Confirm, Archive, Bring, Reject, PinNote, UnpinNote, TakeBack}
	texts := []string{"Café is near", "cafe is near!", "Bike is green", "bike is GREEN.", "Dinner with Ana", "Plays the oboe"}
	done := map[Reason]int{}
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		m := newMind(t)
		for i := range 60 {
			m.passes(r.Float64() * 20)
			if r.IntN(3) > 0 {
				m.holds(fmt.Sprint("n", i), texts[r.IntN(len(texts))], []Status{Candidate, Tentative, Observed, Stated}[r.IntN(4)], func(o *Op) {
					b := o.Payload.Body
					b.Kind = []Kind{"", KindFact, KindPlan, KindEvent}[r.IntN(4)]
					b.Slot.Scope = []Scope{Private, "telegram:-5"}[r.IntN(2)]
					if r.IntN(3) == 0 {
						b.Expires = date(m.now.AddDate(0, 0, r.IntN(90)).Format(time.DateOnly))
					}
				})
			} else if len(m.state.notes) > 0 {
				m.propose(Proposal{Writer: ByPage, Do: verbs[r.IntN(len(verbs))], Note: m.state.notes[r.IntN(len(m.state.notes))].ID})
			}
			before, found := m.state, m.tidy(nil)
			m.repair(nil)
			for id, why := range found {
				done[why]++
				m.stillRight(before, before.Note(id), why)
			}
		}
	}
	for _, why := range []Reason{Expired, Unrepeated, Merged, Undecided} {
		if done[why] < 20 {
			t.Errorf("only %d went for %q", done[why], why)
		}
	}
}

// stillRight looks at one note after tidying, n being as it was before.
func (m *mind) stillRight(before *State, n *Note, why Reason) {
	m.t.Helper()
	if n.Status == Stated || n.Pinned && why != Expired && why != Merged {
		m.t.Errorf("%s: a note that is %s, pinned %v, is gone", why, n.Status, n.Pinned)
	}
	if why == Merged && !slices.ContainsFunc(m.state.notes, func(o *Note) bool {
		return o.Status.Live() && o.Slot.Scope == n.Slot.Scope && canon.Unaccented(o.Text) == canon.Unaccented(n.Text) && stronger(before.Note(o.ID), n) <= 0
	}) {
		m.t.Errorf("nothing stronger is left of %q", n.Text)
	}
	for _, o := range before.notes {
		if now := m.state.Note(o.ID); o.Status == Stated && now.Status != Stated {
			m.t.Errorf("what was stated is %s", now.Status)
		}
	}
}

func BenchmarkTidy(b *testing.B) {
	s := Fold(NewState(), history(10_000)...)
	for b.Loop() {
		Tidy(s, nil, noon.AddDate(1, 0, 0), time.UTC)
	}
}
