package ledger_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/canon"
	"nacre/memory/ledger"
)

// What the tests have forgotten, and what stands beside it and stays.
const (
	secret  = "My dog is called Zqxkiko."
	sibling = "My bike is zqxgreen."
)

func needle() *memory.Needle {
	return &memory.Needle{Quotes: []string{canon.Form(secret)}, Marks: []string{"zqxkiko"}, Words: [][]string{{"dog", "call", "zqxkiko"}}}
}

// diary is an owner of whom everything that can be kept is kept, and an Erasure
// of a part of it.
type diary struct {
	owner   nacre.OwnerID
	session nacre.SessionInfo
	in      []nacre.Inbound // 0 says both, 1 the secret in other ways, 2 the sibling
	notes   []nacre.NoteID  // of the secret and of the sibling
	e       memory.Erasure
}

// keep fills a diary.
func keep(t testing.TB, l *ledger.Ledger, user string) *diary {
	t.Helper()
	d := &diary{owner: owners(t, l, "1001", "1002")[map[string]int{"1001": 0, "1002": 1}[user]]}
	d.in = put(t, l, message(d.owner, user, "1", secret+" "+sibling), message(d.owner, user, "2", "He's <b>ZQX\u00adKIKO</b>\nand \"loud\""),
		message(d.owner, user, "3", sibling))
	d.session = d.in[0].Session
	file := nacre.AttachmentKind(nacre.Document)
	for place, text := range []string{secret, sibling, "\xff\xd8 the jpeg of Zqxkiko \xff", "\xff\xd8 another jpeg \xff"} {
		must(t, l.PutAttachment(ctx, d.owner, d.in[0].Message.ID, place, file, []byte(text)))
	}
	must(t, l.PutReading(ctx, d.owner, d.in[0].Message.ID, 3, nacre.Reading{Text: nacre.Segment{Provenance: nacre.ByVoice, Text: "zqxkiko barks"}}))
	must(t, l.PutReading(ctx, d.owner, d.in[0].Message.ID, 1, nacre.Reading{Text: nacre.Segment{Provenance: nacre.InFile, Text: sibling}}))
	d.converse(t, l)
	for i, text := range []string{secret, sibling} {
		op := opAdding(text)
		op.Payload.Evidence[0] = memory.Evidence{Message: d.in[0].Message.ID, Segment: 1, From: 0, To: len(secret), Sent: time.Now()}
		d.notes = append(d.notes, appended(t, l, d.owner, int64(i), op)[0].Note)
	}
	must(t, l.Hit(ctx, d.owner, "2026-01-02", d.notes))
	must(t, l.PutFile(ctx, d.owner, "MEMORY.md", []byte(secret)))
	must(t, l.PutSettings(ctx, d.owner, map[string]json.RawMessage{"name": json.RawMessage(`"Zqxkiko's Ada"`), "hours": json.RawMessage(`"zqxgreen"`)}))
	must(t, l.PutAsk(ctx, d.session, json.RawMessage(`{"about":"Zqxkiko"}`), time.Now().Add(time.Hour)))
	d.e = memory.Erasure{ID: nacre.NewID(time.Now()), Size: memory.SizeSaid, Writer: memory.ByCommand, Via: nacre.Telegram, Base: 2, Notes: d.notes[:1],
		Ops: []memory.Op{{Writer: memory.ByCommand, Via: nacre.Telegram, Kind: memory.Erase, Note: d.notes[0], Reason: memory.ByOwner,
			Payload: memory.Payload{V: 1, Tomb: &memory.Tombstone{Exact: exactTag(secret)}, Revoked: []nacre.MessageID{d.in[0].Message.ID}}}},
		Cited:  []memory.Evidence{{Message: d.in[0].Message.ID, Segment: 1, From: 0, To: len(secret)}},
		Needle: needle()}
	return d
}

// plan makes jobs of the owner: a reminder of the secret, one of the sibling, and
// a heartbeat.
func (d *diary) plan(t testing.TB, l *ledger.Ledger) {
	t.Helper()
	for _, text := range []string{"Feed " + secret, "Ride " + sibling} {
		storedJob(t, l, reminder(d.session, text, time.Now()))
	}
	beat := reminder(d.session, "", time.Now())
	beat.Kind = nacre.Heartbeat
	storedJob(t, l, beat)
}

