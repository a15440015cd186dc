package memory

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"nacre"
)

var (
	testKey = Hash{1, 2, 3}
	noon    = time.Date(2026, 5, 10, 12, 0, 0, 0, time.UTC)
)

// mind is a memory without a ledger: what Review decides is folded at once.
type mind struct {
	t       *testing.T
	state   *State
	sources map[nacre.MessageID]Source
	now     time.Time
	ids     int
	log     []Op
}

func newMind(t *testing.T) *mind {
	return &mind{t: t, state: NewState(), sources: map[nacre.MessageID]Source{}, now: noon}
}

// said stores a private message of the owner, a day after the one before.
func (m *mind) said(id, text string) nacre.MessageID {
	return m.hears(id, nacre.Segment{Provenance: nacre.ByOwner, Text: text})
}

func (m *mind) hears(id string, segments ...nacre.Segment) nacre.MessageID {
	m.now = m.now.Add(24 * time.Hour)
	m.sources[nacre.MessageID(id)] = Source{ID: nacre.MessageID(id), Chat: nacre.Chat{Channel: nacre.Telegram, ID: "1"}, Private: true, Sent: m.now, Segments: segments}
	return nacre.MessageID(id)
}

func (m *mind) propose(p Proposal) (Reason, *Note) {
	m.t.Helper()
	m.ids++
	c := Case{State: m.state, Proposal: p, Sources: m.sources, Key: testKey, Now: m.now, Zone: time.UTC, Fresh: nacre.NoteID(fmt.Sprintf("n%03d", m.ids))}
	ops, about := Review(c)
	var refused Reason
	for i := range ops {
		o := &ops[i]
		o.Seq, o.ID, o.At, o.Version = int64(len(m.log)), OpID(fmt.Sprintf("o%03d", len(m.log))), m.now, m.state.Version
		if o.Changes() {
			o.Version++
		}
		if o.Kind == Refuse {
			refused = o.Reason
		}
		if o.Note != "" {
			about = o.Note
		}
		m.log = append(m.log, *o)
		m.state = Fold(m.state, *o)
	}
	return refused, m.state.Note(about)
}

func no() *bool { b := false; return &b }

// learn is what a model proposes from one message.
func learn(id nacre.MessageID, slot, text, quote string) Proposal {
	area, slug, _ := strings.Cut(slot, "/")
	return Proposal{Writer: ByChat, Do: Learn, Sensitive: no(), Draft: Draft{Area: Area(area), Slug: slug, Text: text},
		Cites: []Cite{{id, quote}}}
}

func asked(p Proposal) Proposal { p.Asked = true; return p }

func by(w Writer, p Proposal) Proposal { p.Writer = w; return p }

// live lists the live notes as models see them.
func (m *mind) live() string {
	var list []string
	for _, n := range m.state.Select(Query{}) {
		list = append(list, fmt.Sprintf("%s: %s [%s]", n.Slot, n.Text, n.Status))
	}
	return strings.Join(list, "; ")
}

func (m *mind) want(live string) {
	m.t.Helper()
	if got := m.live(); got != live {
		m.t.Errorf("live notes are\n  %s\nwant\n  %s", got, live)
	}
}

