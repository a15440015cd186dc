package ledger

import (
	"context"
	"database/sql"
	"fmt"

	"nacre"
	"nacre/memory"
	"nacre/memory/vault"
)

// rowsAtOnce is how many rows are handed from the goroutine that reads to the
// one that unseals.
const rowsAtOnce = 256

// sealedRow is a row of a shelf as it lies in the database.
type sealedRow struct {
	sealed
	key      []any
	revision int64
}

// scan unseals every row of an owner on a shelf and hands it to visit. Rows
// whose keys are gone can be read by nobody, and are left out. The database is
// read by a second goroutine.
func (l *Ledger) scan(ctx context.Context, owner nacre.OwnerID, s *shelf, visit func(r *sealedRow, plain []byte) error) error {
	ctx, stop := context.WithCancel(ctx)
	batches := make(chan []sealedRow, 2)
	failed := make(chan error, 1)
	go func() {
		failed <- l.readRows(ctx, owner, s, batches)
		close(batches)
	}()
	err := l.unsealRows(owner, s, batches, visit)
	stop()
	for range batches {
		// the reader has to end before its connection is free
	}
	if read := <-failed; err == nil {
		err = read
	}
	return err
}

func (l *Ledger) unsealRows(owner nacre.OwnerID, s *shelf, batches <-chan []sealedRow, visit func(r *sealedRow, plain []byte) error) error {
	for batch := range batches {
		for i := range batch {
			r := &batch[i]
			plain, err := l.openRow(owner, s, r)
			if err != nil {
				continue
			}
			if err := visit(r, plain); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *Ledger) openRow(owner nacre.OwnerID, s *shelf, r *sealedRow) ([]byte, error) {
	return l.vault.Unseal(vault.Binding{Owner: owner, Table: s.table, Record: r.record, Revision: r.revision}, r.data)
}

// readRows reads the rows of a shelf in batches.
func (l *Ledger) readRows(ctx context.Context, owner nacre.OwnerID, s *shelf, out chan<- []sealedRow) error {
	rows, err := l.query(ctx, s.rows(), owner)
	if err != nil {
		return err
	}
	defer rows.Close()
	batch := make([]sealedRow, 0, rowsAtOnce)
	for rows.Next() {
		r, err := scanRow(rows, s.keys())
		if err != nil {
			return err
		}
		if batch = append(batch, r); len(batch) < rowsAtOnce {
			continue
		}
		select {
		case out <- batch:
		case <-ctx.Done():
			return ctx.Err()
		}
		batch = make([]sealedRow, 0, rowsAtOnce)
	}
	if err := rows.Err(); err != nil {
		return explain(err)
	}
	select {
	case out <- batch:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func scanRow(rows *sql.Rows, keys int) (sealedRow, error) {
	r := sealedRow{key: make([]any, keys)}
	into := make([]any, 0, 5)
	into = append(into, &r.record, &r.revision, &r.data)
	for i := range r.key {
		into = append(into, &r.key[i])
	}
	return r, explain(rows.Scan(into...))
}

// search hands visit every row of an owner on a shelf that holds what a Needle
// looks for, with its content after a redaction.
func (l *Ledger) search(ctx context.Context, owner nacre.OwnerID, s *shelf, n *memory.Needle, visit func(r *sealedRow, clean []byte) error) error {
	quick := newSieve(n)
	err := l.scan(ctx, owner, s, func(r *sealedRow, plain []byte) error {
		if !s.raw && !s.packed && !quick.passes(unescaped(plain)) {
			return nil
		}
		look := redaction{shelf: s, needle: n}
		if clean, found := look.redacted(plain); found {
			return visit(r, clean)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("look through %s: %w", s.table, err)
	}
	return nil
}

// Count reports how many stored texts of an owner hold what a Needle looks for,
// by kind, as Erase counts them: "messages", "turns", "settings" and so on, but no
// notes. Kinds without any are missing.
func (l *Ledger) Count(ctx context.Context, owner nacre.OwnerID, n *memory.Needle) (map[string]int, error) {
	counts := map[string]int{}
	for _, s := range shelves {
		if s.kind == "" {
			continue
		}
		err := l.search(ctx, owner, s, n, func(*sealedRow, []byte) error {
			counts[s.kind]++
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return counts, nil
}
