package memory

import (
	"strings"
	"testing"
	"time"

	"nacre"
)

// Words that came while nothing was to be remembered support nothing that a model
// wants by itself, also later, but what the owner asks for.
func TestWhatWasSaidWhileSavingWasOff(t *testing.T) {
	m := newMind(t)
	hears := func(id, text string) nacre.MessageID {
		m.said(id, text)
		s := m.sources[nacre.MessageID(id)]
		s.Received, s.Sent = m.now, m.now.Add(-72*time.Hour) // by a phone that was offline
		m.sources[s.ID] = s
		return s.ID
	}
	saving := func(on bool) {
		m.passes(1)
		m.propose(Proposal{Writer: ByPage, Do: Set, Setting: Saving, On: on})
		m.passes(1)
	}
	before := hears("before", "my bike is green")
	saving(false)
	during := hears("during", "my boat is red")
	bike, boat := learn(before, "about/bike", "Bike is green", "my bike is green"), learn(during, "about/boat", "Boat is red", "my boat is red")
	for _, p := range []Proposal{by(ByReflect, bike), by(ByReflect, boat)} {
		if why, _ := m.propose(p); why != Paused {
			t.Errorf("while it is off: %q", why)
		}
	}
	saving(true)
	after := hears("after", "my car is blue")
	for _, c := range []struct {
		name string
		p    Proposal
		want Reason
	}{
		{"said before", by(ByReflect, bike), ""},
		{"said meanwhile", by(ByReflect, boat), Paused},
		{"said meanwhile, and cited with others", by(ByReflect, Proposal{Do: Learn, Sensitive: no(), Draft: boat.Draft, Cites: append(bike.Cites, boat.Cites...)}), Paused},
		{"said meanwhile, as reflection has it asked for", by(ByReflect, asked(boat)), Paused},
		{"said meanwhile, saved by the chat model", boat, Paused},
		{"said after", by(ByReflect, learn(after, "about/car", "Car is blue", "my car is blue")), ""},
		{"said meanwhile, asked for now", asked(boat), ""},
	} {
		if why, _ := m.propose(c.p); why != c.want {
			t.Errorf("%s: %q, want %q", c.name, why, c.want)
		}
	}
}

func TestWhatWasSaidBeforeAGroupHadAMemory(t *testing.T) {
	m := newMind(t)
	const scope = Scope("telegram:-5")
	hears := func(id, text string) Proposal {
		m.hears(id, nacre.Segment{Provenance: nacre.InGroup, Text: text})
		s := m.sources[nacre.MessageID(id)]
		s.Private, s.Chat, s.Received = false, nacre.Chat{Channel: nacre.Telegram, ID: "-5"}, m.now
		m.sources[s.ID] = s
		p := by(ByReflect, learn(s.ID, "about/"+id, text, text))
		p.Scope = scope
		return p
	}
	early := hears("early", "we play on Mondays")
	m.passes(1)
	m.propose(Proposal{Writer: ByCommand, Do: Set, Setting: GroupSetting(scope), On: true})
	late := hears("late", "we sing on Tuesdays")
	if why, _ := m.propose(early); why != GroupOff {
		t.Errorf("said before: %q", why)
	}
	if why, _ := m.propose(late); why != "" {
		t.Errorf("said after: %q", why)
	}
}

func TestSettingsOfThePast(t *testing.T) {
	m := newMind(t)
	at := map[string]time.Time{}
	note := func(name string) { m.passes(1); at[name] = m.now; m.passes(1) }
	set := func(on bool) { m.propose(Proposal{Writer: ByPage, Do: Set, Setting: Saving, On: on}) }
	note("at first")
	set(false)
	at["at that moment"] = m.now
	note("off")
	m.propose(Proposal{Writer: ByPage, Do: TakeBack})
	note("taken back")
	set(false)
	note("off again")
	m.holds("bike", "Bike is green", Stated)
	set(true)
	note("on")
	m.propose(Proposal{Writer: ByPage, Do: Set, Setting: Sensitive, On: true})
	note("another setting")
	for name, want := range map[string]bool{"at first": true, "at that moment": false, "off": false, "taken back": true, "off again": false, "on": true, "another setting": true} {
		if got := m.state.SavedAt(at[name]); got != want {
			t.Errorf("%s it is %v", name, got)
		}
	}
	if m.state.OnAt(Sensitive, at["on"]) || !m.state.OnAt(Sensitive, at["another setting"]) {
		t.Error("a setting that is off at first is not")
	}
	m.folds(Op{Writer: ByPage, Kind: Erase, Reason: Everything})
	for name, moment := range at {
		if !m.state.SavedAt(moment) {
			t.Errorf("%s: of an erased setting something is left", name)
		}
	}
}

func TestPlans(t *testing.T) {
	lisbon, err := time.LoadLocation("Europe/Lisbon")
	if err != nil {
		t.Fatal(err)
	}
	m := newMind(t)
	at := func(event string) func(*Body) { return func(b *Body) { b.Event = date(event) } }
	for slug, change := range map[string][]func(*Body){
		"today": {at("2026-05-10")}, "tomorrow": {at("2026-05-11")}, "yesterday": {at("2026-05-09")}, "in-two-days": {at("2026-05-12")},
		"this-morning": {at("2026-05-10T07:00")}, "tonight": {at("2026-05-10T20:00")}, "in-a-day": {at("2026-05-11T21:30")}, "in-more": {at("2026-05-11T21:31")},
		"this-month": {at("2026-05")}, "this-year": {at("2026")}, "some-day": nil,
		"event": {at("2026-05-10"), func(b *Body) { b.Kind = KindEvent }}, "fact": {at("2026-05-10"), func(b *Body) { b.Kind = KindFact }},
		"sensitive": {at("2026-05-10"), func(b *Body) { b.Topic, b.Allowed = Unnamed, true }},
		"group":     {at("2026-05-10"), func(b *Body) { b.Slot.Scope = "telegram:-5" }},
		"expired":   {at("2026-05-10"), func(b *Body) { b.Expires = date("2026-05-09") }},
	} {
		m.holds(slug, slug, Observed, func(o *Op) {
			o.Payload.Body.Kind = KindPlan
			for _, c := range change {
				c(o.Payload.Body)
			}
		})
	}
	m.holds("waiting", "waiting", Candidate, func(o *Op) { o.Payload.Body.Kind, o.Payload.Body.Event = KindPlan, date("2026-05-10") })
	now := time.Date(2026, 5, 10, 21, 30, 0, 0, time.UTC) // half past ten in the evening in Lisbon
	got := map[string]bool{}
	for _, n := range Plans(m.state, now, lisbon) {
		got[n.Slot.Slug] = true
	}
	for _, slug := range strings.Fields("today tomorrow this-morning tonight in-a-day event") {
		if !got[slug] {
			t.Errorf("%s is not among them", slug)
		}
		delete(got, slug)
	}
	if len(got) > 0 {
		t.Errorf("these are, too: %v", got)
	}
}
