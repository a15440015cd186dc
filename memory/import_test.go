package memory

import (
	"strings"
	"testing"
	"time"

	"nacre"
)

// saidElsewhere stores what the owner said to another assistant.
func (m *mind) saidElsewhere(id string, segments ...nacre.Segment) nacre.MessageID {
	m.hears(id, segments...)
	s := m.sources[nacre.MessageID(id)]
	s.Chat = nacre.Chat{Channel: nacre.Elsewhere, ID: "ann/chatgpt/x"}
	s.Sent = time.Date(2024, 3, 1, 9, 0, 0, 0, time.UTC)
	s.Received = s.Sent
	m.sources[s.ID] = s
	return s.ID
}

func imported(text string) nacre.Segment {
	return nacre.Segment{Provenance: nacre.Imported, Text: text}
}

// brings is what an import proposes.
func brings(slot, text string, cites ...Cite) Proposal {
	p := learn("", slot, text, "")
	p.Writer, p.Cites = ByImport, cites
	return p
}

func TestWhatMayRestOnWordsSaidElsewhere(t *testing.T) {
	const said = "by the way, my bike is green"
	for _, c := range []struct {
		name   string
		writer Writer
		away   bool
		segs   []nacre.Segment
		want   Reason
	}{
		{"an import on what was said elsewhere", ByImport, true, []nacre.Segment{imported(said)}, ""},
		{"an import on what the other assistant said", ByImport, true, []nacre.Segment{{Provenance: nacre.Forwarded, Text: said}}, NoQuote},
		{"an import on what was said here", ByImport, false, []nacre.Segment{{Provenance: nacre.ByOwner, Text: said}}, NoQuote},
		{"an import on such words, not elsewhere", ByImport, false, []nacre.Segment{imported(said)}, NoQuote},
		{"an import on words that are not there", ByImport, true, []nacre.Segment{imported("my bike is red")}, NoQuote},
		{"the chat model", ByChat, true, []nacre.Segment{imported(said)}, NoQuote},
		{"the chat model on typed words, elsewhere", ByChat, true, []nacre.Segment{{Provenance: nacre.ByOwner, Text: said}}, NoQuote},
		{"the chat model on what was said here", ByChat, false, []nacre.Segment{{Provenance: nacre.ByOwner, Text: said}}, ""},
		{"reflection", ByReflect, true, []nacre.Segment{imported(said)}, NoQuote},
		{"reflection on what was said here", ByReflect, false, []nacre.Segment{{Provenance: nacre.ByOwner, Text: said}}, ""},
		{"a command", ByCommand, true, []nacre.Segment{imported(said)}, NoQuote},
		{"a backup", ByRestore, true, []nacre.Segment{imported(said)}, NoQuote},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMind(t)
			id := m.hears("a", c.segs...)
			if c.away {
				id = m.saidElsewhere("a", c.segs...)
			}
			why, n := m.propose(by(c.writer, learn(id, "about/bike", "The bike is green", "my bike is green")))
			if why != c.want || (n != nil) != (why == "") || n != nil && len(n.Evidence) != 1 {
				t.Errorf("refused %q, want %q; note %+v", why, c.want, n)
			}
		})
	}
}

func TestImportedWordsAreShownAndCountForNothing(t *testing.T) {
	m := newMind(t)
	at := m.saidElsewhere("e", imported("My sister Anna lives in Bern."))
	why, n := m.propose(brings("people/anna", "Anna, a sister, lives in Bern", Cite{at, "My sister Anna lives in Bern."}))
	if why != "" || n.Status != Stated || n.Origin != FromImport || len(n.Evidence) != 1 || n.Evidence[0].Quote(m.sources[at]) != "My sister Anna lives in Bern" {
		t.Errorf("refused %q: %+v", why, n)
	}
	if why, n = m.propose(brings("people/tom", "Tom is a brother who plays chess", Cite{at, "My sister Anna lives in Bern."})); why != "" || n == nil || len(n.Evidence) != 0 {
		t.Errorf("a note that says more than its words is refused for %q: %+v", why, n)
	}

	// What was learned here is not better founded by it.
	_, n = m.propose(learn(m.said("a", "my bike is green"), "about/bike", "The bike is green", "my bike is green"))
	ops := len(m.log)
	again := m.saidElsewhere("f", imported("my bike is green"))
	why, same := m.propose(brings("about/bike", "The bike is green", Cite{again, "my bike is green"}))
	if why != "" || same.ID != n.ID || same.Status != Tentative || len(same.Evidence) != 1 || len(m.log) != ops {
		t.Errorf("imported again: refused %q, %+v, %d ops", why, same, len(m.log)-ops)
	}
	if why, _ := m.propose(brings("about/bike", "The bike is red", Cite{m.saidElsewhere("g", imported("my bike is red")), "my bike is red"})); why != Contradicts {
		t.Errorf("what contradicts it is refused for %q", why)
	}
	_, same = m.propose(learn(m.said("b", "as I said, my bike is green"), "about/bike", "The bike is green", "my bike is green"))
	if same.Status != Observed {
		t.Errorf("said again here it is %s", same.Status)
	}
}

