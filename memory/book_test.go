package memory_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/ledger"
)

// utc is where everybody lives.
func utc(nacre.OwnerID) *time.Location { return time.UTC }

// desk is the memory of two owners over a real database.
type desk struct {
	t       testing.TB
	dir     string
	ledger  *ledger.Ledger
	library *memory.Library
	owners  []nacre.OwnerID
	said    int
}

func newDesk(t testing.TB) *desk {
	d := &desk{t: t, dir: t.TempDir()}
	d.open()
	t.Cleanup(func() { d.ledger.Close() })
	return d
}

func (d *desk) open() {
	d.t.Helper()
	var err error
	if d.ledger, err = ledger.Open(context.Background(), ledger.Options{Dir: d.dir, Keys: filepath.Join(d.dir, "keys")}); err != nil {
		d.t.Fatal(err)
	}
	list, err := nacre.ParseOwners("telegram:1001,telegram:1002")
	if err != nil {
		d.t.Fatal(err)
	}
	owners, err := d.ledger.SyncOwners(context.Background(), list)
	if err != nil {
		d.t.Fatal(err)
	}
	d.owners = nil
	for _, o := range owners {
		if len(o.Addresses) > 0 && o.Addresses[0].Channel == nacre.Telegram {
			d.owners = append(d.owners, o.ID)
		}
	}
	d.library = memory.NewLibrary(d.ledger, utc)
}

func (d *desk) restart() {
	d.t.Helper()
	if err := d.ledger.Close(); err != nil {
		d.t.Fatal(err)
	}
	d.open()
}

// hear stores a private message of the first or the second owner.
func (d *desk) hear(owner int, text string) nacre.MessageID {
	d.t.Helper()
	d.said++
	sent := time.Now().Add(time.Duration(d.said) * 24 * time.Hour)
	m := nacre.Message{ID: nacre.MessageID(nacre.NewID(time.Now())), Chat: nacre.Chat{Channel: nacre.Telegram, ID: nacre.ChatID(fmt.Sprint(1001 + owner))},
		External: nacre.ExternalID(fmt.Sprint(d.said)), Author: nacre.Address{Channel: nacre.Telegram, ID: fmt.Sprint(1001 + owner)}, Private: true,
		Sent: sent, Received: sent, Segments: []nacre.Segment{{Provenance: nacre.ByOwner, Text: text}}}
	if err := d.ledger.Put(context.Background(), []nacre.Inbound{{Owner: d.owners[owner], Message: m}}); err != nil {
		d.t.Fatal(err)
	}
	return m.ID
}

func (d *desk) book(owner int) *memory.Book { return d.library.Book(d.owners[owner]) }

func (d *desk) propose(owner int, p ...memory.Proposal) []memory.Outcome {
	d.t.Helper()
	out, err := d.book(owner).Propose(context.Background(), p...)
	if err != nil {
		d.t.Fatal(err)
	}
	return out
}

func (d *desk) state(owner int) *memory.State {
	d.t.Helper()
	s, err := d.book(owner).State(context.Background())
	if err != nil {
		d.t.Fatal(err)
	}
	return s
}

func (d *desk) live(owner int) string {
	d.t.Helper()
	var list []string
	for _, n := range d.state(owner).Select(memory.Query{}) {
		list = append(list, n.Slot.String()+": "+n.Text)
	}
	return strings.Join(list, "; ")
}

func learn(id nacre.MessageID, slug, text, quote string) memory.Proposal {
	no := false
	return memory.Proposal{Writer: memory.ByChat, Via: nacre.Telegram, Do: memory.Learn, Asked: true, Sensitive: &no,
		Draft: memory.Draft{Area: memory.About, Slug: slug, Text: text}, Cites: []memory.Cite{{Message: id, Quote: quote}}}
}

func write(slug, text string) memory.Proposal {
	return memory.Proposal{Writer: memory.ByPage, Via: nacre.Web, Do: memory.Learn, Draft: memory.Draft{Area: memory.About, Slug: slug, Text: text}}
}

