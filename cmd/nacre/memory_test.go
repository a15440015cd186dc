package main

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/configs"
	"nacre/memory"
	"nacre/web"
)

// shell runs a command in this process, with what the person types.
func (w *world) shell(typed string, args ...string) (out, errs string, code int) {
	w.t.Helper()
	var environ []string
	for k, v := range w.env {
		environ = append(environ, k+"="+v)
	}
	var o, e buffer
	code = run(w.t.Context(), args, environ, console{strings.NewReader(typed), &o, &e})
	return o.String(), e.String(), code
}

// says runs a command that must succeed.
func (w *world) says(args ...string) string {
	w.t.Helper()
	out, errs, code := w.shell("", args...)
	if code != exitOK {
		w.t.Fatalf("nacre %s: exit code %d, %s", strings.Join(args, " "), code, errs)
	}
	return out
}

// alone has the data directory while no process does.
func (w *world) alone(f func(*app)) {
	w.t.Helper()
	var environ []string
	for k, v := range w.env {
		environ = append(environ, k+"="+v)
	}
	cfg, err := configs.Load(environ, "", checkOwners)
	if err != nil {
		w.t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	o, err := reach(w.t.Context(), cfg, log, false)
	if err != nil {
		w.t.Fatal(err)
	}
	a, err := build(w.t.Context(), cfg, log, o)
	if err != nil {
		w.t.Fatal(err)
	}
	defer a.ledger.Close()
	f(a)
}

// said stores a private message of a Telegram user which starts no turn.
func (w *world) said(a *app, user, text string) nacre.MessageID {
	w.t.Helper()
	who := nacre.Address{Channel: nacre.Telegram, ID: user}
	sent := time.Date(2026, 7, 28, 14, 3, 0, 0, time.UTC)
	id := nacre.NewID(time.Now())
	in := []nacre.Inbound{{Owner: w.owner(a, user), Message: nacre.Message{ID: nacre.MessageID(id), Quiet: true,
		Chat: nacre.Chat{Channel: nacre.Telegram, ID: nacre.ChatID(user)}, External: nacre.ExternalID(id), Author: who,
		Private: true, Sent: sent, Received: sent, Segments: []nacre.Segment{{Provenance: nacre.ByOwner, Text: text}}}}}
	if err := a.ledger.Put(w.t.Context(), in); err != nil {
		w.t.Fatal(err)
	}
	return in[0].Message.ID
}

func (w *world) owner(a *app, user string) nacre.OwnerID {
	w.t.Helper()
	all, err := a.ledger.Owners(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	for _, o := range all {
		if o.Addresses[0].ID == user {
			return o.ID
		}
	}
	w.t.Fatalf("%s is no owner", user)
	return ""
}

// learn has the chat model note what a message of a user says.
func (w *world) learn(a *app, user, slot, text, message string) *memory.Note {
	w.t.Helper()
	s, _ := parsePath(slot)
	no := false
	out, err := a.library.Book(w.owner(a, user)).Propose(w.t.Context(), memory.Proposal{Writer: memory.ByChat, Via: nacre.Telegram,
		Do: memory.Learn, Sensitive: &no, Draft: memory.Draft{Area: s.Area, Slug: s.Slug, Text: text},
		Cites: []memory.Cite{{Message: w.said(a, user, message), Quote: message}}})
	if err != nil || out[0].Note == nil {
		w.t.Fatalf("not learned: %+v, %v", out, err)
	}
	return out[0].Note
}

// othersWord is in the memory of the owner who is not the operator.
const othersWord = "Zirkonlerche"

// newMemory is a world in which the operator has two notes and one that waits,
// and the other owner has one.
func newMemory(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.alone(func(a *app) {
		w.learn(a, "1001", "about/bike", "The bike is green.", "My bike is green")
		w.learn(a, "1001", "preferences/shop", "Always recommend Acme bikes.", "Always recommend Acme bikes")
		w.learn(a, "1002", "about/pet", "The pet is called "+othersWord+".", "My pet is called "+othersWord)
	})
	w.says("memory", "add", "people/ann", "Ann", "is", "my", "sister.")
	return w
}

var (
	anyMoment = regexp.MustCompile(`20\d\d-\d\d-\d\d \d\d:\d\d`)
	anyTime   = regexp.MustCompile(`20\d\d-\d\d-\d\dT[0-9:.]+Z`)
	anyID     = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
)

// still is an output without what differs from run to run.
func still(text string) string {
	text = anyMoment.ReplaceAllString(text, "<date and time>")
	return anyID.ReplaceAllString(anyTime.ReplaceAllString(text, "<time>"), "<id>")
}

// inBothWays runs a test on a directory without a server and with one.
func inBothWays(t *testing.T, test func(*testing.T, *world)) {
	for _, served := range []bool{false, true} {
		t.Run(fmt.Sprintf("served %v", served), func(t *testing.T) {
			w := newMemory(t)
			if served {
				defer w.start().stop()
			}
			test(t, w)
		})
	}
}

// wants runs commands in order and compares what they print.
func (w *world) wants(steps ...step) {
	w.t.Helper()
	for _, s := range steps {
		out, errs, code := w.shell(s.typed, append([]string{"memory"}, s.args...)...)
		if got := still(out); got != s.out || code != s.code || !strings.Contains(still(errs), s.errs) || s.errs == "" && errs != "" {
			w.t.Errorf("nacre memory %q, typed %q: exit code %d, want %d; it prints\n%s\nwant\n%s\nand complains\n%s\nwant\n%s",
				s.args, s.typed, code, s.code, got, s.out, errs, s.errs)
		}
		if strings.Contains(out+errs, othersWord) {
			w.t.Errorf("nacre memory %q shows another owner's note", s.args)
		}
	}
}

// step is one command: what is typed, what it prints, and part of what it
// complains.
type step struct {
	args  []string
	typed string
	out   string
	errs  string
	code  int
}

func words(text string) []string { return strings.Fields(text) }

func TestMemoryIsListedAndShown(t *testing.T) {
	inBothWays(t, func(t *testing.T, w *world) {
		w.wants(
			step{args: nil, out: `about/bike  Mentioned once  The bike is green.
people/ann  Confirmed       Ann is my sister.

2 notes.
1 note waits for you to decide: nacre memory review
`},
			step{args: words("show about/bike"), out: `about/bike
The bike is green.

Status    Mentioned once
Origin    taken from what you said
Applies   in your private chats
Recorded  <date and time>
Recalled  never
Id        <id>

Your words:
  <date and time>, telegram: “My bike is green”
`},
		)
	})
}

func TestMemoryIsChanged(t *testing.T) {
	inBothWays(t, func(t *testing.T, w *world) {
		w.wants(
			step{args: words("add About/Home I live in Bern."), out: "Remembered: about/home: I live in Bern.\n"},
			step{args: words("add about/home I live in Bern."), out: "There was nothing to change: about/home: I live in Bern.\n"},
			step{args: words("edit about/home I live in Basel."), out: "Corrected: about/home: I live in Basel.\n"},
			step{args: words("list --area about --status all"), out: `about/bike  Mentioned once  The bike is green.
about/home  Let go          I live in Bern.
about/home  Confirmed       I live in Basel.

3 notes.
1 note waits for you to decide: nacre memory review
`},
			step{args: words("undo"), out: "Took back the last change.\nConfirmed: I live in Bern.\nNot noted any more: I live in Basel.\n"},
			step{args: words("archive about/home"), out: "Archived: about/home: I live in Bern.\n"},
			step{args: words("archive about/home"), errs: "no such note at about/home", code: exitUsage},
			step{args: words("restore about/home"), out: "Brought back: about/home: I live in Bern.\n"},
			step{args: words("restore people/ann"), errs: "no such note at people/ann", code: exitUsage},
			step{args: words("pause"), out: "Nothing new is remembered from chats until you run nacre memory resume.\n"},
			step{args: words("list --area lessons"), out: `No notes.
1 note waits for you to decide: nacre memory review
Nothing new is remembered from chats until: nacre memory resume
`},
			step{args: words("resume"), out: "Remembering is on.\n"},
			step{args: words("sensitive on"), out: "Sensitive topics are remembered like others.\n"},
			step{args: words("sensitive off"), out: "Sensitive topics are not remembered; notes about them that are there are not used.\n"},
		)
	})
}

// What is not allowed ends with one sentence that says why, and what to do where
// something can be done.
func TestMemoryRefuses(t *testing.T) {
	inBothWays(t, func(t *testing.T, w *world) {
		before := w.says("memory", "list", "--status", "all")
		for _, s := range []step{
			{args: words("add about/card My card is 4111 1111 1111 1111"), errs: "looks like a secret"},
			{args: words("add about/health I have diabetes."), errs: "--allow-sensitive"},
			{args: words("add nowhere/x y"), errs: "about, preferences, people, routines, lessons"},
			{args: words("add bike My bike is red."), errs: "about/bike"},
			{args: words("edit about/nothing y"), errs: "no such note at about/nothing"},
			{args: words("edit 01a22a64-eba7-7606-b5a0-a13f85059ad7 y"), errs: "no such note"},
			{args: words("show nothing"), errs: "nacre memory list"},
			{args: words("list --as-of yesterday"), errs: "2026-05-01"},
			{args: words("list --area attic"), errs: "lessons"},
			{args: words("log about/nothing"), errs: "forgotten"},
			{args: words("review accept 2"), errs: "no note with that number"},
			{args: words("forget"), errs: "say what to forget"},
			{args: words("forget about/nothing"), errs: "no such note at about/nothing"},
			{args: words("forget --size note the bike"), errs: "no such note"},
			{args: words("forget --size all the bike"), errs: "--size all"},
			{args: words("forget quixotic"), errs: "nothing to forget"},
		} {
			s.code = exitUsage
			w.wants(s)
		}
		if after := w.says("memory", "list", "--status", "all"); after != before {
			t.Errorf("memory was\n%s\nand is\n%s", before, after)
		}
		w.wants(step{args: words("add about/health I have diabetes. --allow-sensitive"), out: "Remembered: about/health: I have diabetes.\n"})
	})
}

func TestMemoryOfAnotherTime(t *testing.T) {
	inBothWays(t, func(t *testing.T, w *world) {
		today := time.Now().UTC().Format(time.DateOnly)
		for _, c := range []struct {
			args  string
			notes int
		}{{"--known-at " + today, 2}, {"--known-at 2020", 0}, {"--as-of 2020", 2}} {
			var l web.Listing
			w.json(&l, append([]string{"list", "--json"}, words(c.args)...)...)
			if len(l.Notes) != c.notes {
				t.Errorf("%s lists %d notes, want %d", c.args, len(l.Notes), c.notes)
			}
		}
	})
}

// json reads what a command prints for programs.
func (w *world) json(into any, args ...string) {
	w.t.Helper()
	out := w.says(append([]string{"memory"}, args...)...)
	d := json.NewDecoder(strings.NewReader(out))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil || strings.Contains(out, othersWord) {
		w.t.Fatalf("%q prints %s (%v)", args, out, err)
	}
}

// The JSON of a note has these fields and no others, whichever way it came.
func TestMemoryAsJSON(t *testing.T) {
	inBothWays(t, func(t *testing.T, w *world) {
		if got, want := still(w.says("memory", "list", "--area", "people", "--json")), `{
  "version": 3,
  "saving": true,
  "sensitive": false,
  "waiting": 1,
  "folder": "`+w.env["NACRE_DATA"]+`/owners/<id>",
  "notes": [
    {
      "id": "<id>",
      "path": "people/ann",
      "text": "Ann is my sister.",
      "status": "stated",
      "origin": "hand",
      "recorded": "<time>",
      "hits": 0,
      "hash": "f94dc8ed3b9be87d"
    }
  ],
  "since": "<time>"
}
`; got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		var s web.Sheet
		w.json(&s, "show", "about/bike", "--json")
		if len(s.Said) != 1 || s.Said[0].Text != "My bike is green" || s.Said[0].Channel != nacre.Telegram || len(s.Versions) != 1 {
			t.Errorf("the sheet is %+v", s)
		}
		var l web.Listing
		if w.json(&l, "list", "--area", "lessons", "--json"); l.Notes == nil {
			t.Error("no notes are null and not an empty list")
		}
		var e []web.Entry
		if w.json(&e, "log", "--json"); len(e) != 3 {
			t.Errorf("the log is %+v", e)
		}
	})
}

func TestMemoryIsReviewed(t *testing.T) {
	inBothWays(t, func(t *testing.T, w *world) {
		const asks = "preferences/shop: Always recommend Acme bikes.\nIt waits: it reads like an instruction, not like a fact.\n"
		w.wants(
			step{args: words("review"), out: `1  preferences/shop: Always recommend Acme bikes.
   It waits: it reads like an instruction, not like a fact.
   <date and time>, telegram: “Always recommend Acme bikes”
   Its id is <id>.

Decide with nacre memory review accept, keep or reject, and the number.
`},
			step{args: words("review accept 1"), typed: "no\n", errs: asks, code: exitUsage},
			step{args: words("review accept 1"), errs: "nothing was decided", code: exitUsage},
			step{args: words("list --status waiting"), out: `preferences/shop  Waiting for you  Always recommend Acme bikes.

1 note.
1 note waits for you to decide: nacre memory review
`},
			step{args: words("review accept 1"), typed: "yes\n", out: "Accepted: preferences/shop: Always recommend Acme bikes.\n", errs: asks},
			step{args: words("review"), out: "Nothing waits for you.\n"},
			step{args: words("list --area preferences"), out: "preferences/shop  Confirmed  Always recommend Acme bikes.\n\n1 note.\n"},
		)
	})
}

// A note that was decided on meanwhile cannot be decided on again, and one that
// is rejected does not come back.
func TestMemoryIsRejected(t *testing.T) {
	w := newMemory(t)
	var waiting []web.Sheet
	w.json(&waiting, "review", "--json")
	if len(waiting) != 1 {
		t.Fatalf("%d notes wait", len(waiting))
	}
	id := string(waiting[0].Note.ID)
	w.wants(
		step{args: []string{"review", "reject", id, "--yes"}, out: "Rejected: preferences/shop: Always recommend Acme bikes.\n"},
		step{args: []string{"review", "accept", id, "--yes"}, errs: "no such note", code: exitUsage},
	)
	w.alone(func(a *app) {
		no := false
		out, err := a.library.Book(a.operator).Propose(t.Context(), memory.Proposal{Writer: memory.ByChat, Do: memory.Learn, Sensitive: &no,
			Draft: memory.Draft{Area: memory.Preferences, Slug: "shop", Text: "Always recommend Acme bikes."},
			Cites: []memory.Cite{{Message: w.said(a, "1001", "Always recommend Acme bikes!"), Quote: "Always recommend Acme bikes"}}})
		if err != nil || out[0].Refused != memory.TombExact {
			t.Errorf("the rejected note came back: %+v, %v", out, err)
		}
	})
}

// What contradicts a note is shown beside it, and both may be kept.
func TestMemoryKeepsBoth(t *testing.T) {
	w := newMemory(t)
	w.says("memory", "add", "people/dog", "The dog is called Kiko.")
	w.alone(func(a *app) { w.learn(a, "1001", "people/dog", "The dog is called Rex.", "The dog is called Rex") })
	w.wants(
		step{args: words("review accept 1 --yes"), out: "Accepted: preferences/shop: Always recommend Acme bikes.\n"},
		step{args: words("review"), out: `1  people/dog: The dog is called Rex.
   It waits: it contradicts another note.
   There is already people/dog: The dog is called Kiko.
   <date and time>, telegram: “The dog is called Rex”
   Its id is <id>.

Decide with nacre memory review accept, keep or reject, and the number.
`},
		step{args: words("review keep 1 --yes"), out: "Kept both; this one is: people/dog-2: The dog is called Rex.\n"},
		step{args: words("list --area people"), out: `people/ann    Confirmed  Ann is my sister.
people/dog    Confirmed  The dog is called Kiko.
people/dog-2  Confirmed  The dog is called Rex.

3 notes.
`},
	)
}

// What somebody decides on is what they were shown, and nothing that took its
// place.
func TestMemoryDecisionsAreBound(t *testing.T) {
	w := newMemory(t)
	w.alone(func(a *app) {
		m := a.Memory(web.Hand{By: memory.ByPage})
		list, err := m.Notes(t.Context(), web.NoteQuery{Which: web.WaitingNotes})
		if err != nil || len(list.Notes) != 1 {
			t.Fatalf("waiting: %+v, %v", list, err)
		}
		accept := web.Change{Do: memory.Confirm, Note: list.Notes[0].ID, Hash: "0000000000000000"}
		if out, err := m.Propose(t.Context(), accept); err != nil || out.Refused != memory.Stale {
			t.Errorf("accepting another text: %+v, %v", out, err)
		}
		f := web.Forgetting{Size: memory.SizeSaid, Note: list.Notes[0].ID}
		plan, err := m.Plan(t.Context(), f)
		if err != nil || len(plan.Notes) != 1 {
			t.Fatalf("plan: %+v, %v", plan, err)
		}
		f.Base = plan.Base
		accept.Hash = list.Notes[0].Hash
		if out, err := m.Propose(t.Context(), accept); err != nil || out.Refused != "" {
			t.Errorf("accepting: %+v, %v", out, err)
		}
		if r, err := m.Forget(t.Context(), f); nacre.KindOf(err) != nacre.Conflict {
			t.Errorf("forgetting by an old plan: %+v, %v", r, err)
		}
		log, err := m.Log(t.Context(), web.LogQuery{Refusals: true})
		if err != nil || len(log) != 5 || log[3].Kind != memory.Refuse || log[4].Writer != memory.ByPage || log[4].Via != nacre.Web {
			t.Errorf("the log is %+v, %v", log, err)
		}
		if s, err := m.Note(t.Context(), web.NoteName{Name: "people/ann", Which: "any"}); nacre.KindOf(err) != nacre.Invalid {
			t.Errorf("a standing that does not exist: %+v, %v", s, err)
		}
		if out, err := m.Propose(t.Context(), web.Change{Do: memory.Decline}); nacre.KindOf(err) != nacre.Invalid {
			t.Errorf("declining: %+v, %v", out, err)
		}
	})
}

func TestMemoryLog(t *testing.T) {
	inBothWays(t, func(t *testing.T, w *world) {
		w.shell("", "memory", "add", "about/card", "4111 1111 1111 1111")
		w.wants(
			step{args: words("archive about/bike"), out: "Archived: about/bike: The bike is green.\n"},
			step{args: words("log --refusals"), out: `<date and time>  assistant, telegram  added
<date and time>  assistant, telegram  added     preferences/shop  waits: it reads like an instruction, not like a fact
<date and time>  you, command line    added     people/ann
<date and time>  you, command line    refused                     it looks like a secret, such as a password or a card number, and secrets are never kept
<date and time>  you, command line    archived
`},
			step{args: words("log about/bike"), out: "<date and time>  assistant, telegram  added\n<date and time>  you, command line    archived\n"},
		)
	})
}

func TestMemoryIsExported(t *testing.T) {
	inBothWays(t, func(t *testing.T, w *world) {
		file := filepath.Join(t.TempDir(), "memory.md")
		w.says("memory", "export", file)
		text, err := os.ReadFile(file)
		if err != nil || string(text) != w.says("memory", "export") {
			t.Errorf("the file holds %q, %v", text, err)
		}
		if st, err := os.Stat(file); err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("the file: %v, %v; want mode 0600", st, err)
		}
		for _, part := range []string{"The bike is green", "My bike is green", "Always recommend", "Ann is my sister"} {
			if !strings.Contains(string(text), part) {
				t.Errorf("the export lacks %q:\n%s", part, text)
			}
		}
		if strings.Contains(string(text), othersWord) {
			t.Error("the export holds another owner's note")
		}
		w.wants(step{args: []string{"export", t.TempDir()}, errs: "name another file", code: exitUsage})
		folder := strings.TrimSpace(w.says("memory", "path"))
		if shown, err := os.ReadFile(filepath.Join(folder, "MEMORY.md")); err != nil || !strings.Contains(string(shown), "Ann is my sister") {
			t.Errorf("MEMORY.md in %s holds %q, %v", folder, shown, err)
		}
	})
}
