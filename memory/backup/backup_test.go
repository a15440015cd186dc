package backup_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/memory/backup"
)

func set(t *testing.T) backup.Set {
	t.Helper()
	s := backup.Set{Dir: filepath.Join(t.TempDir(), "backups")}
	if err := s.Make(); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestDirectoryIsMade(t *testing.T) {
	s := set(t)
	if st, err := os.Stat(s.Dir); err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("it is %v, %v", st, err)
	}
	if err := s.Make(); err != nil {
		t.Errorf("once more: %v", err)
	}
	if err := (backup.Set{Dir: filepath.Join(s.Dir, "not", "mounted")}).Make(); nacre.KindOf(err) != nacre.Transient {
		t.Errorf("on a disk that is not there: %v", err)
	}
	file := filepath.Join(s.Dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (backup.Set{Dir: file}).Make(); nacre.KindOf(err) != nacre.Transient {
		t.Errorf("in the place of a file: %v", err)
	}
}

// Only the newest stay, and nothing that is not ours goes.
func TestNewestStay(t *testing.T) {
	s, day := set(t), time.Date(2026, 3, 1, 2, 0, 0, 0, time.FixedZone("", 3600))
	for i := range 5 {
		if err := os.WriteFile(s.Path(day.AddDate(0, 0, i)), make([]byte, i), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	foreign := []string{"nacre-holidays.db", "keys.age", "nacre-20260301T010000.000Z.db.old", "x-20260301T010000.000Z.db"}
	for _, name := range append([]string{"nacre-20260301T010000.000Z.db.part"}, foreign...) {
		if err := os.WriteFile(filepath.Join(s.Dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if gone, err := s.Keep(2); gone != 3 || err != nil {
		t.Errorf("%d went, %v", gone, err)
	}
	list, err := s.Snapshots()
	if err != nil || len(list) != 2 || list[0].Bytes != 4 || list[1].Bytes != 3 || !list[0].At.Equal(day.AddDate(0, 0, 4)) {
		t.Errorf("there are %+v, %v", list, err)
	}
	entries, _ := os.ReadDir(s.Dir)
	if len(entries) != 2+len(foreign) {
		t.Errorf("in the directory are %v", entries)
	}
	if gone, err := s.Keep(0); gone != 1 || err != nil {
		t.Errorf("%d went where one at least stays, %v", gone, err)
	}
	if list, err := (backup.Set{Dir: s.Dir + "x"}).Snapshots(); list != nil || err != nil {
		t.Errorf("of no directory: %v, %v", list, err)
	}
}

// The bundle opens by its own key alone, and the old one is nowhere any more.
func TestKeysAreReplaced(t *testing.T) {
	s := set(t)
	secret, recipient, err := backup.NewRecovery()
	if err != nil || !strings.HasPrefix(secret, "AGE-SECRET-KEY-1") || !strings.HasPrefix(recipient, "age1") {
		t.Fatalf("%v", err)
	}
	if !s.KeysAt().IsZero() {
		t.Error("there is a bundle before one was written")
	}
	if err := s.PutKeys([]byte("first"), recipient); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "same") // another name of the old file shows its bytes
	if err := os.Link(s.Keys(), link); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("the checks need hard links: %v", err)
		}
		t.Skipf("no hard links here: %v", err)
	}
	first, _ := os.ReadFile(link)
	if err := s.PutKeys([]byte("second"), recipient); err != nil {
		t.Fatal(err)
	}
	left, _ := os.ReadFile(link)
	if len(first) == 0 || len(left) != len(first) || slices.ContainsFunc(left, func(b byte) bool { return b != 0 }) {
		t.Errorf("the old bundle is still there: %q", left)
	}
	if st, err := os.Stat(s.Keys()); err != nil || st.Mode().Perm() != 0o600 || s.KeysAt().IsZero() {
		t.Errorf("it is %v, %v", st, err)
	}
	content, _ := os.ReadFile(s.Keys())
	if got, err := backup.OpenKeys(bytes.NewReader(content), "# mine\n\n"+secret+"\n"); err != nil || string(got) != "second" {
		t.Errorf("it says %q, %v", got, err)
	}
	other, _, _ := backup.NewRecovery()
	for name, c := range map[string]struct {
		content []byte
		secret  string
		kind    nacre.Kind
	}{
		"another key":    {content, other, nacre.Denied},
		"no key":         {content, "correct horse", nacre.Invalid},
		"cut short":      {content[:len(content)-3], secret, nacre.Invalid},
		"a changed byte": {append(slices.Clone(content[:len(content)-1]), content[len(content)-1]^1), secret, nacre.Invalid},
		"something else": {[]byte("hello"), secret, nacre.Invalid},
	} {
		if _, err := backup.OpenKeys(bytes.NewReader(c.content), c.secret); nacre.KindOf(err) != c.kind {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestKeysThatCannotBeWritten(t *testing.T) {
	s := set(t)
	_, recipient, _ := backup.NewRecovery()
	if err := s.PutKeys(nil, "age1nonsense"); nacre.KindOf(err) != nacre.Invalid {
		t.Errorf("to nobody: %v", err)
	}
	if err := (backup.Set{Dir: s.Dir + "x"}).PutKeys([]byte("x"), recipient); nacre.KindOf(err) != nacre.Transient {
		t.Errorf("into no directory: %v", err)
	}
}