func TestBookKeepsWhatItDecided(t *testing.T) {
	d := newDesk(t)
	id := d.hear(0, "remember that my bike is green")
	out := d.propose(0, learn(id, "bike", "Bike is green", "my bike is green"), learn(id, "bike", "Bike is blue", "my bike is blue"))
	if out[0].Refused != "" || out[0].Note == nil || out[1].Refused != memory.NoQuote {
		t.Fatalf("outcomes: %+v", out)
	}
	if out := d.propose(0, learn(id, "bike", "Bike is green", "my bike is green")); !out[0].Same || out[0].Note == nil {
		t.Errorf("the same again: %+v", out[0])
	}
	before := d.state(0)
	if same, err := d.book(0).Rebuild(t.Context()); !same || err != nil {
		t.Errorf("folded anew it is not the same (%v)", err)
	}
	d.restart()
	if after := d.state(0); after.Version != before.Version || d.live(0) != "about/bike: Bike is green" {
		t.Errorf("after a restart: version %d, %s", after.Version, d.live(0))
	}
	quotes, err := d.book(0).Quotes(t.Context(), d.state(0).Select(memory.Query{})[0])
	if err != nil || len(quotes) != 1 || quotes[0].Text != "my bike is green" {
		t.Errorf("quotes: %v, %v", quotes, err)
	}
	for refusals, want := range map[bool]int{false: 1, true: 2} {
		ops, err := d.book(0).Log(t.Context(), "", refusals)
		if err != nil || len(ops) != want {
			t.Errorf("refusals %v: %d ops, %v", refusals, len(ops), err)
		}
	}
}

func TestOwnersDoNotMeet(t *testing.T) {
	d := newDesk(t)
	a := d.hear(0, "remember the safe word zqx-plum")
	d.propose(0, learn(a, "safe", "Safe word zqx-plum", "the safe word zqx-plum"))
	if out := d.propose(1, learn(a, "safe", "Safe word zqx-plum", "the safe word zqx-plum")); out[0].Refused != memory.NoSource {
		t.Errorf("another owner's message supports a note: %+v", out[0])
	}
	d.propose(1, write("safe", "Safe word zqx-plum"))
	n := d.state(0).Select(memory.Query{})[0]
	if out := d.propose(1, memory.Proposal{Writer: memory.ByPage, Do: memory.Archive, Note: n.ID}); out[0].Refused != memory.NoNote {
		t.Errorf("another owner's note is archived: %+v", out[0])
	}
	d.forget(0, memory.Forgetting{Size: memory.SizeSaid, Note: n.ID})
	if d.live(0) != "" || d.live(1) != "about/safe: Safe word zqx-plum" {
		t.Errorf("after one of them forgot: %q and %q", d.live(0), d.live(1))
	}
	if out := d.propose(1, write("safe2", "Another safe word zqx-plum")); out[0].Refused != "" {
		t.Errorf("the other's forgetting holds for this one: %+v", out[0])
	}
}

func (d *desk) forget(owner int, f memory.Forgetting) memory.Receipt {
	d.t.Helper()
	f.Writer, f.Via = memory.ByPage, nacre.Web
	plan, err := d.book(owner).Plan(context.Background(), f)
	if err != nil {
		d.t.Fatal(err)
	}
	r, err := d.book(owner).Forget(context.Background(), plan)
	if err != nil {
		d.t.Fatal(err)
	}
	return r
}