func TestImportWhileSavingIsOff(t *testing.T) {
	m := newMind(t)
	m.propose(Proposal{Writer: ByPage, Do: Set, Setting: Saving})
	m.now = m.now.Add(time.Hour)
	at := m.hears("e", imported("My sister Anna lives in Bern."))
	s := m.sources[at]
	s.Chat.Channel, s.Received = nacre.Elsewhere, m.now
	m.sources[at] = s
	if why, n := m.propose(brings("people/anna", "Anna, a sister, lives in Bern", Cite{at, "My sister Anna lives in Bern."})); why != "" || len(n.Evidence) != 1 {
		t.Errorf("refused for %q: %+v", why, n)
	}
	if why, _ := m.propose(learn(m.said("a", "my bike is green"), "about/bike", "The bike is green", "my bike is green")); why != Paused {
		t.Errorf("what is said meanwhile is refused for %q", why)
	}
}

func TestImportIsPinnedAtOnce(t *testing.T) {
	top := func(p Proposal) Proposal { p.Draft.Pinned = true; return p }
	m := newMind(t)
	_, n := m.propose(top(brings("about/bike", "The bike is green")))
	if n == nil || !n.Pinned || n.PinnedBy != ByImport || n.Held {
		t.Fatalf("it is %+v", n)
	}
	if _, n := m.propose(brings("about/boat", "The boat is blue")); n.Pinned {
		t.Error("what was not at the top is pinned")
	}
	if _, n := m.propose(top(by(ByPage, brings("about/car", "The car is red")))); n.Pinned {
		t.Error("another writer pinned")
	}
	m.propose(Proposal{Writer: ByPage, Do: Set, Setting: Sensitive, On: true})
	sensitive := top(brings("about/doctor", "I have diabetes"))
	if why, n := m.propose(sensitive); why != "" || n.Topic == "" || n.Pinned {
		t.Errorf("a sensitive note: refused %q, %+v", why, n)
	}
	ops := len(m.log)
	if _, n := m.propose(top(brings("about/boat", "The boat is blue"))); n.Pinned || len(m.log) != ops {
		t.Error("a note that is there already is pinned")
	}
}

func TestImportIsKnownTheSecondTime(t *testing.T) {
	m := newMind(t)
	list := []Proposal{brings("about/bike", "The bike is green"), brings("about/boat", "The boat is blue"), brings("about/car", "The car is red"), brings("people/anna", "Anna lives in Bern")}
	list[0].Draft.Pinned = true
	notes := map[string]*Note{}
	for _, p := range list {
		_, n := m.propose(p)
		notes[p.Draft.Slug] = n
	}
	m.propose(Proposal{Writer: ByPage, Do: Archive, Note: notes["boat"].ID})
	m.propose(Proposal{Writer: ByPage, Do: Edit, Note: notes["car"].ID, Draft: Draft{Text: "The car is sold"}})
	m.propose(Proposal{Writer: ByPage, Do: UnpinNote, Note: notes["bike"].ID})
	ops := len(m.log)
	for _, p := range list {
		if why, n := m.propose(p); why != "" || n.ID != notes[p.Draft.Slug].ID {
			t.Errorf("%s: refused %q, %+v", p.Draft.Slug, why, n)
		}
	}
	if len(m.log) != ops {
		t.Errorf("the second import made %+v", m.log[ops:])
	}
	m.want("about/bike: The bike is green [stated]; people/anna: Anna lives in Bern [stated]; about/car: The car is sold [stated]")
	if why, _ := m.propose(brings("about/plane", "The plane is white")); why != "" || !strings.Contains(m.live(), "plane") {
		t.Errorf("something new: refused %q", why)
	}
}
