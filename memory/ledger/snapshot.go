package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"nacre"
)

// Snapshot is what is known of a copy of the database that was verified.
type Snapshot struct {
	Path     string
	At       time.Time // when it was asked for; zero for one that was found
	Bytes    int64
	Schema   int   // version of the schema
	Messages int64 // in the inbox
	Ops      int64 // changes of memory, and refused ones
}

// Snapshot copies the database, consistent and while it is in use, to a new file of
// mode 0600, in which everything is as sealed as it is here. The copy is opened and
// checked before it gets its name, so that what has the name is whole. Nobody who
// writes waits for it. It is a Conflict if there is something at path, and Transient,
// with nothing left behind, if it cannot be written.
func (l *Ledger) Snapshot(ctx context.Context, path string) (s Snapshot, err error) {
	if _, err := os.Lstat(path); err == nil {
		return s, nacre.Errorf(nacre.Conflict, "there is something at %s already, and no backup is written over it", path)
	}
	at, part := time.Now(), path+".part"
	defer func() {
		if err != nil {
			os.Remove(part)
		}
	}()
	if err := l.roomFor(ctx, path); err != nil {
		return s, err
	}
	before, err := countGrowing(ctx, l.reading)
	if err != nil {
		return s, err
	}
	if err := l.copyTo(ctx, part); err != nil {
		return s, err
	}
	after, err := countGrowing(ctx, l.reading)
	if err != nil {
		return s, err
	}
	if s, err = CheckSnapshot(ctx, part); err != nil {
		return s, err
	}
	if err := betweenCounts(ctx, part, before, after); err != nil {
		return s, err
	}
	s.At, s.Path = at, path
	if err := settleName(part, path); err != nil {
		return s, unwritten(err)
	}
	return s, nil
}

// spare is what a copy leaves free on the disk of the data, in bytes, for the messages
// that are stored meanwhile.
const spare = 16 << 20

// roomFor finds out beforehand whether a copy has room, rather than let it fill the disk.
func (l *Ledger) roomFor(ctx context.Context, path string) error {
	var need uint64
	err := l.row(ctx, "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size", nil, &need)
	if err != nil {
		return err
	}
	var disk syscall.Statfs_t
	if err := syscall.Statfs(filepath.Dir(path), &disk); err != nil {
		return unwritten(err)
	}
	if disk.Fsid == l.disk() {
		need += spare
	}
	if free := disk.Bavail * uint64(disk.Bsize); free < need {
		return unwritten(fmt.Errorf("it needs %.1f MB, and %.1f MB are free", float64(need)/(1<<20), float64(free)/(1<<20)))
	}
	return nil
}

// disk names the file system of the data.
func (l *Ledger) disk() syscall.Fsid {
	var disk syscall.Statfs_t
	if syscall.Statfs(l.path, &disk) != nil {
		return syscall.Fsid{}
	}
	return disk.Fsid
}

// copyTo writes the copy, without the free pages of the original. It reads from a
// connection of its own, and only as a reader.
func (l *Ledger) copyTo(ctx context.Context, part string) error {
	if err := emptyFile(part); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", dsn(l.path, ""))
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", part); err != nil {
		return unwritten(err)
	}
	if err := syncFile(part); err != nil {
		return unwritten(err)
	}
	return nil
}

// unwritten is an error of writing a copy, whose disk may be another than that of the
// data.
func unwritten(err error) error {
	return nacre.Errorf(nacre.Transient, "the backup cannot be written; see that its disk has space and that this user may write there (%w)", err)
}

// emptyFile makes room for a copy, in place of what an interrupted one left.
func emptyFile(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err == nil {
		err = errors.Join(f.Chmod(0o600), f.Close())
	}
	if err != nil {
		return nacre.Errorf(nacre.Transient, "the backup cannot be written (%w); see that its directory is there and that this user may write there", err)
	}
	return nil
}

// syncFile makes a file durable, and settleName its name.
func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func settleName(part, path string) error {
	if err := os.Rename(part, path); err != nil {
		return err
	}
	d, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
