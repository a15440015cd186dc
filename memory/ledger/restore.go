package ledger

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"nacre"
	"nacre/memory/audit"
)

// Restored is what came back.
type Restored struct {
	Snapshot
	Counts
	Bundled  time.Time // when the key bundle was made; zero without one
	Replayed int       // forgettings and rejections since the snapshot that hold again
	Leaves   int64     // of the audit log when the bundle was made; as restored, without one
	Report   audit.Report
}

// restoring is the directory, within that of the data, in which a database is made
// whole before it takes its place.
const restoring = "restoring"

// Restore makes the database of a directory that has none out of a snapshot. With a key
// bundle it makes the key file too, and forgets again what was forgotten after the
// snapshot, so that it cannot be learned again either; without, the key file has to be
// there. It is all or nothing: before it ends the directory has no database, and a
// Restore that broke off is begun anew by the next. Conflict means that there is
// something already, or that snapshot and keys do not belong together. It is Denied,
// before anything is written and unless Options.Older says that it will do, if the keys
// are older than the snapshot, or the journal is older than the keys.
func Restore(ctx context.Context, o Options, snapshot string, keyBundle []byte) (r Restored, err error) {
	if r.Snapshot, err = CheckSnapshot(ctx, snapshot); err != nil {
		return r, err
	}
	if err := makeDir(o.Dir); err != nil {
		return r, err
	}
	lock, err := lockDir(o.Dir)
	if err != nil {
		return r, err
	}
	defer lock.release()
	if err := vacant(o.Dir); err != nil {
		return r, err
	}
	b, err := settleKeys(ctx, o, snapshot, keyBundle)
	if err != nil {
		return r, err
	}
	return r, r.into(ctx, o, snapshot, b)
}

// vacant refuses a directory that has a database, or the log of one that was moved away,
// which SQLite would take for that of the restored one.
func vacant(dir string) error {
	for _, name := range []string{fileName, fileName + "-wal"} {
		there, err := exists(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		if there {
			return nacre.Errorf(nacre.Conflict, "there is a database in %s already (%s), and nothing is restored over it; move the directory away, or name another with NACRE_DATA", dir, name)
		}
	}
	return nil
}

// into brings a copy up to date beside its place, and puts it there.
func (r *Restored) into(ctx context.Context, o Options, snapshot string, b *bundle) error {
	beside := o
	beside.Dir, beside.Older = filepath.Join(o.Dir, restoring), o.Older || b != nil
	if err := os.RemoveAll(beside.Dir); err != nil {
		return unrestored(err)
	}
	if err := makeDir(beside.Dir); err != nil {
		return err
	}
	defer os.RemoveAll(beside.Dir)
	part := filepath.Join(beside.Dir, fileName)
	if err := copyFile(snapshot, part); err != nil {
		return unrestored(err)
	}
	l, err := Open(ctx, beside)
	if err != nil {
		return err
	}
	err = r.replay(ctx, l, b)
	if err := errors.Join(err, l.Close(), whole(part)); err != nil {
		return err
	}
	if err := settleName(part, filepath.Join(o.Dir, fileName)); err != nil {
		return unrestored(err)
	}
	return nil
}

// whole makes sure that a database that was closed has everything in its one file, as it
// has not if the disk was full by then.
func whole(path string) error {
	if st, err := os.Stat(path + "-wal"); err == nil && st.Size() > 0 {
		return unrestored(errors.New("the log of the database could not be folded into it"))
	}
	return nil
}

// copyFile copies a file and makes it durable.
func copyFile(from, to string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	return errors.Join(err, dst.Sync(), dst.Close())
}

func unrestored(err error) error {
	return nacre.Errorf(nacre.Transient, "the backup cannot be copied into the data directory (%w); see that its disk has space, and restore again", err)
}
