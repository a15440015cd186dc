package ledger_test

import (
	"crypto/sha256"
	"database/sql"
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/ledger"
	"nacre/memory/vault"
)

var _ memory.Log = (*ledger.Ledger)(nil)

func newNote() nacre.NoteID { return nacre.NoteID(nacre.NewID(time.Now())) }

func exactTag(value string) memory.Hash { return sha256.Sum256([]byte(value)) }

// opAdding is an Op that adds a note, as Review makes them.
func opAdding(text string) memory.Op {
	body := &memory.Body{Slot: memory.Slot{Area: memory.About, Slug: "bike"}, Text: text, Kind: memory.KindPossession,
		Entities: []string{"Kalkhoff"}, Origin: memory.FromWords}
	sent := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	return memory.Op{Writer: memory.ByChat, Via: nacre.Telegram, Kind: memory.Add, Note: newNote(), Reason: memory.ByOwner, Tag: exactTag(text),
		Payload: memory.Payload{V: 1, Body: body, Status: memory.Stated,
			Evidence: []memory.Evidence{{Message: "019c2fd1-2a95-7cc1-9d2b-000000000001", Segment: 1, From: 2, To: 9, Sent: sent}}}}
}

func opRefusing(why memory.Reason) memory.Op {
	return memory.Op{Writer: memory.ByReflect, Kind: memory.Refuse, Reason: why, Payload: memory.Payload{V: 1}}
}

// opRejecting rejects a note and puts up a tombstone over its value.
func opRejecting(note nacre.NoteID, value string) memory.Op {
	return memory.Op{Writer: memory.ByPage, Via: nacre.Web, Kind: memory.Settle, Note: note, Reason: memory.ByOwner,
		Payload: memory.Payload{V: 1, Status: memory.Rejected, Tomb: &memory.Tombstone{Exact: exactTag(value), Stems: []memory.Hash{exactTag("stem")}}}}
}

func opLifting(of ...memory.OpID) memory.Op {
	return memory.Op{Writer: memory.ByCommand, Via: nacre.Telegram, Kind: memory.Lift, Payload: memory.Payload{V: 1, Lifts: of}}
}

func appended(t testing.TB, l *ledger.Ledger, owner nacre.OwnerID, base int64, ops ...memory.Op) []memory.Op {
	t.Helper()
	done, err := l.Append(ctx, owner, base, ops, nil)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func history(t testing.TB, l *ledger.Ledger, owner nacre.OwnerID) []memory.Op {
	t.Helper()
	ops, err := l.Ops(ctx, owner, -1, true)
	if err != nil {
		t.Fatal(err)
	}
	return ops
}

func TestOpsComeBackAsTheyWereAppended(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	who := owners(t, l, "1001", "1002")
	a, b := who[0], who[1]
	began := time.Now().Truncate(time.Millisecond)
	first := appended(t, l, a, 0, opAdding("rides a bike"), opRefusing(memory.NoQuote), opRejecting(newNote(), "drives"))
	other := appended(t, l, b, 0, opAdding("rides a bike"))
	second := appended(t, l, a, 2, opLifting(first[2].ID), opAdding("drives"))

	want := append(first, second...)
	for i, version := range []int64{1, 1, 2, 3, 4} {
		o := want[i]
		if o.Version != version || o.At.Before(began) || o.At.After(time.Now()) || len(o.ID) != 36 {
			t.Errorf("op %d: version %d at %s with id %q, want version %d", i, o.Version, o.At, o.ID, version)
		}
	}
	if other[0].Seq != 3 || second[0].Seq != 4 || second[1].Seq != 5 {
		t.Errorf("leaves %d, %d and %d, want 3, 4 and 5", other[0].Seq, second[0].Seq, second[1].Seq)
	}
	for _, when := range []string{"at once", "after a restart"} {
		if got := history(t, l, a); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, want %+v", when, got, want)
		}
		if got := history(t, l, b); !reflect.DeepEqual(got, other) {
			t.Errorf("%s, the other owner: got %+v, want %+v", when, got, other)
		}
		l.Close()
		l = open(t, dir)
	}
}

