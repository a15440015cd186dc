package ledger

import (
	"context"
	"database/sql"
	"errors"

	"nacre"
	"nacre/memory"
)

// EraseSteps are what Erase does, to be stopped after any of them.
func (l *Ledger) EraseSteps(owner nacre.OwnerID, e memory.Erasure) []func(context.Context) error {
	return (&erasing{l: l, owner: owner, e: e, counts: map[string]int{}}).steps()
}

// PunctureDoomed destroys the keys of doomed records and dies before the
// database knows it.
func (l *Ledger) PunctureDoomed(owner nacre.OwnerID) error {
	records, err := l.doomed(context.Background(), owner)
	if err != nil {
		return err
	}
	return l.vault.Puncture(owner, records...)
}

// DropKeys destroys an owner's keys and dies before there are others.
func (l *Ledger) DropKeys(owner nacre.OwnerID) error { return l.vault.DropOwner(owner) }

// CloseErasure finishes a forgetting and dies before its plan's key is
// destroyed.
func (l *Ledger) CloseErasure(id string) error {
	return l.writer.do(context.Background(), func(t *tx) error { return t.closeErasure(id) })
}

// Copied is a row as an old copy of the database has it, and what it says.
type Copied struct {
	Table  string
	Sealed []byte
	Plain  string

	shelf *shelf
	row   sealedRow
}

// Copy reads all rows of an owner.
func (l *Ledger) Copy(owner nacre.OwnerID) (list []Copied, err error) {
	for _, s := range append(shelves[:len(shelves):len(shelves)], &opShelf, &vectorShelf, &shelf{table: "erasures", key: "id"}) {
		err = errors.Join(err, l.scan(context.Background(), owner, s, func(r *sealedRow, plain []byte) error {
			list = append(list, Copied{s.table, r.data, string(plain), s, *r})
			return nil
		}))
	}
	return list, err
}

// Opens reports whether an old copy of a row can still be read.
func (l *Ledger) Opens(owner nacre.OwnerID, c Copied) bool {
	_, err := l.openRow(owner, c.shelf, &c.row)
	return err == nil
}

// Pools are the connections of writers and of readers.
func (l *Ledger) Pools() (writing *sql.Conn, reading *sql.DB) { return l.writer.conn, l.reading }
