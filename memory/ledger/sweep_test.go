package ledger_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nacre"
	"nacre/memory"
	"nacre/memory/ledger"
)

// bytesIn reads the files that lie in a directory.
func bytesIn(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	m := map[string][]byte{}
	for _, e := range entries {
		if e.Type().IsRegular() {
			m[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name()))
			must(t, err)
		}
	}
	return m
}

// filesWith names the files of a directory that hold any of some bytes.
func filesWith(t *testing.T, dir string, any ...[]byte) (names []string) {
	t.Helper()
	for name, content := range bytesIn(t, dir) {
		if slices.ContainsFunc(any, func(b []byte) bool { return bytes.Contains(content, b) }) {
			names = append(names, name)
		}
	}
	return names
}

// TestSweepWaitsForReaders: as long as somebody reads, the log keeps what was
// overwritten.
func TestSweepWaitsForReaders(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	d := keep(t, l, "1001")
	copied, err := l.Copy(d.owner)
	must(t, err)
	var said, other [][]byte
	for _, c := range copied {
		if finds(c.Plain) > 0 {
			said = append(said, c.Sealed[:32]) // more may lie apart, on pages of its own
		} else if c.Table == "inbox" {
			other = append(other, c.Sealed[:32])
		}
	}
	if len(said) < 9 || len(other) == 0 || len(filesWith(t, dir, said...)) == 0 {
		t.Fatalf("%d rows say it, in %v", len(said), filesWith(t, dir, said...))
	}
	db := database(t, dir)
	reader, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	must(t, err)
	var n int
	must(t, reader.QueryRow("SELECT count(*) FROM inbox").Scan(&n))

	_, _, err = l.Erase(ctx, d.owner, d.e)
	must(t, err)
	for range 2 {
		swept, err := l.Sweep(ctx, d.owner, d.e)
		must(t, err)
		if swept.Left != 0 || len(swept.Pending) != 1 || !strings.Contains(swept.Pending[0], "log is still being read") {
			t.Errorf("swept with a reader: %+v", swept)
		}
	}
	if len(filesWith(t, dir, said...)) == 0 {
		t.Error("the log holds nothing of it, so that this test shows nothing")
	}
	if left, err := l.Unfinished(ctx); err != nil || len(left) != 1 {
		t.Errorf("%d unfinished, %v", len(left), err)
	}
	must(t, reader.Rollback())
	d.swept(t, l)
	if names := filesWith(t, dir, said...); len(names) > 0 {
		t.Errorf("what was sealed is still in %v", names)
	}
	if names := filesWith(t, dir, other...); !slices.Contains(names, "nacre.db") {
		t.Errorf("the sibling is in %v", names)
	}
	if names := filesWith(t, dir, []byte("qxkiko"), []byte("QXKIKO")); len(names) > 0 {
		t.Errorf("it stands in clear in %v", names)
	}
	if again, err := l.Sweep(ctx, d.owner, d.e); err != nil || again.Left != 0 || again.Pending != nil {
		t.Errorf("swept again: %+v, %v", again, err)
	}
}

// TestSweepFindsWhatCameBack needs no plan: what said it after everything was
// erased is found as well.
func TestSweepFindsWhatCameBack(t *testing.T) {
	for name, again := range map[string]func(l *ledger.Ledger, d *diary){
		"a message": func(l *ledger.Ledger, d *diary) { put(t, l, message(d.owner, "1001", "8", secret)) },
		"a turn": func(l *ledger.Ledger, d *diary) {
			commit(t, l, turnOver(put(t, l, message(d.owner, "1001", "8", "?")), secret))
		},
		"a file": func(l *ledger.Ledger, d *diary) { must(t, l.PutFile(ctx, d.owner, "MEMORY.md", []byte(secret))) },
		"a note": func(l *ledger.Ledger, d *diary) { appended(t, l, d.owner, 3, opAdding("Zqxkiko barks")) },
	} {
		t.Run(name, func(t *testing.T) {
			l := open(t, t.TempDir())
			d := keep(t, l, "1001")
			_, _, err := l.Erase(ctx, d.owner, d.e)
			must(t, err)
			again(l, d)
			swept, err := l.Sweep(ctx, d.owner, d.e)
			must(t, err)
			if swept.Left != 1 || swept.Pending != nil {
				t.Errorf("swept: %+v, want one place", swept)
			}
			if name == "a note" {
				return // another forgetting takes it
			}
			d.forget(t, l)
		})
	}
}