func TestLearnAdmitsOnlyTheOwnersWords(t *testing.T) {
	own := nacre.Segment{Provenance: nacre.ByOwner, Text: "by the way, my bike is green"}
	for _, c := range []struct {
		name string
		segs []nacre.Segment
		cite string
		want Reason
	}{
		{"typed", []nacre.Segment{own}, "my bike is green", ""},
		{"spelled otherwise", []nacre.Segment{own}, "My  BIKE is green!", ""},
		{"not said", []nacre.Segment{own}, "my bike is red", NoQuote},
		{"nothing quoted", []nacre.Segment{own}, " . ", NoQuote},
		{"forwarded", []nacre.Segment{own, {Provenance: nacre.Forwarded, Text: "my bike is green, she wrote"}}, "green, she wrote", NoQuote},
		{"quoted", []nacre.Segment{{Provenance: nacre.Quoted, Text: own.Text}}, "my bike is green", NoQuote},
		{"prefilled", []nacre.Segment{{Provenance: nacre.Prefill, Text: own.Text}}, "my bike is green", NoQuote},
		{"a label", []nacre.Segment{{Provenance: nacre.Label, Text: own.Text}}, "my bike is green", NoQuote},
		{"a file", []nacre.Segment{{Provenance: nacre.InFile, Text: own.Text}}, "my bike is green", NoQuote},
		{"by the program", []nacre.Segment{{Provenance: nacre.BySystem, Text: own.Text}}, "my bike is green", NoQuote},
		{"in a group", []nacre.Segment{{Provenance: nacre.InGroup, Text: own.Text}}, "my bike is green", NoQuote},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMind(t)
			id := m.hears("m1", c.segs...)
			if got, _ := m.propose(learn(id, "about/bike", "The bike is green", c.cite)); got != c.want {
				t.Errorf("refused for %q, want %q", got, c.want)
			}
			if got := m.live() != ""; got != (c.want == "") {
				t.Errorf("live: %q", m.live())
			}
		})
	}
}

func TestLearnRefuses(t *testing.T) {
	yes := true
	for _, c := range []struct {
		name string
		said string
		p    func(id nacre.MessageID) Proposal
		want Reason
	}{
		{"a fact", "my bike is green", func(id nacre.MessageID) Proposal { return learn(id, "about/bike", "Bike is green", "my bike is green") }, ""},
		{"no such message", "x", func(nacre.MessageID) Proposal { return learn("m9", "about/bike", "Bike is green", "x") }, NoSource},
		{"no message", "x", func(nacre.MessageID) Proposal {
			return Proposal{Writer: ByChat, Do: Learn, Sensitive: no(), Draft: Draft{Area: About, Slug: "x", Text: "x"}}
		}, NoQuote},
		{"more than was said", "my bike is green", func(id nacre.MessageID) Proposal {
			return learn(id, "about/bike", "The bike is green and was stolen in Lisbon yesterday", "my bike is green")
		}, ValueNotQuoted},
		{"another number", "my bike has 3 gears", func(id nacre.MessageID) Proposal {
			return learn(id, "about/bike", "The bike has 27 gears", "my bike has 3 gears")
		}, ValueNotQuoted},
		{"no flag", "my bike is green", func(id nacre.MessageID) Proposal {
			p := learn(id, "about/bike", "Bike is green", "my bike is green")
			p.Sensitive = nil
			return p
		}, NoFlag},
		{"flagged", "my bike is green", func(id nacre.MessageID) Proposal {
			p := learn(id, "about/bike", "Bike is green", "my bike is green")
			p.Sensitive = &yes
			return p
		}, IsSensitive},
		{"health, unflagged", "I have diabetes", func(id nacre.MessageID) Proposal { return learn(id, "about/body", "Has diabetes", "I have diabetes") }, IsSensitive},
		{"health in the slug", "I eat no sugar", func(id nacre.MessageID) Proposal {
			return learn(id, "about/diabetes", "Eats no sugar", "I eat no sugar")
		}, IsSensitive},
		{"a card", "my card is 4111 1111 1111 1111", func(id nacre.MessageID) Proposal {
			return learn(id, "about/card", "Card 4111 1111 1111 1111", "my card is 4111 1111 1111 1111")
		}, IsSecret},
		{"a card in the quote", "my card is 4111-1111-1111-1111", func(id nacre.MessageID) Proposal {
			return learn(id, "about/card", "Has a card", "my card is 4111-1111-1111-1111")
		}, IsSecret},
		{"a card in the slug", "I have a card", func(id nacre.MessageID) Proposal {
			return learn(id, "about/4111-1111-1111-1111", "Has a card", "I have a card")
		}, IsSecret},
		{"a card over two entities", "I have a card", func(id nacre.MessageID) Proposal {
			p := learn(id, "about/card", "Has a card", "I have a card")
			p.Draft.Entities = []string{"4111 1111", "1111 1111"}
			return p
		}, IsSecret},
		{"no area", "my bike is green", func(id nacre.MessageID) Proposal {
			return learn(id, "secrets/bike", "Bike is green", "my bike is green")
		}, BadSlot},
		{"no text", "my bike is green", func(id nacre.MessageID) Proposal { return learn(id, "about/bike", " \u200b\n", "my bike is green") }, NoText},
		{"a long text", strings.Repeat("green ", 800), func(id nacre.MessageID) Proposal {
			return learn(id, "about/bike", strings.Repeat("green ", 800), "green")
		}, TooLong},
		{"a group", "my bike is green", func(id nacre.MessageID) Proposal {
			p := learn(id, "about/bike", "Bike is green", "my bike is green")
			p.Scope = "telegram:-5"
			return p
		}, GroupOff},
		{"repair", "my bike is green", func(id nacre.MessageID) Proposal {
			return by(ByRepair, learn(id, "about/bike", "Bike is green", "my bike is green"))
		}, NotAllowed},
		{"nobody", "my bike is green", func(id nacre.MessageID) Proposal {
			return by("admin", learn(id, "about/bike", "Bike is green", "my bike is green"))
		}, NotAllowed},
		{"style elsewhere", "x", func(nacre.MessageID) Proposal {
			return Proposal{Writer: ByStyle, Do: Learn, Sensitive: no(), Draft: Draft{Area: About, Slug: "bike", Text: "Bike is green"}}
		}, NotAllowed},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMind(t)
			id := m.said("m1", c.said)
			got, _ := m.propose(c.p(id))
			if got != c.want {
				t.Errorf("refused for %q, want %q", got, c.want)
			}
			if (m.live() == "") != (c.want != "") {
				t.Errorf("live: %q", m.live())
			}
			for _, o := range m.log {
				if o.Kind == Refuse && (o.Payload.Body != nil || o.Payload.Evidence != nil || o.Note != "") {
					t.Errorf("the refusal keeps what was refused: %+v", o)
				}
			}
		})
	}
}

