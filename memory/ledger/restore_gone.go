package ledger

import (
	"context"
	"errors"

	"nacre"
	"nacre/memory/vault"
)

// emptied are the statements that take the content of shelves whose rows are otherwise
// redacted, where nothing of it can be read any more.
var emptied = map[string]string{
	"inbox": "UPDATE inbox SET sealed = NULL, state = 1",
	"turns": "UPDATE turns SET record = NULL, sealed = NULL",
}

// dropKeyless takes all that is kept of owners of whom nothing can be read: they have no
// keys, as with a bundle from before they came, or others, since everything was forgotten.
// It gives keys to those who have none.
func (l *Ledger) dropKeyless(ctx context.Context) error {
	owners, err := l.ownersIn(ctx, "SELECT id FROM owners")
	if err != nil {
		return err
	}
	for _, owner := range owners {
		readable, err := l.readable(ctx, owner)
		if err == nil && !readable {
			err = l.writer.do(ctx, func(t *tx) error {
				_, err := t.takeAll(owner, "")
				return err
			})
		}
		if err != nil {
			return err
		}
	}
	return l.vault.AddOwners(owners...)
}

// readable reports whether anything of an owner can be read.
func (l *Ledger) readable(ctx context.Context, owner nacre.OwnerID) (bool, error) {
	found := errors.New("it can")
	for _, s := range append(shelves[:len(shelves):len(shelves)], &opShelf) {
		switch err := l.scan(ctx, owner, s, func(*sealedRow, []byte) error { return found }); {
		case errors.Is(err, found):
			return true, nil
		case err != nil:
			return false, err
		}
	}
	return false, nil
}

func (l *Ledger) dropAllGone(ctx context.Context) error {
	owners, err := l.ownersIn(ctx, "SELECT id FROM owners")
	for _, owner := range owners {
		err = errors.Join(err, l.dropGone(ctx, owner))
	}
	return err
}

// dropGone takes from all shelves what an older copy still has and no key opens, so that
// what is left is whole, like a database in which the forgetting happened.
func (l *Ledger) dropGone(ctx context.Context, owner nacre.OwnerID) error {
	for _, s := range shelves {
		gone, err := l.gone(ctx, owner, s)
		if err != nil {
			return err
		}
		if err := l.takeGone(ctx, s, gone); err != nil {
			return err
		}
	}
	return nil
}

// gone are the rows of a shelf whose keys are gone.
func (l *Ledger) gone(ctx context.Context, owner nacre.OwnerID, s *shelf) (list []sealedRow, err error) {
	batches, failed := make(chan []sealedRow, 2), make(chan error, 1)
	go func() {
		failed <- l.readRows(ctx, owner, s, batches)
		close(batches)
	}()
	for batch := range batches {
		for _, row := range batch {
			_, err := l.vault.Unseal(vault.Binding{Owner: owner, Table: s.table, Record: row.record, Revision: row.revision}, row.data)
			if errors.Is(err, vault.ErrPunctured) {
				row.data = nil
				list = append(list, row)
			}
		}
	}
	return list, <-failed
}

// takeGone empties or deletes rows, some hundred in a transaction.
func (l *Ledger) takeGone(ctx context.Context, s *shelf, list []sealedRow) error {
	query := s.erase
	if s.redact {
		query = emptied[s.table]
	}
	for len(list) > 0 && query != "" {
		batch := list[:min(len(list), strikesAtOnce)]
		list = list[len(batch):]
		err := l.writer.do(ctx, func(t *tx) error {
			for _, row := range batch {
				if _, err := t.exec(query+s.row(2), append([]any{t.nowMs, row.record}, row.key...)...); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
