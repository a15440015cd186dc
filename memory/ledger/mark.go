package ledger

import (
	"context"
	"database/sql"
	"errors"

	"nacre"
	"nacre/memory"
)

// Mark is how far a reader of an owner's messages has come, as an inbox
// sequence; known is false if it never began.
func (l *Ledger) Mark(ctx context.Context, owner nacre.OwnerID, reader string) (through int64, known bool, err error) {
	err = l.reading.QueryRowContext(ctx, "SELECT through FROM marks WHERE owner = ? AND reader = ?", owner, reader).Scan(&through)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	return through, err == nil, explain(err)
}

// putMark moves a mark, never back.
func (t *tx) putMark(owner nacre.OwnerID, m memory.Mark) error {
	_, err := t.exec(`INSERT INTO marks (owner, reader, through) VALUES (?, ?, ?)
		ON CONFLICT (owner, reader) DO UPDATE SET through = max(through, excluded.through)`, owner, m.Reader, m.Through)
	return err
}