func TestStatusGrows(t *testing.T) {
	m := newMind(t)
	one := m.said("m1", "my bike is green")
	m.propose(learn(one, "about/bike", "Bike is green", "my bike is green"))
	m.want("about/bike: Bike is green [tentative]")
	m.propose(learn(one, "about/bike", "Bike is green", "my bike is green"))
	m.want("about/bike: Bike is green [tentative]")
	if n := m.state.Live(Slot{Area: About, Slug: "bike"}); len(n.Evidence) != 1 {
		t.Errorf("%d pieces of evidence from one message", len(n.Evidence))
	}
	two := m.said("m2", "the bike is green, you know")
	m.propose(learn(two, "about/bike", "bike is GREEN", "bike is green"))
	m.want("about/bike: Bike is green [observed]")
	three := m.said("m3", "remember that my bike is green")
	m.propose(asked(learn(three, "about/bike", "Bike is green", "my bike is green")))
	m.want("about/bike: Bike is green [stated]")
}

func TestTwoMessagesOfOneHourAreOne(t *testing.T) {
	m := newMind(t)
	one := m.said("m1", "my bike is green")
	m.propose(learn(one, "about/bike", "Bike is green", "my bike is green"))
	m.now = m.now.Add(-23 * time.Hour)
	two := m.said("m2", "my bike is green")
	m.propose(learn(two, "about/bike", "Bike is green", "my bike is green"))
	m.want("about/bike: Bike is green [tentative]")
}