// converse answers the messages: turns, a summary, questions and replies in every
// state.
func (d *diary) converse(t testing.TB, l *ledger.Ledger) {
	t.Helper()
	for i, turn := range []struct {
		history string
		parts   []nacre.Part
		options []string
	}{
		{`[{"role":"assistant","text":"` + secret + `","blob":{"sig":"abc"}},{"role":"user","text":"` + sibling + `","blob":"def"}]`,
			[]nacre.Part{{Text: "sent " + secret}, {Text: "dead " + secret}, {Text: "waiting " + secret}, {Text: "waiting " + sibling}}, []string{"Zqxkiko", "no"}},
		{`[{"role":"assistant","calls":[{"id":"c1","name":"zqx","args":{"name":["\u005aqxKik\u006f",12345678901234567890]}}]}]`,
			[]nacre.Part{{Text: "a file", File: &nacre.File{Name: "all.md", Data: []byte("export: " + secret)}}}, nil},
		{`[{"role":"user","text":"` + sibling + `","blob":"ghi"}]`, []nacre.Part{{Text: sibling}}, []string{"zqxgreen", "no"}},
	} {
		done := turnOver(d.in[i : i+1])
		done.History = json.RawMessage(turn.history)
		done.Replies[0].Parts, done.Replies[0].Options, done.Replies[0].Text = turn.parts, turn.options, "Which?"
		ds := commit(t, l, done)
		if i == 0 {
			ds[0].State, ds[1].State = nacre.Sent, nacre.Dead
			settle(t, l, ds[0], "77", "")
			settle(t, l, ds[1], "", "blocked")
			must(t, l.Compact(ctx, d.session, done.ID, json.RawMessage(`[{"role":"user","text":"they have a dog, Zqxkiko"}]`)))
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// said is all that can be read of an owner, in one text.
func (d *diary) said(t testing.TB, l *ledger.Ledger) string {
	t.Helper()
	var all strings.Builder
	out := json.NewEncoder(&all)
	out.SetEscapeHTML(false)
	ids := idsOf(d.in)
	sources, err := l.Sources(ctx, d.owner, ids)
	must(t, err)
	for _, id := range ids {
		out.Encode(sources[id].Segments)
		for place := range 4 {
			if b, err := l.Attachment(ctx, d.owner, id, place); err == nil {
				out.Encode(string(b))
			}
			if r, err := l.Reading(ctx, d.owner, id, place); err == nil {
				out.Encode(r)
			}
		}
	}
	c, err := l.Conversation(ctx, d.session)
	must(t, err)
	out.Encode(c)
	waiting, err := l.Undelivered(ctx)
	must(t, err)
	for _, w := range waiting {
		if w.Owner == d.owner {
			out.Encode(w)
			if w.Part.File != nil {
				out.Encode(string(w.Part.File.Data))
			}
			if q, err := l.Question(ctx, w.Part.Question); err == nil {
				out.Encode(q)
			}
		}
	}
	out.Encode(history(t, l, d.owner))
	if f, err := l.File(ctx, d.owner, "MEMORY.md"); err == nil {
		out.Encode(string(f))
	}
	if a, err := l.Asked(ctx, d.session); err == nil {
		out.Encode(a)
	}
	jobs, err := l.Jobs(ctx, d.owner)
	must(t, err)
	for _, j := range jobs {
		out.Encode(j)
	}
	return all.String()
}

// forget carries an Erasure out and sweeps, and wants nothing left.
func (d *diary) forget(t testing.TB, l *ledger.Ledger) map[string]int {
	t.Helper()
	counts, _, err := l.Erase(ctx, d.owner, d.e)
	must(t, err)
	d.swept(t, l)
	return counts
}

func (d *diary) swept(t testing.TB, l *ledger.Ledger) {
	t.Helper()
	swept, err := l.Sweep(ctx, d.owner, d.e)
	must(t, err)
	if swept.Left != 0 || len(swept.Pending) > 0 {
		t.Errorf("swept: %+v, want nothing left", swept)
	}
	if left, err := l.Unfinished(ctx); err != nil || len(left) != 0 {
		t.Errorf("%d forgettings unfinished, %v", len(left), err)
	}
}

func kinds(ops []memory.Op) (list []memory.OpKind) {
	for _, o := range ops {
		list = append(list, o.Kind)
	}
	return list
}

func TestForgettingTakesWhatSaysIt(t *testing.T) {
	l := open(t, t.TempDir())
	d, other := keep(t, l, "1001"), keep(t, l, "1002")
	d.plan(t, l)
	other.plan(t, l)
	before, theirs := d.said(t, l), other.said(t, l)
	if n := finds(before); n < 11 {
		t.Fatalf("the secret is in %d places before, too few for this test: %s", n, before)
	}
	planned, err := l.Count(ctx, d.owner, d.e.Needle)
	must(t, err)
	counts, ops, err := l.Erase(ctx, d.owner, d.e)
	must(t, err)
	want := map[string]int{"notes": 1, "messages": 2, "turns": 2, "summaries": 1, "replies": 3, "questions": 1, "files": 3, "jobs": 1, "settings": 1}
	if !maps.Equal(counts, want) {
		t.Errorf("erased %v, want %v", counts, want)
	}
	planned["notes"] = 1
	if !maps.Equal(planned, want) {
		t.Errorf("planned %v, want %v", planned, want)
	}
	if got := kinds(ops); !slices.Equal(got, []memory.OpKind{memory.Intend, memory.Erase}) {
		t.Errorf("appended %v", got)
	}
	d.swept(t, l)

	after := d.said(t, l)
	if n := finds(after); n > 0 {
		t.Errorf("the secret is still in %d places: %s", n, after)
	}
	// The turn that stood behind the summary is in front of it again.
	if got, want := strings.Count(after, "zqxgreen"), strings.Count(before, "zqxgreen")+1; got != want {
		t.Errorf("the sibling is in %d places, want %d: %s", got, want, after)
	}
	if got := other.said(t, l); got != theirs {
		t.Errorf("another owner's records changed to %s", got)
	}
	if got := kinds(history(t, l, d.owner)); !slices.Equal(got, []memory.OpKind{memory.Add, memory.Add, memory.Intend, memory.Erase, memory.Finish}) {
		t.Errorf("history %v", got)
	}
}

// finds counts the places where the secret is, however it is written.
func finds(text string) int { return strings.Count(canon.Form(text), "zqxkiko") }

func TestForgettingLeavesTheRestAsItWas(t *testing.T) {
	l := open(t, t.TempDir())
	d := keep(t, l, "1001")
	d.forget(t, l)

	sources, err := l.Sources(ctx, d.owner, idsOf(d.in))
	must(t, err)
	if got, want := sources[d.in[0].Message.ID].Segments[1].Text, "** *** ** ****** ********"+" "+sibling; got != want {
		t.Errorf("cited message %q, want %q", got, want)
	}
	c, err := l.Conversation(ctx, d.session)
	must(t, err)
	if len(c.Head) != 0 || len(c.Turns) != 3 {
		t.Fatalf("head %s and %d turns, want the three turns that it stood for", c.Head, len(c.Turns))
	}
	for i, want := range []string{"", `[{"calls":[{"args":{"name":["*******",12345678901234567890]},"id":"c1","name":"zqx"}],"role":"assistant"}]`,
		`[{"role":"user","text":"My bike is zqxgreen.","blob":"ghi"}]`} {
		if got := string(c.Turns[i].History); want != "" && got != want {
			t.Errorf("turn %d is %s, want %s", i, got, want)
		}
	}
	if first := string(c.Turns[0].History); strings.Contains(first, "blob") || !strings.Contains(first, sibling) {
		t.Errorf("turn 0 is %s, want the sibling and no blobs", first)
	}
	if hits, err := l.Hits(ctx, d.owner); err != nil || hits[d.notes[0]] != 0 || hits[d.notes[1]] != 1 {
		t.Errorf("hits %v, %v", hits, err)
	}
	dead, err := l.DeadLetters(ctx, 10)
	must(t, err)
	var reasons []string
	for _, x := range dead {
		reasons = append(reasons, x.Reason)
		if x.At.IsZero() || time.Since(x.At) > time.Minute {
			t.Errorf("dead since %v", x.At)
		}
	}
	if want := []string{"forgotten", "forgotten", "blocked"}; !slices.Equal(reasons, want) {
		t.Errorf("dead letters %v, want %v", reasons, want)
	}
	if err := l.PutAttachment(ctx, d.owner, d.in[0].Message.ID, 0, nacre.Document, []byte(secret)); err != nil {
		t.Fatal(err)
	}
	for place, want := range []nacre.Kind{nacre.NotFound, nacre.Internal, nacre.NotFound, nacre.NotFound} { // the last for what was heard in it
		if _, err := l.Attachment(ctx, d.owner, d.in[0].Message.ID, place); nacre.KindOf(err) != want {
			t.Errorf("attachment %d: %v", place, err)
		}
	}
}

func TestForgettingANoteKeepsWhatWasSaid(t *testing.T) {
	l := open(t, t.TempDir())
	d := keep(t, l, "1001")
	before := d.said(t, l)
	d.e.Size, d.e.Cited, d.e.Needle = memory.SizeNote, nil, nil
	counts := d.forget(t, l)
	if !maps.Equal(counts, map[string]int{"notes": 1}) {
		t.Errorf("erased %v", counts)
	}
	ops := history(t, l, d.owner)
	if ops[0].Payload.Body != nil || ops[1].Payload.Body == nil || ops[3].Payload.Tomb == nil {
		t.Errorf("history %+v", ops)
	}
	// The note itself, its file and what memory was asking are what went.
	if got, want := finds(d.said(t, l)), finds(before)-3; got != want {
		t.Errorf("the secret is in %d places, want %d of %d", got, want, finds(before))
	}
}

// TestForgettingBySpansAlone blanks cited places where nothing else is known.
func TestForgettingBySpansAlone(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	in := put(t, l, message(o, "1001", "1", "Grüße an\u00a0Zoë, bitte"))
	for place := range 2 {
		must(t, l.PutAttachment(ctx, o, in[0].Message.ID, place, nacre.Voice, []byte("voice")))
		must(t, l.PutReading(ctx, o, in[0].Message.ID, place, nacre.Reading{Text: nacre.Segment{Provenance: nacre.ByVoice, Text: "spoken"}}))
	}
	e := memory.Erasure{ID: nacre.NewID(time.Now()), Size: memory.SizeSaid, Writer: memory.ByPage,
		Cited: []memory.Evidence{{Message: in[0].Message.ID, Segment: 1, From: 0, To: 16}, {Message: in[0].Message.ID, Segment: 3, From: 0, To: 3}, {Message: in[0].Message.ID, Segment: 9, From: 0, To: 5}, {Message: "none", To: 3}}}
	if _, _, err := l.Erase(ctx, o, e); err != nil {
		t.Fatal(err)
	}
	got, err := l.Pending(ctx, in[0].Session, 0)
	must(t, err)
	if want := "******* **\u00a0****, bitte"; got[0].Text() != want || len(want) != len(in[0].Message.Text()) {
		t.Errorf("blanked %q, want %q", got[0].Text(), want)
	}
	// What was said in an attachment goes with it.
	for place, there := range []bool{true, false} {
		_, file := l.Attachment(ctx, o, in[0].Message.ID, place)
		_, words := l.Reading(ctx, o, in[0].Message.ID, place)
		if (file == nil) != there || (words == nil) != there {
			t.Errorf("attachment %d: %v and %v, want it there: %v", place, file, words, there)
		}
	}
}

func TestForgettingWhatMemoryNoLongerIs(t *testing.T) {
	l := open(t, t.TempDir())
	d := keep(t, l, "1001")
	before := d.said(t, l)
	d.e.Base = 1
	for range 2 {
		if _, _, err := l.Erase(ctx, d.owner, d.e); nacre.KindOf(err) != nacre.Conflict {
			t.Fatalf("erase at an old version: %v", err)
		}
	}
	if left, err := l.Unfinished(ctx); err != nil || len(left) > 0 {
		t.Errorf("unfinished %v, %v", left, err)
	}
	after := d.said(t, l)
	if got, want := finds(after), finds(before); got != want {
		t.Errorf("the secret is in %d places, want %d", got, want)
	}
	d.e.ID, d.e.Base = nacre.NewID(time.Now()), 2
	d.forget(t, l)
	if n := finds(d.said(t, l)); n > 0 {
		t.Errorf("the secret is still in %d places", n)
	}
}

func TestForgettingEverything(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	d, other := keep(t, l, "1001"), keep(t, l, "1002")
	d.plan(t, l)
	other.plan(t, l)
	theirs := other.said(t, l)
	oldKey, err := l.TombKey(d.owner)
	must(t, err)
	asking := put(t, l, message(d.owner, "1001", "4", "forget everything"))
	elsewhere := put(t, l, message(d.owner, "2001", "1", "unanswered"))
	for _, step := range l.EraseSteps(d.owner, d.e)[:1] { // another one that is under way
		must(t, step(ctx))
	}
	d.everything()
	d.e.ID = nacre.NewID(time.Now())
	counts := d.forget(t, l)
	want := map[string]int{"notes": 2, "messages": 5, "turns": 3, "summaries": 1, "replies": 5, "questions": 2, "files": 4, "jobs": 2, "settings": 2}
	if !maps.Equal(counts, want) {
		t.Errorf("erased %v, want %v", counts, want)
	}
	if text := d.said(t, l); finds(text) > 0 || strings.Contains(text, "zqxgreen") {
		t.Errorf("still there: %s", text)
	}
	wantSettings(t, l, d.owner, map[string]string{})
	wantSettings(t, l, other.owner, map[string]string{"name": "Zqxkiko's Ada", "hours": "zqxgreen"})
	if got := other.said(t, l); got != theirs {
		t.Errorf("another owner's records changed to %s", got)
	}
	if key, err := l.TombKey(d.owner); err != nil || key == oldKey {
		t.Errorf("the tombstone key is the old one, %v", err)
	}
	if got, err := l.Pending(ctx, elsewhere[0].Session, 0); err != nil || len(got) > 0 {
		t.Errorf("%d messages wait for an answer, %v", len(got), err)
	}
	// The turn that asked for it still commits, and the conversation goes on.
	commit(t, l, turnOver(asking, "Done."))
	if _, err := l.Commit(ctx, turnOver(asking, "Done.")); nacre.KindOf(err) != nacre.Conflict {
		t.Errorf("a second commit: %v", err)
	}
	again := put(t, l, message(d.owner, "1001", "5", "hello"), message(d.owner, "1001", "1", secret))
	if again[1].Message.Seq != 0 {
		t.Error("a message that was forgotten is stored again when it comes again")
	}
	if got, err := l.Pending(ctx, again[0].Session, 0); err != nil || len(got) != 1 || got[0].Text() != "hello" {
		t.Errorf("pending %v, %v", got, err)
	}
	if c, err := l.Conversation(ctx, d.session); err != nil || len(c.Turns) != 1 {
		t.Errorf("%d turns, %v", len(c.Turns), err)
	}
	var fresh, last int
	must(t, database(t, dir).QueryRow("SELECT fresh_after, (SELECT max(seq) - 1 FROM turns) FROM sessions WHERE id = ?", d.session.ID).Scan(&fresh, &last))
	if fresh != last {
		t.Errorf("the conversation begins after turn %d, want %d", fresh, last)
	}
}

// everything makes the Erasure one of all that is kept.
func (d *diary) everything() {
	d.e.Size, d.e.Notes, d.e.Cited, d.e.Needle = memory.SizeAll, nil, nil, &memory.Needle{All: true}
	d.e.Ops = []memory.Op{{Writer: memory.ByCommand, Via: nacre.Telegram, Kind: memory.Erase, Reason: memory.Everything, Payload: memory.Payload{V: 1}}}
}
