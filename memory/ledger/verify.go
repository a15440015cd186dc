package ledger

import (
	"context"
	"database/sql"
	"iter"
	"time"

	"nacre"
	"nacre/memory/audit"
	"nacre/memory/vault"
)

// auditKey is the key of this installation's audit log. Its seed lies in the key
// file, under a name of its own, so that it outlives every owner.
func (l *Ledger) auditKey() (audit.Signer, audit.Verifier, error) {
	seed, err := l.vault.Secret(vault.Installation, "audit log")
	if err != nil {
		return nil, nil, err
	}
	return audit.NewKey("nacre/"+l.vault.ID(), seed)
}

// queries runs a read inside one transaction.
type queries func(query string, args ...any) (*sql.Rows, error)

// snapshot calls read with one state of the database, however long that takes.
func (l *Ledger) snapshot(ctx context.Context, read func(queries) error) error {
	tx, err := l.reading.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return explain(err)
	}
	defer tx.Rollback()
	return read(func(query string, args ...any) (*sql.Rows, error) {
		rows, err := tx.QueryContext(ctx, query, args...)
		return rows, explain(err)
	})
}

// SignedCheckpoint says how long the audit log is and what its hash is, signed,
// to be kept where nobody who can write here can write.
func (l *Ledger) SignedCheckpoint(ctx context.Context) ([]byte, error) {
	signer, _, err := l.auditKey()
	if err != nil {
		return nil, err
	}
	c := audit.Checkpoint{Origin: signer.Name(), Time: time.Now()}
	err = l.snapshot(ctx, func(query queries) error {
		if c.Size, err = size(query); err != nil {
			return err
		}
		c.Root, err = audit.Root(c.Size, hashTable{query})
		return err
	})
	if err != nil {
		return nil, err
	}
	return audit.Sign(c, signer)
}

// size is how many leaves the log has.
func size(query queries) (n int64, err error) {
	rows, err := query("SELECT coalesce(max(n) + 1, 0) FROM leaves")
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&n); err != nil {
			return 0, err
		}
	}
	return n, explain(rows.Err())
}

// OpenCheckpoint reads what SignedCheckpoint made, from anywhere; Denied if it is
// not of this installation, Invalid if it is no checkpoint.
func (l *Ledger) OpenCheckpoint(signed []byte) (audit.Checkpoint, error) {
	_, ours, err := l.auditKey()
	if err != nil {
		return audit.Checkpoint{}, err
	}
	return audit.Open(signed, ours)
}

// VerifyMemory computes the audit log anew, compares it with checkpoints that
// were kept elsewhere, and then each Op with its leaf: who, when, over what, what
// and why, and its content where that can still be read. What is wrong is in the
// report; an error means that something could not be read. It reads a snapshot,
// and nobody waits for it.
func (l *Ledger) VerifyMemory(ctx context.Context, checkpoints ...[]byte) (r audit.Report, err error) {
	_, ours, err := l.auditKey()
	if err != nil {
		return r, err
	}
	err = l.snapshot(ctx, func(query queries) error {
		if r, err = audit.Verify(leaves(query), hashTable{query}, ours, checkpoints...); err != nil {
			return err
		}
		c, err := l.newComparison(query, &r)
		if err != nil {
			return err
		}
		if err := c.readGuards(query); err != nil {
			return err
		}
		if err := c.compareOps(query); err != nil {
			return err
		}
		c.findLifted()
		return c.findDropped(query)
	})
	return r, err
}

// leaves are all encoded leaves in order. Each is overwritten by the next.
func leaves(query queries) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		rows, err := query("SELECT leaf FROM leaves ORDER BY n")
		if err != nil {
			yield(nil, err)
			return
		}
		defer rows.Close()
		for rows.Next() {
			var leaf sql.RawBytes
			err := rows.Scan(&leaf)
			if !yield(leaf, explain(err)) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(nil, explain(err))
		}
	}
}

// Anchor marks a day (YYYY-MM-DD) as one on which an owner gets a checkpoint;
// false if it was marked before.
func (l *Ledger) Anchor(ctx context.Context, owner nacre.OwnerID, day string) (fresh bool, err error) {
	err = l.writer.do(ctx, func(t *tx) error {
		n, err := t.count(`INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value
			WHERE value <> excluded.value`, "anchor/"+string(owner), day)
		fresh = n > 0
		return err
	})
	return fresh, err
}
