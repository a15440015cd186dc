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
	"time"
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

// scrub clears messages in the library's buffer, by their hashes or because they came
// before a time. Then it moves the log of the file into it and cuts it to nothing, so
// that what was overwritten is gone. Transient while somebody reads.
func (f accountFile) scrub(ctx context.Context, hashes [][32]byte, before time.Time) error {
	if is, err := f.exists(); err != nil || !is {
		return explain(err)
	}
	db, err := sql.Open("sqlite", f.dsn())
	if err != nil {
		return explain(err)
	}
	defer db.Close()
	for _, hash := range hashes {
		if _, err := db.ExecContext(ctx, "UPDATE whatsmeow_event_buffer SET plaintext = NULL WHERE ciphertext_hash = ?", hash[:]); err != nil {
			return explain(err)
		}
	}
	if !before.IsZero() {
		if _, err := db.ExecContext(ctx, "UPDATE whatsmeow_event_buffer SET plaintext = NULL WHERE plaintext IS NOT NULL AND insert_timestamp < ?", before.UnixMilli()); err != nil {
			return explain(err)
		}
	}
	return truncate(ctx, db)
}

// truncate empties the log of a file. Transient while somebody reads.
func truncate(ctx context.Context, db *sql.DB) error {
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
	return explain(errors.Join(err, f.scrub(ctx, nil, time.Time{})))
}

// probe tries whether the file takes as much as a message needs. Nothing of it stays.
func (f accountFile) probe(ctx context.Context) error {
	db, err := sql.Open("sqlite", f.dsn())
	if err != nil {
		return explain(err)
	}
	defer db.Close()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return explain(err)
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "CREATE TABLE probe AS SELECT zeroblob(65536) AS room; DROP TABLE probe"); err != nil {
		return explain(err)
	}
	return explain(tx.Commit())
}

// Scrub takes out of the account's file what it still holds of messages that are
// stored, and empties its log, which holds what was overwritten. A forgetting calls it
// before it looks through the files. Transient while somebody reads the file.
func (c *Channel) Scrub(ctx context.Context) error {
	hashes, before := c.residue.all()
	err := c.file.scrub(ctx, hashes, before)
	if err == nil {
		c.residue.cleared(hashes)
	}
	return err
}