func TestOpsAreListedInPieces(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	intend := memory.Op{Writer: memory.ByCommand, Kind: memory.Intend}
	appended(t, l, o, 0, opAdding("a"), opRefusing(memory.IsSecret), intend, opAdding("b"), opRefusing(memory.IsSecret))
	cases := []struct {
		name     string
		after    int64
		refusals bool
		want     []int64
	}{
		{"all", -1, true, []int64{0, 1, 2, 3, 4}},
		{"without refusals", -1, false, []int64{0, 2, 3}},
		{"after one", 1, true, []int64{2, 3, 4}},
		{"behind the end", 4, true, nil},
	}
	for _, c := range cases {
		ops, err := l.Ops(ctx, o, c.after, c.refusals)
		var got []int64
		for _, op := range ops {
			got = append(got, op.Seq)
		}
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %v, %v; want %v", c.name, got, err, c.want)
		}
	}
}

func TestAppendAtAnotherVersion(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	appended(t, l, o, 0, opAdding("a"), opAdding("b"))
	for _, base := range []int64{0, 1, 3} {
		if _, err := l.Append(ctx, o, base, []memory.Op{opRefusing(memory.Full), opAdding("c")}, nil); nacre.KindOf(err) != nacre.Conflict {
			t.Errorf("on version %d of 2: %v, want a conflict", base, err)
		}
	}
	if got := len(history(t, l, o)); got != 2 {
		t.Errorf("%d ops after the conflicts, want 2", got)
	}
	if got := appended(t, l, o, 0, opRefusing(memory.Full)); got[0].Version != 2 {
		t.Errorf("a refusal decided on an older version has version %d, want 2", got[0].Version)
	}
	if got := appended(t, l, o, 2, opAdding("c")); got[0].Version != 3 || got[0].Seq != 3 {
		t.Errorf("the next change has version %d and leaf %d, want 3 and 3", got[0].Version, got[0].Seq)
	}
}

func TestOneOfTwoWritersWins(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	const rounds = 1000
	for base := range int64(rounds) {
		var errs [2]error
		var both sync.WaitGroup
		for i := range errs {
			both.Go(func() { _, errs[i] = l.Append(ctx, o, base, []memory.Op{opAdding("a")}, nil) })
		}
		both.Wait()
		lost := errs[0]
		if lost == nil {
			lost = errs[1]
		}
		if (errs[0] == nil) == (errs[1] == nil) || nacre.KindOf(lost) != nacre.Conflict {
			t.Fatalf("round %d: %v and %v, want one success and one conflict", base, errs[0], errs[1])
		}
	}
	ops := history(t, l, o)
	if len(ops) != rounds {
		t.Fatalf("%d ops, want %d", len(ops), rounds)
	}
	for i, op := range ops {
		if op.Version != int64(i+1) || op.Seq != int64(i) {
			t.Fatalf("op %d has version %d and leaf %d", i, op.Version, op.Seq)
		}
	}
}

func TestTombstoneStopsItsValue(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	who := owners(t, l, "1001", "1002")
	a, b := who[0], who[1]
	ops := appended(t, l, a, 0, opAdding("rides"), opRejecting(newNote(), "rides"))
	if _, err := l.Append(ctx, a, 2, []memory.Op{opAdding("walks"), opAdding("rides")}, nil); nacre.KindOf(err) != nacre.Conflict {
		t.Errorf("the rejected value: %v, want a conflict", err)
	}
	if got := len(history(t, l, a)); got != 2 {
		t.Errorf("%d ops after the conflict, want 2", got)
	}
	appended(t, l, a, 2, opAdding("walks"))
	appended(t, l, b, 0, opAdding("rides"))
	for owner, want := range map[nacre.OwnerID]int{a: 1, b: 0} {
		if n := tombstones(t, dir, owner); n != want {
			t.Errorf("%d tombstones, want %d", n, want)
		}
	}
	appended(t, l, b, 1, opLifting(ops[1].ID)) // not theirs
	if n := tombstones(t, dir, a); n != 1 {
		t.Errorf("another owner lifted it: %d tombstones", n)
	}
	appended(t, l, a, 3, opLifting(ops[1].ID), opAdding("rides"))
	if n := tombstones(t, dir, a); n != 0 {
		t.Errorf("%d tombstones after it was lifted", n)
	}
}

