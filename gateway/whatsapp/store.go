package whatsapp

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
)

// storeName is the account's file in the data directory.
const storeName = "whatsapp.db"

// accountFile is the file in which the library keeps the linked account: its keys,
// and what it decrypted and we have not stored yet. It exists only while an account
// is linked or being linked.
type accountFile struct {
	path string
	sync string // SQLite's synchronous; FULL, because a key that is used twice breaks a conversation
	busy int    // how long one connection waits for another, in milliseconds
}

func newAccountFile(dir string) accountFile {
	return accountFile{path: filepath.Join(dir, storeName), sync: "FULL", busy: 5000}
}

// dsn names everything that must hold for each connection. Without immediate
// transactions the library's would meet a locked database now and then, and cost a
// message its decryption.
func (f accountFile) dsn() string {
	return "file:" + (&url.URL{Path: f.path}).EscapedPath() +
		"?mode=rw&_pragma=busy_timeout(" + strconv.Itoa(f.busy) + ")&_pragma=journal_mode(WAL)&_pragma=synchronous(" + f.sync + ")" +
		"&_pragma=foreign_keys(1)&_pragma=secure_delete(ON)&_pragma=temp_store(MEMORY)&_txlock=immediate"
}

func (f accountFile) exists() (bool, error) {
	_, err := os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// create makes an empty file if there is none.
func (f accountFile) create() error {
	file, err := os.OpenFile(f.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return file.Close()
}

// linked reports whether there is an account.
func (f accountFile) linked(ctx context.Context, log libraryLog) (bool, error) {
	if is, err := f.exists(); err != nil || !is {
		return false, explain(err)
	}
	a, err := f.open(ctx, log)
	if err != nil {
		return false, err
	}
	defer a.Close()
	d, err := a.device(ctx)
	return d != nil, err
}

// scrub moves the log of the file into it and cuts it to nothing, so that what was
// overwritten is gone. Transient while somebody reads.
func (f accountFile) scrub(ctx context.Context) error {
	if is, err := f.exists(); err != nil || !is {
		return explain(err)
	}
	db, err := sql.Open("sqlite", f.dsn())
	if err != nil {
		return explain(err)
	}
	defer db.Close()
	var busy bool
	var frames, moved int
	if err := db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved); err != nil {
		return explain(err)
	}
	if busy {
		return errBusy
	}
	return nil
}

// erase overwrites what the file holds of the account, and removes it. Nobody may
// have it open.
func (f accountFile) erase(ctx context.Context, log libraryLog) error {
	if is, err := f.exists(); err != nil || !is {
		return explain(err)
	}
	if err := f.empty(ctx, log); err != nil {
		return err
	}
	for _, ending := range []string{"-wal", "-shm", ""} {
		if err := os.Remove(f.path + ending); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return explain(err)
		}
	}
	return nil
}

func (f accountFile) empty(ctx context.Context, log libraryLog) error {
	a, err := f.open(ctx, log)
	if err != nil {
		return err
	}
	defer a.Close()
	devices, err := a.GetAllDevices(ctx)
	for _, d := range devices {
		err = errors.Join(err, a.DeleteDevice(ctx, d))
	}
	return explain(errors.Join(err, f.scrub(ctx)))
}

// Scrub empties the log of the account's file, which holds what was overwritten
// there. A forgetting calls it before it looks through the files. Transient while
// somebody reads the file.
func (c *Channel) Scrub(ctx context.Context) error { return c.file.scrub(ctx) }
