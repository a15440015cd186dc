package vault

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"nacre"
)

// What is exported is imported elsewhere, under another master key or none, and opens
// what it opened, and nothing that was destroyed.
func TestImportOpensWhatWasExported(t *testing.T) {
	v := newVault(t, []byte("the master key of one machine"), "ana", "ben")
	kept, gone := Binding{Owner: "ana", Table: "inbox", Record: 1}, Binding{Owner: "ana", Table: "inbox", Record: 2}
	for range 2 {
		if _, err := v.Next(); err != nil {
			t.Fatal(err)
		}
	}
	words, forgotten := seal(t, v, kept, "words"), seal(t, v, gone, "forgotten")
	before := v.Export()
	if err := v.Puncture("ana", 2); err != nil {
		t.Fatal(err)
	}
	c, err := Exported(v.Export())
	if err != nil || c.ID != v.ID() || c.Punctures != 1 || !slices.Equal(c.Owners, []nacre.OwnerID{"ana", "ben"}) {
		t.Errorf("exported are %+v, %v", c, err)
	}
	for name, x := range map[string]struct {
		exported, master []byte
		least, count     uint64
		opens            bool
	}{
		"as it is":               {v.Export(), nil, 0, 1, false},
		"under another master":   {v.Export(), []byte("the master key of another machine"), 0, 1, false},
		"from before, as it was": {before, nil, 0, 0, true},
		"from before, and known": {before, nil, 7, 7, true},
	} {
		path := filepath.Join(t.TempDir(), "keys.nacre")
		if err := os.WriteFile(path+".new", []byte("half of another"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Import(path, x.exported, x.master, x.least); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("%s: the file is %v, %v", name, st, err)
		}
		if err := Import(path, x.exported, x.master, x.least); nacre.KindOf(err) != nacre.Conflict {
			t.Errorf("%s: over a file: %v", name, err)
		}
		w := loadFile(t, path, x.master)
		if w.ID() != v.ID() || w.Punctures() != x.count || !opens(w, kept, words, "words") || opens(w, gone, forgotten, "forgotten") != x.opens {
			t.Errorf("%s: it is %v with %d punctures, or opens something else", name, w, w.Punctures())
		}
		if n, err := w.Next(); err != nil || n <= 2 {
			t.Errorf("%s: the next record is %d, %v", name, n, err)
		}
	}
}

func TestImportWhereNothingCanBeWritten(t *testing.T) {
	v := newVault(t, nil, "ana")
	if err := Import(filepath.Join(t.TempDir(), "no", "keys.nacre"), v.Export(), nil, 0); nacre.KindOf(err) != nacre.Invalid {
		t.Errorf("into no directory: %v", err)
	}
	if err := Import(filepath.Join(t.TempDir(), "keys.nacre"), []byte("no keys"), nil, 0); nacre.KindOf(err) != nacre.Invalid {
		t.Errorf("of something else: %v", err)
	}
}

// A copy for a rehearsal is made of a file that is in use, and is as good.
func TestCopyOfAKeyFileInUse(t *testing.T) {
	v := newVault(t, nil, "ana")
	b := Binding{Owner: "ana", Table: "inbox", Record: 1}
	sealed := seal(t, v, b, "words")
	to := filepath.Join(t.TempDir(), "copy")
	if err := Copy(keyPath(v), to); err != nil {
		t.Fatal(err)
	}
	if w := loadFile(t, to, nil); !opens(w, b, sealed, "words") {
		t.Error("the copy does not open what the file does")
	}
	if err := Copy(to+"x", to); nacre.KindOf(err) != nacre.NotFound {
		t.Errorf("of no file: %v", err)
	}
	if err := Copy(keyPath(v), filepath.Join(to, "x")); nacre.KindOf(err) != nacre.Invalid {
		t.Errorf("to no place: %v", err)
	}
}

// FuzzExported: what is taken for an export is one to the last byte, so that a key file
// made of it exports the same again.
func FuzzExported(f *testing.F) {
	v := newVault(f, nil, "ana", "ben")
	if err := v.Puncture("ana", 5, 1<<20); err != nil {
		f.Fatal(err)
	}
	f.Add(v.Export())
	f.Add(v.Export()[:60])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := Exported(b)
		if err != nil {
			if nacre.KindOf(err) != nacre.Invalid {
				t.Errorf("refused as %v", err)
			}
			return
		}
		id, s, _ := parseExport(b)
		if again := append([]byte(id), s.encode()...); !bytes.Equal(again, b) || c.ID != id || len(c.Owners) != len(s.owners) {
			t.Errorf("%x is read as %x", b, again)
		}
	})
}
