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
	err = l.row(ctx, "SELECT through FROM marks WHERE owner = ? AND reader = ?", []any{owner, reader}, &through)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	return through, err == nil, err
}

// StartMark sets the mark of a reader that never began; one that did keeps its
// own. A reader that is to begin with what is said from now on gives Heard.
func (l *Ledger) StartMark(ctx context.Context, owner nacre.OwnerID, reader string, through int64) error {
	return l.writer.do(ctx, func(t *tx) error {
		_, err := t.exec("INSERT INTO marks (owner, reader, through) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", owner, reader, through)
		return err
	})
}

// putMark moves a mark, never back.
func (t *tx) putMark(owner nacre.OwnerID, m memory.Mark) error {
	_, err := t.exec(`INSERT INTO marks (owner, reader, through) VALUES (?, ?, ?)
		ON CONFLICT (owner, reader) DO UPDATE SET through = max(through, excluded.through)`, owner, m.Reader, m.Through)
	return err
}

// passed moves a mark of a reader that could read what is before it.
func (t *tx) passed(owner nacre.OwnerID, m memory.Mark) error {
	if err := t.putMark(owner, m); err != nil {
		return err
	}
	_, err := t.exec("DELETE FROM batches WHERE owner = ? AND reader = ? AND first <= ? AND aside = 0", owner, m.Reader, m.Through)
	return err
}
