package ledger

import (
	"errors"
	"strings"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"nacre"
)

// explain gives SQLite's errors a kind and a sentence that says what to do.
// Errors that already have a kind pass through.
func explain(err error) error {
	var known *nacre.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff {
	case lib.SQLITE_FULL:
		return nacre.Errorf(nacre.Transient, "the disk that holds the data directory is full; free some space, nothing already stored is lost (%w)", err)
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return nacre.Errorf(nacre.Transient, "another program holds the database; close it (%w)", err)
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB:
		return nacre.Errorf(nacre.Internal, "the database file is damaged and was left as it is; stop Nacre, keep a copy of the file, and put back the newest backup (%w)", err)
	case lib.SQLITE_IOERR, lib.SQLITE_READONLY, lib.SQLITE_CANTOPEN, lib.SQLITE_PERM:
		return nacre.Errorf(nacre.Transient, "the data directory cannot be read or written; check the disk and that the directory belongs to this user (%w)", err)
	}
	return err
}

// ignoreNoTransaction drops the complaint of a ROLLBACK after SQLite has
// already rolled back by itself, as it does when the disk is full.
func ignoreNoTransaction(err error) error {
	if err != nil && strings.Contains(err.Error(), "no transaction is active") {
		return nil
	}
	return err
}
