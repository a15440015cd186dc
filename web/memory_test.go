package web

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/memory"
)

// echoMemory gives back what it is asked, and by whose hand.
type echoMemory struct {
	Memory
	hand Hand
	err  error
}

func (m echoMemory) note(id string) Note {
	return Note{ID: nacre.NoteID(id), Path: "about/bike", Text: string(m.hand.By) + " of " + string(m.hand.Owner), Entities: []string{"<b>"}, Hits: 2}
}

func (m echoMemory) Notes(_ context.Context, q NoteQuery) (Listing, error) {
	return Listing{Version: 7, Folder: q.AsOf + q.KnownAt, Notes: []Note{m.note(string(q.Which) + string(q.Area))}}, m.err
}

func (m echoMemory) Note(_ context.Context, n NoteName) (Sheet, error) {
	return Sheet{Note: m.note(n.Name), Said: []Quote{{Text: string(n.Which), Sent: time.UnixMilli(5).UTC()}}}, m.err
}

func (m echoMemory) Log(_ context.Context, q LogQuery) ([]Entry, error) {
	return []Entry{{Leaf: 3, Note: nacre.NoteID(q.Name), On: q.Refusals, Writer: m.hand.By}}, m.err
}

func (m echoMemory) Propose(_ context.Context, c Change) (Outcome, error) {
	n := m.note(string(c.Note) + c.Hash + c.Path + c.Text)
	return Outcome{Note: &n, Refused: memory.Reason(c.Do), Same: c.Sensitive && c.Forgotten && c.On}, m.err
}

func (m echoMemory) Plan(_ context.Context, f Forgetting) (Plan, error) {
	return Plan{Base: 9, Size: f.Size, Notes: []Note{m.note(string(f.Note))}, Counts: map[string]int{f.Words: 1}}, m.err
}

func (m echoMemory) Forget(_ context.Context, f Forgetting) (memory.Receipt, error) {
	return memory.Receipt{Size: f.Size, Done: map[string]int{f.Words: int(f.Base)}, Outside: []string{string(m.hand.By)}}, m.err
}

func (m echoMemory) Verify(_ context.Context, c Check) (Verification, error) {
	return Verification{OK: c.Sign, Findings: c.Checkpoints}, m.err
}

func (m echoMemory) Rebuild(context.Context) (Rebuilt, error) {
	return Rebuilt{Version: 4, Edits: string(m.hand.By)}, m.err
}

func (m echoMemory) Export(context.Context) (string, error) {
	return "# by " + string(m.hand.By), m.err
}

// failingDesk has a memory that fails with err.
type failingDesk struct {
	plainDesk
	err error
}

func (d failingDesk) Memory(h Hand) Memory { return echoMemory{hand: h, err: d.err} }

// Every method of Memory gives the same over the socket as without it.
func TestMemoryOverTheSocket(t *testing.T) {
	remote := serveControl(t, plainDesk{}).Memory(Hand{By: memory.ByShell})
	local := plainDesk{}.Memory(Hand{By: memory.ByShell})
	for name, ask := range map[string]func(Memory) (any, error){
		"notes": func(m Memory) (any, error) {
			return m.Notes(t.Context(), NoteQuery{Which: ArchivedNotes, Area: memory.People, AsOf: "2026-05", KnownAt: "2026"})
		},
		"note": func(m Memory) (any, error) { return m.Note(t.Context(), NoteName{"about/bike", WaitingNotes}) },
		"log":  func(m Memory) (any, error) { return m.Log(t.Context(), LogQuery{"n1", true}) },
		"plan": func(m Memory) (any, error) {
			return m.Plan(t.Context(), Forgetting{Size: memory.SizeAbout, Words: "bike"})
		},
		"forget": func(m Memory) (any, error) {
			return m.Forget(t.Context(), Forgetting{memory.SizeSaid, "n1", "bike", 12, true})
		},
		"verify": func(m Memory) (any, error) { return m.Verify(t.Context(), Check{[]string{"line\nline\n"}, true}) },
		"propose": func(m Memory) (any, error) {
			return m.Propose(t.Context(), Change{Do: memory.Edit, Note: "n1", Hash: "h", Path: "p", Text: "ü", Sensitive: true, Forgotten: true, On: true})
		},
		"rebuild": func(m Memory) (any, error) { return m.Rebuild(t.Context()) },
		"export":  func(m Memory) (any, error) { return m.Export(t.Context()) },
	} {
		t.Run(name, func(t *testing.T) {
			want, err := ask(local)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := ask(remote); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("over the socket %+v, %v, want %+v", got, err, want)
			}
		})
	}
}

func TestMemoryErrorsKeepTheirKinds(t *testing.T) {
	for _, kind := range []nacre.Kind{nacre.Invalid, nacre.Denied, nacre.NotFound, nacre.Conflict, nacre.Transient} {
		m := serveControl(t, failingDesk{err: nacre.Errorf(kind, "a sentence")}).Memory(Hand{By: memory.ByShell})
		_, err := m.Forget(t.Context(), Forgetting{})
		if nacre.KindOf(err) != kind || err.Error() != "a sentence" {
			t.Errorf("Forget = %v (%v), want the sentence (%v)", err, nacre.KindOf(err), kind)
		}
	}
	_, err := serveControl(t, failingDesk{err: context.DeadlineExceeded}).Memory(Hand{By: memory.ByShell}).Export(t.Context())
	if nacre.KindOf(err) != nacre.Internal || strings.Contains(err.Error(), "deadline") {
		t.Errorf("Export = %v, want an Internal error without its cause", err)
	}
}

// Who may ask is decided by the way in, and so is whose hand it was: nothing in
// a request says so.
func TestMemoryOnThePage(t *testing.T) {
	s := newStreet(t, nil)
	operator, stranger := "Cookie: nacre="+s.session(ann), "Cookie: nacre="+s.session(bob)
	const program = "Authorization: Bearer the-token"
	const ask = `{"note":"n1"}`
	for _, c := range []struct {
		name    string
		body    string
		headers []string
		want    int
		says    string
	}{
		{"the operator", ask, []string{operator, "Origin: " + s.site.Origin()}, 200, `"text":"page of owner-ann"`},
		{"a program with the token", ask, []string{program}, 200, `"text":"page of owner-ann"`},
		{"another owner", ask, []string{stranger, "Origin: " + s.site.Origin()}, 200, `"text":"page of owner-bob"`},
		{"a wrong token", ask, []string{program + "x"}, 401, ""},
		{"nobody", ask, nil, 401, ""},
		{"a page of others", ask, []string{operator, "Origin: https://evil.example", "Sec-Fetch-Site: cross-site"}, 403, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			resp, body := s.do("POST", "/api/memory/edit", c.body, c.headers...)
			if resp.StatusCode != c.want || !strings.Contains(body, c.says) {
				t.Errorf("%s %q, want %d and %q", resp.Status, body, c.want, c.says)
			}
		})
	}
}

// Statuses that no model sees are asked for by name alone.
func TestWhichStatuses(t *testing.T) {
	for w, want := range map[Which]int{"": 3, LiveNotes: 3, WaitingNotes: 1, ArchivedNotes: 1, AllNotes: 6, "every": 0} {
		got := w.Statuses()
		if len(got) != want {
			t.Errorf("%q means %v, want %d statuses", w, got, want)
		}
		for _, s := range got {
			if (w == "" || w == LiveNotes) && !s.Live() || s == memory.Erased {
				t.Errorf("%q means %s notes too", w, s)
			}
		}
	}
}
