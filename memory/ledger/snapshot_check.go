package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	"nacre"
)

// CheckSnapshot opens a copy that Snapshot made, or any file that may be one, without
// changing it, and checks all of it but what is sealed. Errors are sentences.
func CheckSnapshot(ctx context.Context, path string) (s Snapshot, err error) {
	st, err := os.Stat(path)
	if err != nil || !st.Mode().IsRegular() {
		return s, nacre.Errorf(nacre.NotFound, "there is no backup at %s", path)
	}
	db, err := openCopy(path)
	if err != nil {
		return s, err
	}
	defer db.Close()
	s = Snapshot{Path: path, Bytes: st.Size()}
	conn, err := db.Conn(ctx)
	if err != nil {
		return s, damagedCopy(path, err)
	}
	defer conn.Close()
	if s.Schema, err = schemaVersion(ctx, conn); err != nil {
		return s, damagedCopy(path, err)
	}
	if s.Schema == 0 {
		return s, nacre.Errorf(nacre.Invalid, "%s is no backup of a Nacre", path)
	}
	if err := integrity(ctx, conn, path); err != nil {
		return s, err
	}
	query := "SELECT coalesce((SELECT max(seq) FROM inbox), 0), 0"
	if s.Schema >= memorySchema {
		query = "SELECT coalesce((SELECT max(seq) FROM inbox), 0), (SELECT count(*) FROM ops)"
	}
	if err := conn.QueryRowContext(ctx, query).Scan(&s.Messages, &s.Ops); err != nil {
		return s, damagedCopy(path, err)
	}
	return s, nil
}

// openCopy opens a database that nobody writes.
func openCopy(path string) (*sql.DB, error) {
	return sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?mode=ro&immutable=1&_pragma=query_only(1)")
}

// integrity has SQLite look through all pages, indexes and references.
func integrity(ctx context.Context, conn *sql.Conn, path string) error {
	for _, check := range []string{"PRAGMA integrity_check(1)", "SELECT coalesce((SELECT \"table\" FROM pragma_foreign_key_check LIMIT 1), 'ok')"} {
		var found string
		if err := conn.QueryRowContext(ctx, check).Scan(&found); err != nil {
			return damagedCopy(path, err)
		}
		if found != "ok" {
			return damagedCopy(path, errors.New(strings.TrimSpace(found)))
		}
	}
	return nil
}

func damagedCopy(path string, err error) error {
	if k := nacre.KindOf(err); k == nacre.Conflict {
		return err
	}
	return nacre.Errorf(nacre.Invalid, "the backup %s is damaged and cannot be used (%w); take another one", path, err)
}

// growing are tables from which no row ever goes.
var growing = []string{"owners", "sessions", "inbox", "turns", "outbox", "ops", "leaves", "hashes", "tombstones", "erasures"}

// countGrowing counts their rows, all at the same moment.
func countGrowing(ctx context.Context, db *sql.DB) ([]int64, error) {
	n := make([]int64, len(growing))
	into, columns := make([]any, len(n)), make([]string, len(n))
	for i, table := range growing {
		into[i], columns[i] = &n[i], "(SELECT count(*) FROM "+table+")"
	}
	err := db.QueryRowContext(ctx, "SELECT "+strings.Join(columns, ", ")).Scan(into...)
	return n, explain(err)
}

// betweenCounts compares a copy with what was there before and after it was made. That
// is as near as one comes while others write.
func betweenCounts(ctx context.Context, path string, before, after []int64) error {
	db, err := openCopy(path)
	if err != nil {
		return err
	}
	defer db.Close()
	n, err := countGrowing(ctx, db)
	if err != nil {
		return damagedCopy(path, err)
	}
	for i := range n {
		if n[i] < before[i] || n[i] > after[i] {
			return damagedCopy(path, fmt.Errorf("%d rows of %s where there are %d to %d", n[i], growing[i], before[i], after[i]))
		}
	}
	return nil
}