// TestSweepMakesSureOfTheKeys takes the rows, but not their keys.
func TestSweepMakesSureOfTheKeys(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	d := keep(t, l, "1001")
	d.e.Size, d.e.Cited, d.e.Needle = memory.SizeNote, nil, nil
	for _, step := range l.EraseSteps(d.owner, d.e)[:2] {
		if _, err := l.Sweep(ctx, d.owner, d.e); nacre.KindOf(err) != nacre.NotFound {
			t.Errorf("swept before anything was erased: %v", err)
		}
		must(t, step(ctx))
	}
	_, err := database(t, dir).Exec("DELETE FROM doomed") // as nobody does
	must(t, err)
	if swept, err := l.Sweep(ctx, d.owner, d.e); err != nil || swept.Left != 1 {
		t.Errorf("%+v, %v, want one op whose key is there", swept, err)
	}
}

func TestSweepLooksIntoFiles(t *testing.T) {
	dir := t.TempDir()
	keys := filepath.Join(t.TempDir(), "keys.nacre")
	l, err := ledger.Open(ctx, ledger.Options{Dir: dir, Keys: keys})
	must(t, err)
	defer l.Close()
	who := owners(t, l, "1001", "4915112345678")
	random := make([]byte, 3<<20)
	rand.NewChaCha8([32]byte{1}).Read(random)
	amid := func(at int, text string) []byte {
		b := bytes.Clone(random)
		copy(b[at:], text)
		return b
	}
	e := memory.Erasure{ID: "id", Size: memory.SizeSaid, Writer: memory.ByPage,
		Needle: &memory.Needle{Quotes: []string{"my dog is called zqxkiko"}, Marks: []string{"zqxkiko", "zqx", "4915112345678"}}}
	_, _, err = l.Erase(ctx, who[0], e)
	must(t, err)
	for _, c := range []struct {
		name, file string
		content    []byte
		left       int
	}{
		{"nothing of it", "notes.txt", []byte(sibling + " and zqx"), 0},
		{"a text", "log/a.txt", []byte("then: " + secret), 1},
		{"other case and spacing", "a.txt", []byte(`{"t":"MY DOG is called: \"x"} MY  DOG -- is called ZqxKIKO.`), 1},
		{"a name alone", "a", []byte("ZQXKIKO"), 1},
		{"a number in a text", "a.csv", []byte("call +49 151, 4915112345678"), 1},
		{"in the middle of other bytes", "core", amid(1000, "\x00\x01 it is Zqxkiko here \x00"), 1},
		{"where two pieces meet", "core", amid(1<<20-7, "\x00\x01 it is Zqxkiko here \x00"), 1},
		{"where two later pieces meet", "core", amid(2<<20-100, "\x00\x01 it is Zqxkiko here \x00"), 1},
		{"a few letters by chance", "core", amid(1000, "\x00zqxkiko\xff"), 0},
		{"another owner's file", "owners/" + string(who[1]) + "/MEMORY.md", []byte(secret), 0},
		{"the owner's file", "owners/" + string(who[0]) + "/MEMORY.md", []byte(secret), 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(dir, c.file)
			must(t, os.MkdirAll(filepath.Dir(path), 0o700))
			must(t, os.WriteFile(path, c.content, 0o600))
			defer os.Remove(path)
			must(t, os.WriteFile(filepath.Join(dir, "always.txt"), []byte(secret), 0o600))
			swept, err := l.Sweep(ctx, who[0], e)
			if err != nil || swept.Left != 1+c.left || swept.Pending != nil {
				t.Errorf("%+v, %v, want %d left", swept, err, 1+c.left)
			}
		})
	}
	// The number is in the database, as that of an address, and in no file.
	if names := filesWith(t, dir, []byte("4915112345678")); !slices.Equal(names, []string{"nacre.db"}) {
		t.Errorf("the number is in %v", names)
	}
	must(t, os.Remove(filepath.Join(dir, "always.txt")))
	must(t, os.WriteFile(keys+".txt", []byte(secret), 0o600)) // beside the key file, and none of ours
	if swept, err := l.Sweep(ctx, who[0], e); err != nil || swept.Left != 0 || swept.Pending != nil {
		t.Errorf("%+v, %v, want nothing left", swept, err)
	}
}

// TestSweepLooksIntoOtherDatabases reads another database in the directory,
// which must not cost its user the locks on it.
func TestSweepLooksIntoOtherDatabases(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	o := owners(t, l, "1001")[0]
	db, err := sql.Open("sqlite", filepath.Join(dir, "whatsapp.db"))
	must(t, err)
	defer db.Close()
	_, err = db.Exec("CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('the dog is Zqxkiko, I said')")
	must(t, err)
	e := memory.Erasure{ID: "id", Size: memory.SizeSaid, Writer: memory.ByPage, Needle: needle()}
	_, _, err = l.Erase(ctx, o, e)
	must(t, err)
	if swept, err := l.Sweep(ctx, o, e); err != nil || swept.Left != 1 {
		t.Errorf("%+v, %v, want one place", swept, err)
	}
	_, err = db.Exec("PRAGMA secure_delete = 1; DELETE FROM t")
	must(t, err)
	if swept, err := l.Sweep(ctx, o, e); err != nil || swept.Left != 0 {
		t.Errorf("%+v, %v, want nothing left", swept, err)
	}
}

