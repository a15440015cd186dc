package ledger

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"nacre"
)

const lockName = "nacre.lock"

// dirLock keeps a second process off a data directory. The kernel gives it
// free when the process ends, however it ends.
type dirLock struct{ f *os.File }

// ErrLocked is wrapped by Open's error when another process has the directory.
var ErrLocked = errors.New("data directory in use")

func lockDir(dir string) (*dirLock, error) {
	path := filepath.Join(dir, lockName)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, nacre.Errorf(nacre.Invalid, "the data directory %s cannot be written (%s); choose another with NACRE_DATA or give this user the right to write there", dir, reason(err))
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		holder, _ := io.ReadAll(io.LimitReader(f, 32))
		f.Close()
		return nil, &nacre.Error{Kind: nacre.Conflict, Err: ErrLocked,
			Text: fmt.Sprintf("another Nacre (process %s) is using %s; stop it first or choose another directory with NACRE_DATA", strings.TrimSpace(string(holder)), dir)}
	}
	// The number is for people; the lock is what counts.
	f.Truncate(0)
	fmt.Fprintf(f, "%d\n", os.Getpid())
	return &dirLock{f}, nil
}

// release gives the directory free. It says so to the kernel, because a child that
// another goroutine is just starting has the file too until it becomes its program, and
// would hold the lock as long.
func (d *dirLock) release() error {
	return errors.Join(syscall.Flock(int(d.f.Fd()), syscall.LOCK_UN), d.f.Close())
}