func TestForgetSizes(t *testing.T) {
	for _, c := range []struct {
		size  memory.Size
		notes string
		quote string // what is left of the message
	}{
		{memory.SizeNote, "about/bike: Bike is green; about/walks: Walks zqx-Kiko at dawn", "my dog is called zqx-Kiko and my bike is green"},
		{memory.SizeSaid, "about/bike: Bike is green; about/walks: Walks zqx-Kiko at dawn", "** *** ** ****** ******** and my bike is green"},
		{memory.SizeAbout, "about/bike: Bike is green", "** *** ** ****** ******** and my bike is green"},
		{memory.SizeAll, "", ""},
	} {
		t.Run(string(c.size), func(t *testing.T) {
			d := newDesk(t)
			id := d.hear(0, "my dog is called zqx-Kiko and my bike is green")
			out := d.propose(0, learn(id, "dog", "The dog is called zqx-Kiko", "my dog is called zqx-Kiko"), learn(id, "bike", "Bike is green", "my bike is green"),
				write("walks", "Walks zqx-Kiko at dawn"))
			r := d.forget(0, memory.Forgetting{Size: c.size, Note: out[0].Note.ID, Words: "zqx-Kiko"})
			if len(r.Pending) > 0 || len(r.Outside) == 0 {
				t.Errorf("receipt %+v", r)
			}
			if got := d.live(0); got != c.notes {
				t.Errorf("left: %s\nwant: %s", got, c.notes)
			}
			sources, err := d.ledger.Sources(t.Context(), d.owners[0], []nacre.MessageID{id})
			if err != nil {
				t.Fatal(err)
			}
			text := ""
			for _, s := range sources[id].Segments {
				text += s.Text
			}
			if text != c.quote {
				t.Errorf("the message says %q, want %q", text, c.quote)
			}
			if out := d.propose(0, memory.Proposal{Writer: memory.ByCommand, Do: memory.TakeBack}); out[0].Refused == "" {
				t.Error("a forgetting was taken back")
			}
			d.restart()
			if got := d.live(0); got != c.notes {
				t.Errorf("after a restart: %s", got)
			}
			if same, err := d.book(0).Rebuild(t.Context()); !same || err != nil {
				t.Errorf("folded anew it differs (%v)", err)
			}
			d.propose(0, write("later", "Bought a kayak"), memory.Proposal{Writer: memory.ByPage, Do: memory.Set, Setting: memory.Sensitive, On: true})
			d.restart()
			if !strings.Contains(d.live(0), "kayak") || !d.state(0).On(memory.Sensitive) {
				t.Errorf("what came later is gone: %s", d.live(0))
			}
			if same, err := d.book(0).Rebuild(t.Context()); !same || err != nil {
				t.Errorf("with what came later it differs (%v)", err)
			}
		})
	}
}

func TestForgetOnAnOldPlanIsAConflict(t *testing.T) {
	d := newDesk(t)
	out := d.propose(0, write("bike", "Bike is green"))
	plan, err := d.book(0).Plan(t.Context(), memory.Forgetting{Writer: memory.ByPage, Size: memory.SizeNote, Note: out[0].Note.ID})
	if err != nil {
		t.Fatal(err)
	}
	d.propose(0, write("boat", "Boat is red"))
	if _, err := d.book(0).Forget(t.Context(), plan); nacre.KindOf(err) != nacre.Conflict {
		t.Errorf("forgot on an old plan: %v", err)
	}
	if d.live(0) != "about/bike: Bike is green; about/boat: Boat is red" {
		t.Errorf("left: %s", d.live(0))
	}
}

// Three writers, each with a library of its own as three processes would have,
// want the same slot a thousand times.
// Two notes that state the same in about the same words are forgotten together;
// one that names the same in another statement stays, and so does one that names
// nothing.
func TestForgettingTakesWhatRestatesIt(t *testing.T) {
	for _, c := range []struct {
		first, second string
		gone          bool
	}{
		{"The dog is called Kiko-7.", "My dog is called Kiko-7", true},
		{"Pes se jmenuje Kiko-7.", "Můj pes se jmenuje Kiko-7", true},
		{"The dog is called Kiko-7.", "The dog is called Rex-9.", false},
		{"The dog is called Kiko-7.", "Kiko-7 barks at every postman.", false},
		{"I like coriander.", "I do not like coriander.", false},
	} {
		d := newDesk(t)
		b := d.library.Book(d.owners[0])
		out, err := b.Propose(t.Context(),
			memory.Proposal{Writer: memory.ByPage, Do: memory.Learn, Draft: memory.Draft{Area: memory.About, Slug: "one", Text: c.first}},
			memory.Proposal{Writer: memory.ByPage, Do: memory.Learn, Draft: memory.Draft{Area: memory.About, Slug: "two", Text: c.second}})
		if err != nil || out[0].Note == nil || out[1].Note == nil {
			t.Fatalf("%+v, %v", out, err)
		}
		plan, err := b.Plan(t.Context(), memory.Forgetting{Writer: memory.ByPage, Size: memory.SizeSaid, Note: out[0].Note.ID})
		if err == nil {
			_, err = b.Forget(t.Context(), plan)
		}
		st, err2 := b.State(t.Context())
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		if gone := st.Note(out[1].Note.ID).Status == memory.Erased; gone != c.gone || st.Note(out[0].Note.ID).Status != memory.Erased {
			t.Errorf("forgetting %q takes %q: %v, want %v", c.first, c.second, gone, c.gone)
		}
	}
}