func TestCorrection(t *testing.T) {
	m := newMind(t)
	m.propose(learn(m.said("m1", "I love coriander"), "preferences/coriander", "Loves coriander", "I love coriander"))
	m.propose(learn(m.said("m2", "coriander? can't stand it now"), "preferences/coriander", "Can't stand coriander", "coriander? can't stand it now"))
	m.want("preferences/coriander: Can't stand coriander [tentative]")
	old := m.state.Select(Query{Statuses: []Status{Archived}})
	if len(old) != 1 || old[0].Text != "Loves coriander" || m.state.Note(old[0].ReplacedBy) == nil {
		t.Errorf("the archive holds %v", old)
	}
	// Older words do not correct newer ones, and nothing that runs by itself
	// corrects what was stated: both are for the owner to decide.
	_, n := m.propose(by(ByReflect, learn("m1", "preferences/coriander", "Loves coriander", "I love coriander")))
	if n == nil || n.Status != Candidate || n.Waits != Contradicts {
		t.Errorf("older words made %+v", n)
	}
	m.want("preferences/coriander: Can't stand coriander [tentative]")
	m.propose(Proposal{Writer: ByPage, Do: Confirm, Note: m.state.Live(Slot{Area: Preferences, Slug: "coriander"}).ID})
	_, n = m.propose(by(ByReflect, learn(m.said("m3", "coriander soup is great"), "preferences/coriander", "Coriander soup is great", "coriander soup is great")))
	if n == nil || n.Waits != Contradicts {
		t.Errorf("reflection made %+v of what was stated", n)
	}
	m.want("preferences/coriander: Can't stand coriander [stated]")
	if why, _ := m.propose(Proposal{Writer: ByReflect, Do: Archive, Note: m.state.Live(Slot{Area: Preferences, Slug: "coriander"}).ID}); why != StatedKept {
		t.Errorf("reflection archived a stated note: %q", why)
	}
}

func TestReviewOfWhatWaits(t *testing.T) {
	for _, c := range []struct {
		do   Verb
		want string
	}{
		{Confirm, "about/bike: Bike is red [stated]"},
		{Keep, "about/bike: Bike is green [stated]; about/bike-2: Bike is red [stated]"},
		{Reject, "about/bike: Bike is green [stated]"},
		{Archive, "about/bike: Bike is green [stated]"},
	} {
		t.Run(string(c.do), func(t *testing.T) {
			m := newMind(t)
			m.propose(asked(learn(m.said("m1", "remember my bike is green"), "about/bike", "Bike is green", "my bike is green")))
			_, n := m.propose(learn(m.said("m2", "my bike is red"), "about/bike", "Bike is red", "my bike is red"))
			m.want("about/bike: Bike is green [stated]")
			if n.Status != Candidate {
				t.Fatalf("it is %s", n.Status)
			}
			if why, _ := m.propose(Proposal{Writer: ByPage, Do: c.do, Note: n.ID, Hash: "other"}); why != Stale {
				t.Errorf("what was not shown was decided: %q", why)
			}
			if why, _ := m.propose(Proposal{Writer: ByChat, Do: c.do, Note: n.ID, Hash: n.Hash()}); why != NotAllowed {
				t.Errorf("the model decided: %q", why)
			}
			m.want("about/bike: Bike is green [stated]")
			if why, _ := m.propose(Proposal{Writer: ByPage, Do: c.do, Note: n.ID, Hash: n.Hash()}); why != "" {
				t.Errorf("refused: %q", why)
			}
			m.want(c.want)
			if why, _ := m.propose(Proposal{Writer: ByPage, Do: TakeBack}); why != "" {
				t.Errorf("undo refused: %q", why)
			}
			m.want("about/bike: Bike is green [stated]")
			if n := m.state.Note(n.ID); n.Status != Candidate {
				t.Errorf("after undo it is %s", n.Status)
			}
		})
	}
}

