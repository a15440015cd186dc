package ledger_test

import (
	"bytes"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"nacre"
	"nacre/memory/ledger"
)

// reopen tries to open a directory and closes it again.
func reopen(dir string) error {
	l, err := ledger.Open(ctx, ledger.Options{Dir: dir, Keys: filepath.Join(dir, "keys.nacre")})
	if err == nil {
		err = l.Close()
	}
	return err
}

// used makes a data directory with one pending message in it.
func used(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	l := open(t, dir)
	put(t, l, message(owners(t, l, "1001")[0], "1001", "7", "hello"))
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestOpenRefusesWhatItCannotServe(t *testing.T) {
	cases := []struct {
		name  string
		spoil func(t *testing.T, dir string)
		kind  nacre.Kind
		says  string
	}{
		{"nothing wrong", func(*testing.T, string) {}, -1, ""},
		{"newer database", func(t *testing.T, dir string) {
			execute(t, dir, "PRAGMA user_version = 999")
		}, nacre.Conflict, "newer Nacre"},
		{"damaged header", func(t *testing.T, dir string) {
			overwrite(t, filepath.Join(dir, "nacre.db"), 0, bytes.Repeat([]byte("junk"), 256))
		}, nacre.Internal, "put back the newest backup"},
		{"damaged pages", func(t *testing.T, dir string) {
			overwrite(t, filepath.Join(dir, "nacre.db"), 100, bytes.Repeat([]byte{0xa5}, 20_000))
		}, nacre.Internal, "put back the newest backup"},
		{"database cut short", func(t *testing.T, dir string) {
			if err := os.Truncate(filepath.Join(dir, "nacre.db"), 5000); err != nil {
				t.Fatal(err)
			}
		}, nacre.Internal, "put back the newest backup"},
		{"database emptied", func(t *testing.T, dir string) {
			if err := os.Truncate(filepath.Join(dir, "nacre.db"), 0); err != nil {
				t.Fatal(err)
			}
		}, nacre.Conflict, "no database"},
		{"database gone", func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, "nacre.db")); err != nil {
				t.Fatal(err)
			}
		}, nacre.Conflict, "mount it"},
		{"key file gone", func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, "keys.nacre")); err != nil {
				t.Fatal(err)
			}
		}, nacre.NotFound, "keys.nacre"},
		{"key file of another database", func(t *testing.T, dir string) {
			b, err := os.ReadFile(filepath.Join(used(t), "keys.nacre"))
			if err != nil {
				t.Fatal(err)
			}
			overwrite(t, filepath.Join(dir, "keys.nacre"), 0, b)
		}, nacre.Conflict, "another database"},
		{"key file older than the forgetting", func(t *testing.T, dir string) {
			execute(t, dir, "INSERT INTO meta (name, value) VALUES ('punctures', '3')")
		}, nacre.Conflict, "old copy"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := used(t)
			c.spoil(t, dir)
			before := contents(t, dir)
			err := reopen(dir)
			if c.kind < 0 {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil || nacre.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v (%s), want %s with %q", err, nacre.KindOf(err), c.kind, c.says)
			}
			after := contents(t, dir)
			for name := range after {
				if !bytes.Equal(before[name], after[name]) {
					t.Errorf("the refused %s was changed", name)
				}
			}
		})
	}
}

// contents reads the files that a refused start must leave alone.
func contents(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, name := range []string{"nacre.db", "keys.nacre"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			all[name] = b
		}
	}
	return all
}

func overwrite(t *testing.T, path string, at int64, b []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt(b, at)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

func execute(t *testing.T, dir, query string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "nacre.db"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec(query)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestSecondProcessIsRefused(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	err := reopen(dir)
	if !errors.Is(err, ledger.ErrLocked) || nacre.KindOf(err) != nacre.Conflict || !strings.Contains(err.Error(), "NACRE_DATA") {
		t.Errorf("second open: %v", err)
	}
	l.Close()
	if err := reopen(dir); err != nil {
		t.Errorf("after the first closed: %v", err)
	}
}

// A slip in the path of the key file neither destroys what is there nor seals
// another installation's keys.
func TestKeyFileInTheWrongPlace(t *testing.T) {
	theirs, ours := used(t), used(t)
	o := ledger.Options{Dir: ours, Keys: filepath.Join(theirs, "keys.nacre"), Master: []byte("a master secret of some length")}
	if _, err := ledger.Open(ctx, o); nacre.KindOf(err) != nacre.Conflict || !strings.Contains(err.Error(), "another database") {
		t.Errorf("another's key file: %v", err)
	}
	if err := reopen(theirs); err != nil {
		t.Errorf("the other installation afterwards: %v", err)
	}
	o.Keys = filepath.Join(ours, "nacre.db")
	if _, err := ledger.Open(ctx, o); nacre.KindOf(err) != nacre.Invalid || !strings.Contains(err.Error(), "NACRE_KEYS") {
		t.Errorf("the database as key file: %v", err)
	}
	if err := reopen(ours); err != nil {
		t.Errorf("our installation afterwards: %v", err)
	}
}

func TestOnlyTheOwnerMayReadTheFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	l := open(t, dir)
	put(t, l, message(owners(t, l, "1001")[0], "1001", "7", "hello"))
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) < 4 {
		t.Fatalf("files %v, %v", files, err)
	}
	for _, f := range append(files, dir) {
		if st, err := os.Stat(f); err != nil || st.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", f, st.Mode(), err)
		}
	}
}