// A refusal is appended on whatever version, so that it may stand behind a change
// which somebody else made and this Book has not read.
func TestRefusalBehindAnotherBooksChange(t *testing.T) {
	d := newDesk(t)
	mine, other := d.library.Book(d.owners[0]), memory.NewLibrary(d.ledger, utc).Book(d.owners[0])
	write := func(b *memory.Book, text string) memory.Outcome {
		t.Helper()
		out, err := b.Propose(t.Context(), memory.Proposal{Writer: memory.ByPage, Do: memory.Learn, Draft: memory.Draft{Area: memory.About, Text: text}})
		if err != nil {
			t.Fatal(err)
		}
		return out[0]
	}
	write(mine, "The boat is red.")
	write(other, "The bike is green.")
	if out := write(mine, "4111 1111 1111 1111"); out.Refused != memory.IsSecret {
		t.Fatalf("refused: %+v", out)
	}
	write(mine, "The car is blue.")
	st, err := mine.State(t.Context())
	if err != nil || len(st.Select(memory.Query{})) != 3 {
		t.Errorf("%d notes, %v", len(st.Select(memory.Query{})), err)
	}
}

func TestOneCurrentVersionWhoeverIsFirst(t *testing.T) {
	d := newDesk(t)
	d.propose(0, write("bike", "Bike is new"))
	rounds := 1000
	if testing.Short() {
		rounds = 50
	}
	var wg sync.WaitGroup
	for w := range 3 {
		book := memory.NewLibrary(d.ledger, utc).Book(d.owners[0])
		wg.Go(func() {
			for i := range rounds / 3 {
				out, err := book.Propose(context.Background(), write("bike", fmt.Sprintf("Bike is number %d of %d", i, w)))
				if err != nil || out[0].Refused != "" {
					t.Errorf("writer %d, round %d: %v %v", w, i, err, out)
					return
				}
			}
		})
	}
	wg.Wait()
	d.restart()
	s := d.state(0)
	if n := len(s.Select(memory.Query{})); n != 1 {
		t.Errorf("%d live notes in one slot", n)
	}
	if got, want := s.Version, int64(rounds/3*3+1); got != want {
		t.Errorf("version %d after %d changes", got, want)
	}
	if n := len(s.Versions(s.Select(memory.Query{})[0].ID)); int64(n) != s.Version {
		t.Errorf("%d versions in the chain", n)
	}
}

func BenchmarkPropose(b *testing.B) {
	d := newDesk(b)
	for i := range 1000 {
		d.propose(0, write(fmt.Sprint("thing-", i), fmt.Sprintf("Thing %d stands by the door of house %d", i, i)))
	}
	id := d.hear(0, "remember that my bike is green and old")
	p := learn(id, "bike", "", "my bike is green and old")
	for i := 0; b.Loop(); i++ {
		p.Draft.Slug, p.Draft.Text = fmt.Sprint("bike-", i), []string{"Bike is green", "My bike is old", "Green bike", "Old bike"}[i%4]
		p.Draft.From = fmt.Sprint(1000 + i)
		p.Draft.Text += fmt.Sprint(" ", 1000+i)
		d.propose(0, p)
	}
}

// Dates in notes are of where their owner lives.
func TestDatesAreOfTheirOwner(t *testing.T) {
	d := newDesk(t)
	tokyo := time.FixedZone("Tokyo", 9*60*60)
	d.library = memory.NewLibrary(d.ledger, func(owner nacre.OwnerID) *time.Location {
		if owner == d.owners[0] {
			return tokyo
		}
		return time.UTC
	})
	for owner, want := range []string{"2026-05-01T15:00:00Z", "2026-05-02T00:00:00Z"} {
		p := write("fair", "the fair begins")
		p.Draft.Event = "2026-05-02"
		if got := d.propose(owner, p)[0].Note.Event.Start.UTC().Format(time.RFC3339); got != want {
			t.Errorf("2 May begins for owner %d at %s, want %s", owner, got, want)
		}
	}
}
