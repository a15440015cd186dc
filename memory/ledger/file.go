package ledger

import (
	"context"
	"database/sql"
	"errors"

	"nacre"
)

// PutFile keeps how a file of an owner's folder was last written, to tell what a
// hand changed since.
func (l *Ledger) PutFile(ctx context.Context, owner nacre.OwnerID, name string, content []byte) error {
	c, err := l.seal(owner, "files", 0, content)
	if err != nil {
		return err
	}
	return l.writer.do(ctx, func(t *tx) error {
		if err := t.replace("files", "(owner, name) = (?, ?)", owner, name); err != nil {
			return err
		}
		_, err := t.exec(`INSERT INTO files (owner, name, record, sealed) VALUES (?, ?, ?, ?)
			ON CONFLICT (owner, name) DO UPDATE SET record = excluded.record, sealed = excluded.sealed`, owner, name, c.record, c.data)
		return err
	})
}

// File returns a file of an owner's folder as it was last written; NotFound if
// it never was, or is forgotten.
func (l *Ledger) File(ctx context.Context, owner nacre.OwnerID, name string) ([]byte, error) {
	var c sealed
	err := l.reading.QueryRowContext(ctx, "SELECT record, sealed FROM files WHERE owner = ? AND name = ?", owner, name).Scan(&c.record, &c.data)
	if errors.Is(err, sql.ErrNoRows) || err == nil && len(c.data) == 0 {
		return nil, nacre.Errorf(nacre.NotFound, "the file %s was never written", name)
	}
	if err != nil {
		return nil, explain(err)
	}
	var content []byte
	return content, l.unseal(owner, "files", 0, c, &content)
}