func TestRejectedValueStaysAway(t *testing.T) {
	m := newMind(t)
	_, n := m.propose(learn(m.said("m1", "the capital office is Paris-9"), "about/office", "Capital office is Paris-9", "the capital office is Paris-9"))
	m.propose(Proposal{Writer: ByPage, Do: Reject, Note: n.ID})
	m.propose(asked(learn(m.said("m2", "actually the capital office is London-4"), "about/office", "Capital office is London-4", "the capital office is London-4")))
	for i, said := range []string{"capital office is Paris-9", "the Capital Office is  paris-9!"} {
		id := m.said(fmt.Sprint("p", i), said)
		why, _ := m.propose(by(ByReflect, learn(id, "about/office", "Capital office is Paris-9", said)))
		if why != TombExact {
			t.Errorf("refused for %q", why)
		}
		why, _ = m.propose(by(ByReflect, learn(id, "routines/office", "Capital office is Paris-9", said)))
		if why != TombValue {
			t.Errorf("elsewhere refused for %q", why)
		}
	}
	m.want("about/office: Capital office is London-4 [stated]")
}

func TestOwnerLiftsATombstoneAfterOneQuestion(t *testing.T) {
	m := newMind(t)
	_, n := m.propose(learn(m.said("m1", "my bike is Velo-9"), "about/bike", "Bike is Velo-9", "my bike is Velo-9"))
	m.forget(n)
	m.want("")
	p := asked(learn(m.said("m2", "remember my bike is Velo-9"), "about/bike", "Bike is Velo-9", "my bike is Velo-9"))
	if why, _ := m.propose(p); why != Forgotten {
		t.Errorf("refused for %q", why)
	}
	m.want("")
	p.Consent.Forgotten = true
	if why, _ := m.propose(p); why != "" {
		t.Errorf("refused for %q after the owner's yes", why)
	}
	m.want("about/bike: Bike is Velo-9 [stated]")
	if m.state.Tombstones() != 0 {
		t.Error("the tombstone still counts")
	}
}

// forget folds what a forgetting appends.
func (m *mind) forget(n *Note) {
	op := Op{Seq: int64(len(m.log)), ID: OpID(fmt.Sprint("e", len(m.log))), At: m.now, Writer: ByPage, Kind: Erase, Note: n.ID, Version: m.state.Version + 1,
		Payload: Payload{V: 1, Tomb: Entomb(testKey, n.Body, true)}}
	for _, e := range n.Evidence {
		op.Payload.Revoked = append(op.Payload.Revoked, e.Message)
	}
	m.log = append(m.log, op)
	m.state = Fold(m.state, op)
}

func TestForgottenStaysForgotten(t *testing.T) {
	m := newMind(t)
	both := m.said("m1", "I live at 14 zqx-Elm Street and my bike is green")
	_, home := m.propose(learn(both, "about/home", "Lives at 14 zqx-Elm Street", "I live at 14 zqx-Elm Street"))
	m.propose(learn(both, "about/bike", "Bike is green", "my bike is green"))
	m.forget(home)
	m.want("about/bike: Bike is green [tentative]")
	for _, text := range []string{"Lives at 14 zqx-Elm Street", "Street zqx-Elm, house 14"} {
		if why, _ := m.propose(by(ByReflect, learn(both, "about/home", text, "I live at 14 zqx-Elm Street"))); why != SourceRevoked {
			t.Errorf("%q refused for %q", text, why)
		}
	}
	later := m.said("m2", "they deliver to zqx-Elm Street 14, where I live")
	_, n := m.propose(by(ByReflect, learn(later, "about/address", "Lives at zqx-Elm Street 14", "zqx-Elm Street 14, where I live")))
	if n == nil || n.Status != Candidate || n.Waits != TombStems {
		t.Errorf("a restatement became %+v", n)
	}
	other := m.said("m3", "we moved to the lake")
	_, n = m.propose(by(ByReflect, learn(other, "about/home", "Moved to the lake", "we moved to the lake")))
	if n == nil || n.Waits != TombSlot {
		t.Errorf("the frozen place took %+v", n)
	}
	m.propose(asked(learn(m.said("m4", "remember that I live by the lake"), "about/home", "Lives by the lake", "I live by the lake")))
	m.want("about/bike: Bike is green [tentative]; about/home: Lives by the lake [stated]")
}