func TestDirectoryThatCannotBeMade(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	err := reopen(filepath.Join(file, "data"))
	if nacre.KindOf(err) != nacre.Invalid || !strings.Contains(err.Error(), "NACRE_DATA") {
		t.Errorf("got %v", err)
	}
}

func TestOddPathsAreOpenedAsTheyAre(t *testing.T) {
	for _, name := range []string{"with space", "100% #1?x=y", "größe", "a&_pragma=foreign_keys(0)"} {
		dir := filepath.Join(t.TempDir(), name)
		if err := reopen(dir); err != nil {
			t.Errorf("%q: %v", name, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "nacre.db")); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestFullDiskLosesNothing(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=2m"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("cannot mount a small file system: %v", err)
		}
		t.Skipf("needs the right to mount a small file system: %v", err)
	}
	defer syscall.Unmount(dir, syscall.MNT_DETACH)
	l := open(t, dir)
	o := owners(t, l, "1001")[0]
	kept := put(t, l, message(o, "1001", "1", "before"))

	filler := filepath.Join(dir, "filler")
	fill(t, filler)
	long := strings.Repeat("long ", 20_000)
	err := l.Put(ctx, []nacre.Inbound{message(o, "1001", "2", long)})
	if nacre.KindOf(err) != nacre.Transient || !strings.Contains(err.Error(), "disk that holds the data directory is full") {
		t.Fatalf("put on a full disk: %v", err)
	}
	if got, err := l.Pending(ctx, kept[0].Session, 0); err != nil || len(got) != 1 {
		t.Errorf("pending on a full disk: %d, %v", len(got), err)
	}
	turn := turnOver(kept, strings.Repeat("answer ", 20_000))
	if _, err := l.Commit(ctx, turn); nacre.KindOf(err) != nacre.Transient {
		t.Errorf("commit on a full disk: %v", err)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if ds := commit(t, l, turn); len(ds) != 1 {
		t.Errorf("%d deliveries after space came back", len(ds))
	}
	put(t, l, message(o, "1001", "2", long))
	l.Close()
	l = open(t, dir)
	if got, err := l.Pending(ctx, kept[0].Session, 0); err != nil || len(got) != 1 || got[0].Text() != long {
		t.Errorf("pending after space came back: %d, %v", len(got), err)
	}
}

// fill writes until there is no space left.
func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	block := make([]byte, 4096)
	for range 1 << 20 {
		if _, err := f.Write(block); err != nil {
			return
		}
	}
	t.Fatal("the disk never became full")
}

func TestMasterKeySealsTheKeyFile(t *testing.T) {
	dir := t.TempDir()
	o := ledger.Options{Dir: dir, Keys: filepath.Join(dir, "keys.nacre"), Master: []byte("a master secret of some length")}
	l, err := ledger.Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	in := put(t, l, message(owners(t, l, "1001")[0], "1001", "7", "hello"))
	l.Close()

	for name, master := range map[string][]byte{"none": nil, "wrong": []byte("another secret of some length")} {
		o := o
		o.Master = master
		if _, err := ledger.Open(ctx, o); nacre.KindOf(err) == nacre.Internal {
			t.Errorf("%s master key: %v, want a refusal that says what to do", name, err)
		}
	}
	if l, err = ledger.Open(ctx, o); err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if got, err := l.Pending(ctx, in[0].Session, 0); err != nil || len(got) != 1 || got[0].Text() != "hello" {
		t.Errorf("with the right key: %v, %v", got, err)
	}
}

// accept goes on with a database that does not know what its key file has
// destroyed.
func accept(t *testing.T, dir string) {
	t.Helper()
	l, err := ledger.Open(ctx, ledger.Options{Dir: dir, Keys: filepath.Join(dir, "keys.nacre"), Older: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// A database from before a forgetting is served only to somebody who knows, and
// does not bring back what was forgotten.
func TestOlderDatabase(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	d := keep(t, l, "1001")
	l.Close()
	older, err := os.ReadFile(filepath.Join(dir, "nacre.db"))
	must(t, err)
	l = open(t, dir)
	d.forget(t, l)
	d.swept(t, l)
	l.Close()
	must(t, reopen(dir))
	must(t, os.WriteFile(filepath.Join(dir, "nacre.db"), older, 0o600))
	if err := reopen(dir); nacre.KindOf(err) != nacre.Conflict || !strings.Contains(err.Error(), "older copy") {
		t.Errorf("it is served: %v", err)
	}
	accept(t, dir)
	must(t, reopen(dir))
	if text := d.said(t, open(t, dir)); finds(text) > 0 || !strings.Contains(text, "zqxgreen") {
		t.Errorf("it says %s", text)
	}
}
