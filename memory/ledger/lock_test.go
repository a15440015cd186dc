package ledger

import (
	"errors"
	"syscall"
	"testing"
)

// A directory is free once it was released, also while a child that is just being
// started still has the file.
func TestReleasedIsFree(t *testing.T) {
	dir := t.TempDir()
	held, err := lockDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	child, err := syscall.Dup(int(held.f.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(child)
	if _, err := lockDir(dir); !errors.Is(err, ErrLocked) {
		t.Errorf("what is held can be locked: %v", err)
	}
	if err := held.release(); err != nil {
		t.Fatal(err)
	}
	again, err := lockDir(dir)
	if err != nil {
		t.Fatalf("what was released is still locked: %v", err)
	}
	again.release()
}
