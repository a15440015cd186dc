package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre/memory/backup"
	"nacre/web"
)

// snapshots are the names of the snapshots in the bubble's directory, the newest first.
func (b *bubble) snapshots() (names []string) {
	b.t.Helper()
	list, err := (backup.Set{Dir: b.app.cfg.Backup.Dir}).Snapshots()
	if err != nil {
		b.t.Fatal(err)
	}
	for _, s := range list {
		names = append(names, filepath.Base(s.Path))
	}
	return names
}

// told counts the notices of trouble that a user got.
func (b *bubble) told(user int64) (n int) {
	for _, text := range b.texts(user) {
		if strings.HasPrefix(text, "I could not make a backup") {
			n++
		}
	}
	return n
}

// keyBundle is the newest one, with a recovery key that is made if there is none.
func (b *bubble) keyBundle() []byte {
	b.t.Helper()
	list, err := b.app.Backups().List(b.t.Context())
	if err == nil && list.Recipient == "" {
		_, recipient, keyErr := backup.NewRecovery()
		if keyErr != nil {
			b.t.Fatal(keyErr)
		}
		err = b.app.Backups().SetRecovery(b.t.Context(), web.Recovery{Recipient: recipient})
	}
	if err != nil {
		b.t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(list.Dir, "keys.age"))
	if err != nil {
		b.t.Fatal(err)
	}
	return text
}

// One comes a day, whenever Nacre was restarted, and the newest few stay.
func TestBackupsComeByThemselves(t *testing.T) {
	live(t, func(b *bubble) {
		b.say(1001, "/remember my bike is green")
		b.pass(2 * time.Hour)
		first := b.snapshots()
		if len(first) != 1 {
			t.Errorf("after two hours there are %q", first)
			return
		}
		for range 4 {
			b.pass(4 * time.Hour)
			b.stop()
			b.start()
		}
		if got := b.snapshots(); !slices.Equal(got, first) {
			t.Errorf("within a day, with restarts, there are %q", got)
		}
		b.pass(7 * time.Hour)
		if got := b.snapshots(); len(got) != 2 || got[1] != first[0] {
			t.Errorf("after a day there are %q", got)
		}
		b.pass(24 * time.Hour)
		if got := b.snapshots(); len(got) != 2 || slices.Contains(got, first[0]) {
			t.Errorf("of which the newest two stay: %q", got)
		}
		if n := b.told(1001); n > 0 {
			t.Errorf("%d notices of trouble", n)
		}
	}, "NACRE_BACKUP_KEEP=2")
}

// A directory that is gone costs one notice to the operator, until it was well again.
func TestTroubleWithBackupsIsToldOnce(t *testing.T) {
	live(t, func(b *bubble) {
		b.say(1001, "hello")
		b.say(1002, "hello")
		dir := b.app.cfg.Backup.Dir
		blocked := func() {
			if err := os.RemoveAll(dir); err != nil {
				b.t.Fatal(err)
			}
			if err := os.WriteFile(dir, nil, 0o600); err != nil {
				b.t.Fatal(err)
			}
		}
		blocked()
		b.pass(3 * time.Hour)
		b.stop()
		b.start()
		b.pass(24 * time.Hour)
		if mine, other := b.told(1001), b.told(1002); mine != 1 || other != 0 {
			t.Errorf("the operator got %d notices, another owner %d", mine, other)
		}
		if err := os.Remove(dir); err != nil {
			b.t.Fatal(err)
		}
		b.pass(2 * time.Hour)
		if got := b.snapshots(); len(got) != 1 || b.told(1001) != 1 || !strings.Contains(b.log.String(), "backups are well") {
			t.Errorf("with the directory back there are %q, and %d notices", got, b.told(1001))
		}
		blocked()
		b.pass(2 * time.Hour)
		if n := b.told(1001); n != 2 {
			t.Errorf("the next trouble makes it %d notices", n)
		}
	})
}

// The key bundle is made anew with a forgetting. While it cannot be, the receipt and the
// list say so, and an hour later it is.
func TestKeyBundleFollowsForgettings(t *testing.T) {
	live(t, func(b *bubble) {
		b.say(1001, "/remember my bike is green")
		b.say(1001, "/remember my boat is red")
		before := b.keyBundle()
		b.say(1001, "/forget bike")
		after := b.keyBundle()
		if bytes.Equal(before, after) {
			t.Error("the key bundle is the same after a forgetting")
		}
		dir := b.app.cfg.Backup.Dir
		if err := os.Rename(dir, dir+".away"); err != nil {
			b.t.Fatal(err)
		}
		b.say(1001, "/forget boat")
		if all := strings.Join(b.texts(1001), "\n"); strings.Count(all, keysWait) != 1 {
			t.Errorf("the receipts say %q", b.texts(1001))
		}
		if list, err := b.app.Backups().List(b.t.Context()); err != nil || !list.Stale {
			t.Errorf("listed: %+v, %v", list, err)
		}
		if err := os.Rename(dir+".away", dir); err != nil {
			b.t.Fatal(err)
		}
		b.pass(time.Hour)
		list, err := b.app.Backups().List(b.t.Context())
		if err != nil || list.Stale || bytes.Equal(b.keyBundle(), after) {
			t.Errorf("an hour later: %+v, %v", list, err)
		}
	})
}

// A full disk leaves nothing half made, costs no old backup, and says what to do.
func TestBackupToAFullDisk(t *testing.T) {
	w := newWorld(t)
	w.env["NACRE_MODEL"] = "offline"
	disk := mounted(t, 0, "size=40m")
	w.env["NACRE_BACKUP"] = filepath.Join(disk, "copies")
	w.must("hello\n", "chat")
	w.must("", "backup")
	before := content(t, disk)
	filler := filepath.Join(disk, "filler")
	if err := os.WriteFile(filler, make([]byte, 64<<20), 0o600); err == nil {
		t.Fatal("the disk is not full")
	}
	if out, code := w.run("", "backup"); code == exitOK || !strings.Contains(out, "see that its disk has space") {
		t.Errorf("on a full disk: %d, %s", code, out)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	for path, text := range content(t, disk) {
		if before[path] != text {
			t.Errorf("a backup that failed left %s", path)
		}
	}
	w.must("", "backup", "check")
	if out := w.must("", "backup"); !strings.Contains(out, "Made and checked") {
		t.Errorf("with space again: %s", out)
	}
}

// Somebody's own directory gets a backup, and nothing in it is deleted.
func TestBackupToAnotherDirectory(t *testing.T) {
	w := newWorld(t)
	w.env["NACRE_MODEL"], w.env["NACRE_BACKUP_KEEP"] = "offline", "1"
	copies, other := w.backups(), filepath.Join(t.TempDir(), "stick")
	w.must("hello\n", "chat")
	w.must("", "backup", "key")
	w.must("", "backup", "--to", other)
	out := w.must("", "backup", "--to", other)
	if got := content(t, other); len(got) != 3 || !strings.Contains(out, "Here nobody makes it anew") {
		t.Errorf("%d files, and it says: %s", len(got), out)
	}
	if got := content(t, copies); len(got) != 1 {
		t.Errorf("the usual directory has %d files", len(got))
	}
}