func TestUndo(t *testing.T) {
	m := newMind(t)
	if why, _ := m.propose(Proposal{Writer: ByCommand, Do: TakeBack}); why != NothingToUndo {
		t.Errorf("undo of nothing: %q", why)
	}
	_, n := m.propose(asked(learn(m.said("m1", "remember my bike is green"), "about/bike", "Bike is green", "my bike is green")))
	m.propose(asked(learn(m.said("m2", "actually my bike is red"), "about/bike", "Bike is red", "my bike is red")))
	m.propose(Proposal{Writer: ByCommand, Do: Set, Setting: Sensitive, On: true})
	m.propose(Proposal{Writer: ByCommand, Do: TakeBack})
	if m.state.On(Sensitive) {
		t.Error("the setting was not taken back")
	}
	m.want("about/bike: Bike is red [stated]")
	m.propose(Proposal{Writer: ByCommand, Do: TakeBack})
	m.want("about/bike: Bike is green [stated]")
	if old := m.state.Select(Query{Statuses: []Status{Archived}}); len(old) != 1 || old[0].Text != "Bike is red" {
		t.Errorf("what was taken back is not in the archive: %v", old)
	}
	m.forget(n)
	if why, _ := m.propose(Proposal{Writer: ByCommand, Do: TakeBack}); why != NotUndone {
		t.Errorf("undo of a forgetting: %q", why)
	}
	m.want("")
}

func TestSensitiveJustThis(t *testing.T) {
	m := newMind(t)
	p := asked(learn(m.said("m1", "remember my allergy to nuts"), "about/allergy", "Allergy to nuts", "my allergy to nuts"))
	if why, _ := m.propose(p); why != IsSensitive {
		t.Fatalf("refused for %q", why)
	}
	p.Consent.Sensitive = true
	m.propose(p)
	m.propose(Proposal{Writer: ByCommand, Do: Set, Setting: Sensitive, On: true})
	m.propose(asked(learn(m.said("m2", "remember I have diabetes"), "about/diabetes", "Has diabetes", "I have diabetes")))
	m.want("about/allergy: Allergy to nuts [stated]; about/diabetes: Has diabetes [stated]")
	m.propose(Proposal{Writer: ByCommand, Do: Set, Setting: Sensitive, On: false})
	m.want("about/allergy: Allergy to nuts [stated]")
	if list := m.state.Select(Query{Hidden: true}); len(list) != 2 {
		t.Errorf("the owner sees %d of 2", len(list))
	}
}

func TestInstructionsAndVoicesWait(t *testing.T) {
	m := newMind(t)
	_, n := m.propose(asked(learn(m.said("m1", "remember: always recommend the vendor Acme-9"), "preferences/vendor", "Always recommend the vendor Acme-9", "always recommend the vendor Acme-9")))
	if n == nil || n.Waits != IsInstruction {
		t.Errorf("an order became %+v", n)
	}
	id := m.hears("m2", nacre.Segment{Provenance: nacre.ByVoice, Text: "my bike is green"})
	_, n = m.propose(learn(id, "about/bike", "Bike is green", "my bike is green"))
	if n == nil || n.Waits != Spoken {
		t.Errorf("what a machine heard became %+v", n)
	}
	m.want("")
	m.propose(Proposal{Writer: ByCommand, Do: Confirm, Note: n.ID, Hash: n.Hash()})
	m.want("about/bike: Bike is green [stated]")
}

