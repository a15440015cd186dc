package whatsapp

import (
	"context"
	"errors"
	"io/fs"

	"go.mau.fi/util/dbutil"
	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"nacre"
)

var (
	errBusy = nacre.Errorf(nacre.Transient, "%s in the data directory is in use by another program; stop that one, and Nacre goes on by itself", storeName)
	errNew  = nacre.Errorf(nacre.Conflict, "a newer version of Nacre made %[1]s in the data directory; upgrade Nacre, or move %[1]s away and link the account again", storeName)

	errFull = nacre.Errorf(nacre.Transient, "the disk is full, so %s in the data directory cannot be written; make room, and Nacre goes on by itself", storeName)

	errDamaged = nacre.Errorf(nacre.Internal, "%[1]s in the data directory is damaged; move it and %[1]s-wal away and link the account again", storeName)
)

// explain makes a sentence for the operator of what went wrong with the file.
func explain(err error) error {
	e, known := errors.AsType[*sqlite.Error](err)
	said, _ := errors.AsType[*nacre.Error](err)
	switch {
	case err == nil:
		return nil
	case said != nil:
		return said
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, dbutil.ErrUnsupportedDatabaseVersion):
		return errNew
	case !known:
		if path, ok := errors.AsType[*fs.PathError](err); ok {
			return nacre.Errorf(nacre.Transient, "%s in the data directory cannot be used (%w); check the disk and who owns the file", storeName, path.Err)
		}
		return errDamaged
	}
	switch e.Code() & 0xff {
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return errBusy
	case lib.SQLITE_FULL:
		return errFull
	case lib.SQLITE_CANTOPEN, lib.SQLITE_IOERR, lib.SQLITE_PERM, lib.SQLITE_READONLY:
		return nacre.Errorf(nacre.Transient, "%s in the data directory cannot be used (SQLite code %d); check the disk and who owns the file", storeName, e.Code())
	}
	return errDamaged
}

// faultOf is what an error of the library says of the file, as explain does; nil if it
// says nothing, or speaks of what was to be written.
func faultOf(err error) error {
	e, known := errors.AsType[*sqlite.Error](err)
	if !known {
		return nil
	}
	switch e.Code() & 0xff {
	case lib.SQLITE_CONSTRAINT, lib.SQLITE_TOOBIG, lib.SQLITE_MISMATCH, lib.SQLITE_INTERRUPT:
		return nil
	}
	return explain(e)
}