func TestAppendRefusesWhatTheLogCannotTake(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	cases := []struct {
		name  string
		spoil func(*memory.Op)
		kind  nacre.Kind
	}{
		{"words as a note's id", func(op *memory.Op) { op.Note = "rides a bike" }, nacre.Invalid},
		{"words as a reason", func(op *memory.Op) { op.Reason = "Because I said so" }, nacre.Invalid},
		{"words as a channel", func(op *memory.Op) { op.Via = "my phone" }, nacre.Invalid},
		{"an unknown writer", func(op *memory.Op) { op.Writer = "somebody" }, nacre.Invalid},
		{"an unknown kind", func(op *memory.Op) { op.Kind = "rewrite" }, nacre.Internal},
		{"a note without a tag", func(op *memory.Op) { op.Tag = memory.Hash{} }, nacre.Internal},
	}
	for _, c := range cases {
		op := opAdding("a")
		c.spoil(&op)
		if _, err := l.Append(ctx, o, 0, []memory.Op{op}, nil); err == nil || nacre.KindOf(err) != c.kind {
			t.Errorf("%s: %v, want %s", c.name, err, c.kind)
		}
	}
	if _, err := l.Append(ctx, "nobody", 0, []memory.Op{opAdding("a")}, nil); nacre.KindOf(err) != nacre.NotFound {
		t.Errorf("an owner without keys: %v", err)
	}
	if got := appended(t, l, o, 0, opAdding("a")); got[0].Seq != 0 {
		t.Errorf("after the refused ones the first leaf is %d", got[0].Seq)
	}
}

// database opens the file beside the ledger, for what no method does.
func database(t *testing.T, dir string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "nacre.db")+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestDatabaseKeepsTheRulesByItself(t *testing.T) {
	const insert = `INSERT INTO ops (seq, id, owner, version, at_ms, writer, channel, kind, note, reason, tag, record, sealed)
		SELECT `
	cases := []struct {
		name, query string
		says        string // empty if it is allowed
	}{
		{"an op with its leaf", "INSERT INTO leaves VALUES (3, x'00'); " + insert + "3, 'new', owner, 3, 1, writer, channel, kind, note, reason, x'01', 1, NULL FROM ops WHERE seq = 0", ""},
		{"an op without a leaf", insert + "4, 'newer', owner, 4, 1, writer, channel, kind, note, reason, x'01', 1, NULL FROM ops WHERE seq = 0", "an op needs its leaf"},
		{"a note without a tag", insert + "3, 'newer', owner, 4, 1, writer, channel, kind, note, reason, NULL, 1, NULL FROM ops WHERE seq = 0", "a note needs its tag"},
		{"a forgotten value", insert + "3, 'newer', owner, 4, 1, writer, channel, kind, note, reason, (SELECT exact FROM tombstones), 1, NULL FROM ops WHERE seq = 0", "this value was forgotten"},
		{"the version of another op", "INSERT INTO leaves VALUES (4, x'00'); " + insert + "4, 'newer', owner, 1, 1, writer, channel, kind, note, reason, x'01', 1, NULL FROM ops WHERE seq = 0", "UNIQUE"},
		{"an unknown kind", insert + "4, 'newer', owner, 5, 1, writer, channel, 'rewrite', note, reason, x'01', 1, NULL FROM ops WHERE seq = 0", "CHECK"},
		{"deleting an op", "DELETE FROM ops WHERE seq = 1", "ops are never deleted"},
		{"another reason", "UPDATE ops SET reason = 'owner' WHERE seq = 1", "ops never change"},
		{"another content", "UPDATE ops SET sealed = x'0102' WHERE seq = 1", "ops never change"},
		{"no content", "UPDATE ops SET sealed = NULL WHERE seq = 1", ""},
		{"the content again", "UPDATE ops SET sealed = x'0102' WHERE seq = 1", "ops never change"},
		{"deleting a leaf", "DELETE FROM leaves WHERE n = 1", "leaves are never deleted"},
		{"another leaf", "UPDATE leaves SET leaf = x'00' WHERE n = 1", "leaves never change"},
		{"deleting a hash", "DELETE FROM hashes WHERE n = 1", "hashes are never deleted"},
		{"another hash", "UPDATE hashes SET hash = x'00' WHERE n = 1", "hashes never change"},
		{"deleting a tombstone", "DELETE FROM tombstones", "tombstones are never deleted"},
		{"another tombstone", "UPDATE tombstones SET exact = x'00'", "tombstones never change"},
		{"lifting a tombstone", "UPDATE tombstones SET lifted = (SELECT id FROM ops WHERE seq = 0)", ""},
	}
	dir := t.TempDir()
	l := open(t, dir)
	o := owners(t, l, "1001")[0]
	appended(t, l, o, 0, opAdding("rides"), opRefusing(memory.Full), opRejecting(newNote(), "rides"))
	db := database(t, dir)
	for _, c := range cases {
		_, err := db.Exec(c.query)
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		}
	}
}