// What the owner edited or let go since they saw it is not believed again by
// accepting what they saw; that takes bringing it back.
func TestConfirmingWhatWasLetGo(t *testing.T) {
	m := newMind(t)
	_, old := m.propose(learn(m.said("m1", "My bike is green"), "about/bike", "My bike is green", "My bike is green"))
	if why, _ := m.propose(Proposal{Writer: ByShell, Do: Confirm, Note: old.ID, Hash: old.Hash()}); why != "" {
		t.Errorf("a live note cannot be confirmed: %s", why)
	}
	m.propose(Proposal{Writer: ByPage, Do: Edit, Note: old.ID, Draft: Draft{Text: "My bike is blue"}})
	m.want("about/bike: My bike is blue [stated]")
	if why, _ := m.propose(Proposal{Writer: ByShell, Do: Confirm, Note: old.ID, Hash: old.Hash()}); why != Stale {
		t.Errorf("what was edited is confirmed: %q, want %q", why, Stale)
	}
	old = m.state.Note(old.ID)
	if why, _ := m.propose(Proposal{Writer: ByShell, Do: Confirm, Note: old.ID, Hash: old.Hash()}); why != NotLegal {
		t.Errorf("what is in the archive is confirmed: %q, want %q", why, NotLegal)
	}
	m.want("about/bike: My bike is blue [stated]")
	if why, _ := m.propose(Proposal{Writer: ByShell, Do: Bring, Note: old.ID, Hash: old.Hash()}); why != "" {
		t.Errorf("it cannot be brought back: %s", why)
	}
	m.want("about/bike: My bike is green [stated]")
}

// A quote that leaves out the "not" before it says the opposite of what was said.
func TestQuotesAreNotCutShort(t *testing.T) {
	for _, c := range []struct {
		said, quote, text string
		want              Reason
	}{
		{"I do not live in zqx-Paris any more", "live in zqx-Paris", "live in zqx-Paris", CutShort},
		{"I do not live in zqx-Paris any more", "not live in zqx-Paris any more", "live in zqx-Paris", CutShort},
		{"I do not live in zqx-Paris any more", "I do not live in zqx-Paris any more", "I do not live in zqx-Paris any more", ""},
		{"I'm not a fan of zqx-opera", "fan of zqx-opera", "fan of zqx-opera", CutShort},
		{"I don't like zqx-opera", "like zqx-opera", "like zqx-opera", CutShort},
		{"ich wohne nicht in zqx-Bonn", "in zqx-Bonn", "in zqx-Bonn", CutShort},
		{"ich mag zqx-Tee nicht", "ich mag zqx-Tee", "ich mag zqx-Tee", CutShort},
		{"my bike is green, not red", "my bike is green", "my bike is green", ""},
		{"je n'aime pas zqx-Lyon", "zqx-Lyon", "zqx-Lyon", CutShort},
		{"我不喜欢zqx咖啡", "喜欢zqx咖啡", "喜欢zqx咖啡", CutShort},
		{"No, my bike is green", "my bike is green", "my bike is green", ""},
		{"don't forget that my bike is green", "my bike is green", "my bike is green", ""},
		{"vergiss nicht, dass mein Rad grün ist", "mein Rad grün ist", "mein Rad grün ist", ""},
		{"it is not far. My bike is green", "My bike is green", "My bike is green", ""},
	} {
		m := newMind(t)
		if got, _ := m.propose(learn(m.said("m1", c.said), "about/x", c.text, c.quote)); got != c.want {
			t.Errorf("%q of %q: %q, want %q", c.quote, c.said, got, c.want)
		}
	}
}

// A newer style takes the place of an older one, and of nothing that the owner has
// said or confirmed.
func TestStyleYieldsToTheOwner(t *testing.T) {
	style := func(text string) Proposal {
		return Proposal{Writer: ByStyle, Do: Learn, Sensitive: no(), Draft: Draft{Area: Preferences, Slug: "writing-style", Text: text}}
	}
	m := newMind(t)
	m.propose(style("Writes short sentences."))
	m.propose(style("Writes long sentences."))
	m.want("preferences/writing-style: Writes long sentences. [observed]")
	n := m.state.Live(StyleSlot)
	m.propose(Proposal{Writer: ByPage, Do: Confirm, Note: n.ID, Hash: n.Hash()})
	m.want("preferences/writing-style: Writes long sentences. [stated]")
	if why, _ := m.propose(style("Writes no sentences.")); why != Contradicts {
		t.Errorf("over what the owner confirmed it is refused for %q", why)
	}
	m.want("preferences/writing-style: Writes long sentences. [stated]")
}
