package backup_test

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"nacre"
	"nacre/memory/backup"
)

// A disk that is full, or that may only be read, leaves the bundle as it was.
func TestKeysOnADiskWithoutRoom(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("cannot mount a small file system: %v", err)
		}
		t.Skipf("needs the right to mount a small file system: %v", err)
	}
	defer syscall.Unmount(dir, syscall.MNT_DETACH)
	s := backup.Set{Dir: dir}
	secret, recipient, err := backup.NewRecovery()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.PutKeys([]byte("small"), recipient); err != nil {
		t.Fatal(err)
	}
	holds := func(want string) {
		t.Helper()
		b, err := os.ReadFile(s.Keys())
		if err != nil {
			t.Fatal(err)
		}
		if got, err := backup.OpenKeys(bytes.NewReader(b), secret); err != nil || string(got) != want {
			t.Errorf("the bundle says %d bytes, %v", len(got), err)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 1 {
			t.Errorf("there are %q", left)
		}
	}
	if err := s.PutKeys(make([]byte, 1<<20), recipient); nacre.KindOf(err) != nacre.Transient {
		t.Errorf("without room: %v", err)
	}
	holds("small")
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	if err := s.PutKeys([]byte("new"), recipient); nacre.KindOf(err) != nacre.Transient {
		t.Errorf("where only reading is allowed: %v", err)
	}
	if _, err := s.Keep(1); err != nil {
		t.Errorf("with nothing to delete: %v", err)
	}
	holds("small")
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT, ""); err != nil {
		t.Fatal(err)
	}
	if err := s.PutKeys([]byte("new"), recipient); err != nil {
		t.Error(err)
	}
	holds("new")
}
