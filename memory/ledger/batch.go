package ledger

import (
	"context"
	"database/sql"
	"errors"

	"nacre"
	"nacre/memory"
)

var errNoBatch = nacre.Errorf(nacre.NotFound, "There are no such messages that could not be read.")

// Failed notes that a reader could not read the messages from first through
// another, and returns how often that was so by now. The batch goes when the mark
// of the reader passes it.
func (l *Ledger) Failed(ctx context.Context, owner nacre.OwnerID, reader string, first, through int64, reason string) (failures int, err error) {
	err = l.writer.do(ctx, func(t *tx) error {
		return t.row(`INSERT INTO batches (owner, reader, first, through, failures, reason, at_ms) VALUES (?, ?, ?, ?, 1, ?, ?)
			ON CONFLICT (owner, reader, first) DO UPDATE SET through = excluded.through, failures = failures + 1, reason = excluded.reason, at_ms = excluded.at_ms
			RETURNING failures`, []any{owner, reader, first, through, reason, t.nowMs}, &failures)
	})
	return failures, err
}

// SetAside lets a reader go on without a failed batch, which stays to be seen and
// read again by hand: its mark moves past it in the same transaction. NotFound if
// there is none.
func (l *Ledger) SetAside(ctx context.Context, owner nacre.OwnerID, reader string, first int64) error {
	return l.writer.do(ctx, func(t *tx) error {
		var through int64
		err := t.row("UPDATE batches SET aside = 1 WHERE owner = ? AND reader = ? AND first = ? RETURNING through", []any{owner, reader, first}, &through)
		if errors.Is(err, sql.ErrNoRows) {
			return errNoBatch
		}
		if err != nil {
			return err
		}
		return t.putMark(owner, memory.Mark{Reader: reader, Through: through})
	})
}

// Batches lists what could not be read of an owner's messages, set aside or to be
// tried again, oldest first.
func (l *Ledger) Batches(ctx context.Context, owner nacre.OwnerID) ([]memory.Batch, error) {
	rows, err := l.query(ctx, "SELECT owner, reader, first, through, failures, aside, reason, at_ms FROM batches WHERE owner = ? ORDER BY first, reader", owner)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []memory.Batch
	for rows.Next() {
		var b memory.Batch
		var ms int64
		if err := rows.Scan(&b.Owner, &b.Reader, &b.First, &b.Through, &b.Failures, &b.Aside, &b.Reason, &ms); err != nil {
			return nil, explain(err)
		}
		b.At = timeOf(ms)
		list = append(list, b)
	}
	return list, explain(rows.Err())
}

// DropBatch forgets that a batch could not be read: it was now, or nobody wants
// it to be. It is no error if there is none.
func (l *Ledger) DropBatch(ctx context.Context, owner nacre.OwnerID, reader string, first int64) error {
	return l.writer.do(ctx, func(t *tx) error {
		_, err := t.exec("DELETE FROM batches WHERE owner = ? AND reader = ? AND first = ?", owner, reader, first)
		return err
	})
}
