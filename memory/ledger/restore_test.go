package ledger_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"nacre"
	"nacre/memory"
	"nacre/memory/ledger"
	"nacre/memory/vault"
)

// snap makes a snapshot of a ledger in a new directory.
func snap(t testing.TB, l *ledger.Ledger) ledger.Snapshot {
	t.Helper()
	s, err := l.Snapshot(ctx, filepath.Join(t.TempDir(), "nacre-1.db"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// bundled makes a key bundle.
func bundled(t testing.TB, l *ledger.Ledger) []byte {
	t.Helper()
	b, err := l.Bundle(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// restoredIn restores into a new directory, and opens what came of it.
func restoredIn(t testing.TB, dir, snapshot string, bundle []byte) (*ledger.Ledger, ledger.Restored) {
	t.Helper()
	r, err := ledger.Restore(ctx, ledger.Options{Dir: dir, Keys: filepath.Join(dir, "keys.nacre")}, snapshot, bundle)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Report.OK() {
		t.Errorf("the log of what was restored: %v", r.Report.Findings)
	}
	return open(t, dir), r
}

func TestRestoredIsWhatWasThere(t *testing.T) {
	l := open(t, t.TempDir())
	d, other := keep(t, l, "1001"), keep(t, l, "1002")
	d.plan(t, l)
	other.forget(t, l)
	in := put(t, l, message(d.owner, "1001", "7", "hello there"))
	s := snap(t, l)
	if st, err := os.Stat(s.Path); err != nil || st.Mode().Perm() != 0o600 || s.Messages != 7 || s.Ops != 7 || s.Bytes != st.Size() {
		t.Errorf("the snapshot is %+v, %v, %v", s, st.Mode(), err)
	}
	back, r := restoredIn(t, t.TempDir(), s.Path, bundled(t, l))
	if r.Counts.Messages != 7 || r.Replayed != 0 || r.Bundled.IsZero() || r.Leaves != 7 {
		t.Errorf("restored %+v", r)
	}
	pending, err := back.Pending(ctx, in[0].Session, 0)
	if err != nil || len(pending) != 1 || pending[0].Typed() != "hello there" {
		t.Errorf("waiting are %+v, %v", pending, err)
	}
	for _, d := range []*diary{d, other} {
		same(t, back, l, d.owner)
		if now, was := d.said(t, back), d.said(t, l); now != was || len(was) < 1000 {
			t.Errorf("what is kept is\n%s\nand was\n%s", now, was)
		}
		now, err := back.OwnSettings(ctx, d.owner)
		must(t, err)
		was, err := l.OwnSettings(ctx, d.owner)
		must(t, err)
		if len(was) == 0 || !reflect.DeepEqual(now, was) {
			t.Errorf("settings are %s; they were %s", now, was)
		}
	}
}

// same compares the memories of an owner in two ledgers.
func same(t *testing.T, a, b *ledger.Ledger, o nacre.OwnerID) {
	t.Helper()
	x, y := history(t, a, o), history(t, b, o)
	if len(x) == 0 || !reflect.DeepEqual(x, y) {
		t.Errorf("memory is %+v; it was %+v", x, y)
	}
}

func TestWhatIsNotRestored(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	o := owners(t, l, "1001")[0]
	put(t, l, message(o, "1001", "7", strings.Repeat("hello ", 4000)))
	good, keys := snap(t, l).Path, bundled(t, l)
	spoiled := func(change func([]byte) []byte) string {
		b, err := os.ReadFile(good)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "spoiled.db")
		if err := os.WriteFile(path, change(b), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	other := open(t, t.TempDir())
	owners(t, other, "1")
	for name, c := range map[string]struct {
		snapshot string
		bundle   []byte
		into     string
		kind     nacre.Kind
	}{
		"all well":          {good, keys, t.TempDir(), -1},
		"no snapshot":       {filepath.Join(dir, "none.db"), keys, t.TempDir(), nacre.NotFound},
		"cut short":         {spoiled(func(b []byte) []byte { return b[:len(b)/2] }), keys, t.TempDir(), nacre.Invalid},
		"pages overwritten": {spoiled(func(b []byte) []byte { return append(b[:8192:8192], bytes.Repeat([]byte{0xa5}, len(b)-8192)...) }), keys, t.TempDir(), nacre.Invalid},
		"an index overwritten": {spoiled(func(b []byte) []byte {
			page := root(t, good, "turns")
			copy(b[(page-1)*4096:page*4096], bytes.Repeat([]byte{0xa5}, 4096))
			return b
		}), keys, t.TempDir(), nacre.Invalid},
		"something else": {spoiled(func([]byte) []byte { return []byte("my holidays") }), keys, t.TempDir(), nacre.Invalid},
		"newer": {spoiled(func(b []byte) []byte {
			b[63] = 99 // the user version, at 60 (https://sqlite.org/fileformat.html)
			return b
		}), keys, t.TempDir(), nacre.Conflict},
		"no bundle":               {good, []byte("nacre key bundle 1\n{}"), t.TempDir(), nacre.Invalid},
		"keys of another":         {good, bundled(t, other), t.TempDir(), nacre.Conflict},
		"over a database":         {good, keys, dir2(t), nacre.Conflict},
		"over the log of one":     {good, keys, logOf(t), nacre.Conflict},
		"without any keys at all": {good, nil, t.TempDir(), nacre.NotFound},
	} {
		_, err := ledger.Restore(ctx, ledger.Options{Dir: c.into, Keys: filepath.Join(c.into, "keys.nacre")}, c.snapshot, c.bundle)
		if (err == nil) != (c.kind < 0) || err != nil && nacre.KindOf(err) != c.kind {
			t.Errorf("%s: %v", name, err)
		}
		left, _ := filepath.Glob(filepath.Join(c.into, "*"))
		if left = slices.DeleteFunc(left, func(p string) bool { return filepath.Base(p) == "nacre.lock" }); err != nil && len(left) > 0 && !strings.HasPrefix(name, "over ") {
			t.Errorf("%s: something half restored is left: %q", name, left)
		}
	}
}

// root is the first page of an index of a table.
func root(t *testing.T, path, table string) (page int) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	must(t, err)
	defer db.Close()
	must(t, db.QueryRow("SELECT rootpage FROM sqlite_master WHERE type = 'index' AND tbl_name = ? LIMIT 1", table).Scan(&page))
	return page
}

// logOf is a directory from which somebody moved the database away, but not its log.
func logOf(t *testing.T) string {
	from := t.TempDir()
	l := open(t, from)
	owners(t, l, "1")
	dir := killed(t, from)
	must(t, os.Remove(filepath.Join(dir, "nacre.db")))
	must(t, os.Remove(filepath.Join(dir, "keys.nacre")))
	return dir
}

// dir2 is a directory that is in use by nobody and has a database.
func dir2(t *testing.T) string {
	dir := t.TempDir()
	l := open(t, dir)
	owners(t, l, "1")
	l.Close()
	return dir
}

// What was forgotten after a snapshot is forgotten in what is restored of it, and does
// not come back; the rest does.
func TestForgottenSurvivesARestore(t *testing.T) {
	l := open(t, t.TempDir())
	d, other := keep(t, l, "1001"), keep(t, l, "1002")
	d.plan(t, l)
	theirs := other.said(t, l)
	s, old := snap(t, l), bundled(t, l)
	d.forget(t, l)
	now := bundled(t, l)
	if finds(string(now)) > 0 {
		t.Error("the key bundle says what was forgotten")
	}

	before, _ := restoredIn(t, t.TempDir(), s.Path, old)
	if finds(d.said(t, before)) == 0 {
		t.Fatal("with keys from before it, the snapshot does not say it")
	}
	dir := t.TempDir()
	back, r := restoredIn(t, dir, s.Path, now)
	if r.Replayed != 1 {
		t.Errorf("%d forgettings were replayed", r.Replayed)
	}
	var forgotten, kept, hits int
	must(t, database(t, dir).QueryRow(`SELECT count(*) FILTER (WHERE note = ?1), count(*) FILTER (WHERE note = ?2),
		(SELECT count(*) FROM hits WHERE note = ?1) FROM ops WHERE sealed IS NOT NULL AND kind = 'add'`, d.notes[0], d.notes[1]).Scan(&forgotten, &kept, &hits))
	if forgotten != 0 || kept != 1 || hits != 0 {
		t.Errorf("of the forgotten note %d records and %d hits are left, of the other %d", forgotten, hits, kept)
	}
	if text := d.said(t, back); finds(text) > 0 || !strings.Contains(text, "zqxgreen") {
		t.Errorf("what was restored says %s", text)
	}
	if got := other.said(t, back); got != theirs {
		t.Errorf("another owner's records changed to %s", got)
	}
	wantSettings(t, back, d.owner, map[string]string{"hours": "zqxgreen"})
	st := memory.Fold(memory.NewState(), history(t, back, d.owner)...)
	if n := st.Note(d.notes[0]); n == nil || n.Status != memory.Erased || n.Text != "" {
		t.Errorf("what was forgotten is %+v", n)
	}
	if n := st.Note(d.notes[1]); n == nil || n.Status == memory.Erased || n.Text != sibling {
		t.Errorf("the other note is %+v", n)
	}
	if _, err := back.Append(ctx, d.owner, st.Version, []memory.Op{opAdding(secret)}, nil); nacre.KindOf(err) != nacre.Conflict {
		t.Errorf("learning it again: %v", err)
	}
	appended(t, back, d.owner, st.Version, opAdding("my boat is red"))
}

// So is everything, where everything was forgotten.
func TestForgottenEverythingSurvivesARestore(t *testing.T) {
	l := open(t, t.TempDir())
	d, other := keep(t, l, "1001"), keep(t, l, "1002")
	d.plan(t, l)
	theirs, s := other.said(t, l), snap(t, l)
	d.everything()
	d.forget(t, l)
	back, _ := restoredIn(t, t.TempDir(), s.Path, bundled(t, l))
	if text := d.said(t, back); finds(text) > 0 || strings.Contains(text, "zqxgreen") {
		t.Errorf("what was restored says %s", text)
	}
	if got := other.said(t, back); got != theirs {
		t.Errorf("another owner's records changed to %s", got)
	}
}

// A restore that was killed is begun anew, and there is no database before it is whole.
func TestRestoreThatBrokeOff(t *testing.T) {
	from := t.TempDir()
	l := open(t, from)
	o := owners(t, l, "1001")[0]
	appended(t, l, o, 0, opAdding("my bike is green"))
	then := history(t, l, o)
	s, keys, dir := snap(t, l), bundled(t, l), t.TempDir()
	appended(t, l, o, 1, opAdding("my dog is loud"))
	must(t, os.Rename(killed(t, from), filepath.Join(dir, "restoring"))) // with a log that fits any database
	must(t, vault.Import(filepath.Join(dir, "keys.nacre"), exported(t, keys), nil, 0))
	back, _ := restoredIn(t, dir, s.Path, keys)
	if now := history(t, back, o); len(now) != 1 || !reflect.DeepEqual(now, then) {
		t.Errorf("memory is %+v; it was %+v", now, then)
	}
}

// exported is the part of a key bundle that makes the key file.
func exported(t *testing.T, bundle []byte) []byte {
	t.Helper()
	var b struct{ Keys []byte }
	_, text, _ := bytes.Cut(bundle, []byte("\n"))
	must(t, json.Unmarshal(text, &b))
	return b.Keys
}