func TestFailingLeafUndoesTheOp(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	o := owners(t, l, "1001")[0]
	db := database(t, dir)
	for _, table := range []string{"leaves", "hashes"} {
		if _, err := db.Exec("CREATE TRIGGER broken BEFORE INSERT ON " + table + " BEGIN SELECT RAISE(ABORT, 'no room'); END"); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Append(ctx, o, 0, []memory.Op{opAdding("a")}, nil); err == nil || !strings.Contains(err.Error(), "no room") {
			t.Errorf("append without %s: %v", table, err)
		}
		if got := len(history(t, l, o)); got != 0 {
			t.Errorf("%d ops are there though their %s are not", got, table)
		}
		if _, err := db.Exec("DROP TRIGGER broken"); err != nil {
			t.Fatal(err)
		}
	}
	if got := appended(t, l, o, 0, opAdding("a")); got[0].Seq != 0 || got[0].Version != 1 {
		t.Errorf("the first op afterwards: %+v", got[0])
	}
}

func TestErasedOpSaysNothing(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	o := owners(t, l, "1001")[0]
	want := appended(t, l, o, 0, opAdding("a"), opAdding("b"), opAdding("c"))
	l.Close()
	execute(t, dir, "UPDATE ops SET sealed = NULL WHERE seq = 0")
	var record uint64
	if err := database(t, dir).QueryRow("SELECT record FROM ops WHERE seq = 1").Scan(&record); err != nil {
		t.Fatal(err)
	}
	puncture(t, dir, o, record)

	want[0].Payload, want[1].Payload = memory.Payload{}, memory.Payload{}
	if got := history(t, open(t, dir), o); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// puncture destroys the key of a record of a closed ledger.
func puncture(t *testing.T, dir string, owner nacre.OwnerID, record uint64) {
	t.Helper()
	v, err := vault.Load(filepath.Join(dir, "keys.nacre"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(v.Check(v.ID(), 0, 0), v.Puncture(owner, record), v.Close()); err != nil {
		t.Fatal(err)
	}
	accept(t, dir)
}

func TestDamagedOpIsNoSilence(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	o := owners(t, l, "1001")[0]
	appended(t, l, o, 0, opAdding("a"), opRefusing(memory.Full))
	l.Close()
	execute(t, dir, "DROP TRIGGER ops_do_not_change; UPDATE ops SET sealed = x'0102'")
	l = open(t, dir)
	if ops, err := l.Ops(ctx, o, 0, true); err != nil || len(ops) != 1 || ops[0].Payload.V != 0 {
		t.Errorf("a damaged refusal: %+v, %v", ops, err)
	}
	_, err := l.Ops(ctx, o, -1, true)
	if err == nil || nacre.KindOf(err) != nacre.Internal || !strings.Contains(err.Error(), "nacre verify") {
		t.Errorf("got %v, want a sentence that says what to do", err)
	}
}

func TestTombKeyIsTheOwnersForGood(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	who := owners(t, l, "1001", "1002")
	a, err := l.TombKey(who[0])
	if err != nil || a == (memory.Hash{}) {
		t.Fatal(a, err)
	}
	if b, err := l.TombKey(who[1]); err != nil || b == a {
		t.Errorf("two owners have one key, or none: %v", err)
	}
	l.Close()
	if again, err := open(t, dir).TombKey(who[0]); err != nil || again != a {
		t.Errorf("another key after a restart: %v", err)
	}
}

// tombstones counts those of an owner that the database goes by.
func tombstones(t *testing.T, dir string, owner nacre.OwnerID) (n int) {
	t.Helper()
	if err := database(t, dir).QueryRow("SELECT count(*) FROM tombstones WHERE owner = ? AND lifted IS NULL", owner).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