// TestSweepHasFilesBesideTheDatabaseCleaned looks into a database of another
// library, whose freed pages and log keep what it deleted, until that is told to
// let go of it.
func TestSweepHasFilesBesideTheDatabaseCleaned(t *testing.T) {
	dir := t.TempDir()
	busy := nacre.Errorf(nacre.Transient, "it is in use")
	broken := errors.New("it is broken")
	var beside error
	var scrub func() error
	l, err := ledger.Open(ctx, ledger.Options{Dir: dir, Keys: filepath.Join(dir, "keys.nacre"), Beside: func(context.Context) error {
		if beside != nil {
			return beside
		}
		return scrub()
	}})
	must(t, err)
	defer l.Close()
	o := owners(t, l, "1001")[0]
	db, err := sql.Open("sqlite", filepath.Join(dir, "whatsapp.db")+"?_pragma=journal_mode(WAL)&_pragma=secure_delete(OFF)")
	must(t, err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	run := func(query string) error {
		_, err := db.Exec(query)
		return err
	}
	scrub = func() error { return nil }
	// It stays in a freed page of the file, and goes to the log at the same time.
	must(t, run("CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('the dog is Zqxkiko, I said 4915112345678'); PRAGMA wal_checkpoint(TRUNCATE); DELETE FROM t"))
	must(t, run("CREATE TABLE u (a TEXT); INSERT INTO u VALUES ('the dog is Zqxkiko, I said'); DELETE FROM u; INSERT INTO u VALUES ('4915112345678 and nothing more of it')"))
	if names := filesWith(t, dir, []byte("Zqxkiko")); !slices.Contains(names, "whatsapp.db") || !slices.Contains(names, "whatsapp.db-wal") {
		t.Fatalf("it is in %v", names)
	}
	e := memory.Erasure{ID: "id", Size: memory.SizeSaid, Writer: memory.ByPage, Needle: needle()}
	e.Needle.Marks = append(e.Needle.Marks, "4915112345678") // which a database may hold
	_, _, err = l.Erase(ctx, o, e)
	must(t, err)

	if swept, err := l.Sweep(ctx, o, e); err != nil || swept.Left != 2 || swept.Pending != nil {
		t.Errorf("without cleaning: %+v, %v, want the file and its log", swept, err)
	}
	beside = busy
	if swept, err := l.Sweep(ctx, o, e); err != nil || swept.Left != 2 || len(swept.Pending) != 1 || !strings.Contains(swept.Pending[0], "beside the database") {
		t.Errorf("while it is in use: %+v, %v", swept, err)
	}
	beside = broken
	if _, err := l.Sweep(ctx, o, e); !errors.Is(err, broken) {
		t.Errorf("when it is broken: %v", err)
	}
	beside, scrub = nil, func() error { return run("PRAGMA wal_checkpoint(TRUNCATE)") }
	if swept, err := l.Sweep(ctx, o, e); err != nil || swept.Left != 1 {
		t.Errorf("with an empty log: %+v, %v, want the file", swept, err)
	}
	scrub = func() error { return run("PRAGMA secure_delete = ON; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)") }
	if swept, err := l.Sweep(ctx, o, e); err != nil || swept.Left != 0 || swept.Pending != nil {
		t.Errorf("cleaned: %+v, %v, want nothing left", swept, err)
	}
	if names := filesWith(t, dir, []byte("4915112345678")); !slices.Equal(names, []string{"whatsapp.db"}) {
		t.Errorf("the number is in %v", names)
	}
	must(t, run("INSERT INTO u VALUES ('it is still whole')"))
}

// TestEveryConnectionDeletesForGood: pragmas are of a connection, and there is a
// pool of them.
func TestEveryConnectionDeletesForGood(t *testing.T) {
	l := open(t, t.TempDir())
	writing, reading := l.Pools()
	conns := []*sql.Conn{writing}
	for range reading.Stats().MaxOpenConnections {
		c, err := reading.Conn(ctx)
		must(t, err)
		defer c.Close()
		conns = append(conns, c)
	}
	for i, c := range conns {
		for pragma, want := range map[string]string{"secure_delete": "1", "journal_mode": "wal", "temp_store": "2", "synchronous": "2"} {
			var got string
			if err := c.QueryRowContext(ctx, "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
				t.Errorf("connection %d has %s %q, %v; want %q", i, pragma, got, err, want)
			}
		}
	}
	if len(conns) != 5 {
		t.Errorf("%d connections", len(conns))
	}
}
