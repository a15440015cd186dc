package ledger

import (
	"context"
	"database/sql"
	"errors"
	"strconv"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// logWait is how long, in milliseconds, readers may hold up the emptying of the
// log, and that the writers.
const logWait = 250

// emptyLog moves the write-ahead log into the database and cuts it to nothing.
// It cannot while somebody reads.
func (l *Ledger) emptyLog(ctx context.Context) (busy bool, err error) {
	conn, err := l.reading.Conn(ctx)
	if err != nil {
		return false, explain(err)
	}
	defer conn.Close()
	if err := setBusyTimeout(ctx, conn, logWait); err != nil {
		return false, err
	}
	var frames, moved int
	err = conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved)
	var e *sqlite.Error
	if errors.As(err, &e) && e.Code()&0xff == lib.SQLITE_BUSY {
		busy, err = true, nil
	}
	return busy, errors.Join(explain(err), setBusyTimeout(ctx, conn, busyTimeout))
}

func setBusyTimeout(ctx context.Context, conn *sql.Conn, ms int) error {
	_, err := conn.ExecContext(ctx, "PRAGMA busy_timeout = "+strconv.Itoa(ms))
	return explain(err)
}
