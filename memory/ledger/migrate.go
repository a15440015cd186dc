package ledger

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	"nacre"
)

//go:embed migrations/*.sql
var migrations embed.FS

// schemaVersion is SQLite's own user_version, which changes with the schema in
// the same transaction. A database newer than this binary is refused.
func schemaVersion(ctx context.Context, conn *sql.Conn) (version int, err error) {
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return 0, err
	}
	if err := conn.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return 0, explain(err)
	}
	if version > len(files) {
		return 0, nacre.Errorf(nacre.Conflict, "the database has schema version %d and this program knows %d; it was last opened by a newer Nacre, so run that version or a newer one", version, len(files))
	}
	return version, nil
}

// migrate brings the schema from a version to the newest, one file one
// transaction.
func migrate(ctx context.Context, conn *sql.Conn, version int) error {
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	for ; version < len(files); version++ {
		if err := apply(ctx, conn, files[version], version+1); err != nil {
			return explain(fmt.Errorf("migration %s: %w", files[version], err))
		}
	}
	return nil
}

func apply(ctx context.Context, conn *sql.Conn, file string, version int) error {
	text, err := migrations.ReadFile(file)
	if err != nil {
		return err
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, string(text)); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version)); err != nil {
		return err
	}
	return tx.Commit()
}
