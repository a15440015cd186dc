package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"nacre"
	"nacre/memory"
	"nacre/memory/vault"
)

// What Sweep cannot do yet, in words for the owner.
const (
	logBusy    = "the database's log is still being read; it is cleaned within an hour after that ends"
	besideBusy = "a file beside the database still holds what was overwritten in it; it is cleaned within an hour after it can be"
	keysBusy   = "the key file could not be written, so that some keys are not destroyed yet"
	unread     = "some files in the data directory could not be looked through"
)

// Sweep looks everywhere for what an Erasure was to erase, without its plan: in
// every record of the owner that can still be read, and in the bytes of every
// file of the data directory. Before that it empties the database's write-ahead
// log, which keeps what was overwritten, has the files beside it do the same, and
// makes sure of the keys. If nothing
// is left and nothing pending the Erasure is finished, and its plan destroyed;
// otherwise a later call looks again.
func (l *Ledger) Sweep(ctx context.Context, owner nacre.OwnerID, e memory.Erasure) (memory.Swept, error) {
	var s memory.Swept
	open, err := l.isOpen(ctx, e.ID)
	if err != nil || !open {
		return s, err
	}
	if s.Pending, err = l.prepareSweep(ctx, owner); err != nil {
		return s, err
	}
	if err := l.look(ctx, owner, e, &s); err != nil || s.Left > 0 || len(s.Pending) > 0 {
		return s, err
	}
	return s, l.finish(ctx, owner, e)
}

// prepareSweep takes from the files what was overwritten in them, and from the
// keys what is doomed. It returns what cannot be done yet.
func (l *Ledger) prepareSweep(ctx context.Context, owner nacre.OwnerID) (pending []string, err error) {
	busy, err := l.emptyLog(ctx)
	if err != nil {
		return nil, err
	}
	if busy {
		pending = append(pending, logBusy)
	}
	for _, step := range []struct {
		do   func() error
		busy string
	}{
		{func() error { return l.emptyBeside(ctx) }, besideBusy},
		{func() error { return l.puncture(ctx, owner) }, keysBusy},
	} {
		switch err := step.do(); {
		case nacre.KindOf(err) == nacre.Transient:
			pending = append(pending, step.busy)
		case err != nil:
			return nil, err
		}
	}
	return pending, nil
}

func (l *Ledger) emptyBeside(ctx context.Context) error {
	if l.beside == nil {
		return nil
	}
	return l.beside(ctx)
}

func (l *Ledger) isOpen(ctx context.Context, id string) (open bool, err error) {
	err = l.reading.QueryRowContext(ctx, "SELECT done_ms IS NULL FROM erasures WHERE id = ? AND coalesce(erased_ms, done_ms) IS NOT NULL", id).Scan(&open)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nacre.Errorf(nacre.NotFound, "there is no forgetting %s that has erased anything", id)
	}
	return open, explain(err)
}

// look counts the places where something of an Erasure is left: records and
// files at the same time.
func (l *Ledger) look(ctx context.Context, owner nacre.OwnerID, e memory.Erasure, s *memory.Swept) error {
	owners, err := l.Owners(ctx)
	if err != nil {
		return err
	}
	files := residue{files: l.files, owner: owner, owners: owners, wanted: newLiterals(&memory.Needle{})}
	if e.Needle != nil {
		files.wanted = newLiterals(e.Needle)
	}
	looked := make(chan error, 1)
	go func() { looked <- files.look(ctx) }()
	records, err := l.remains(ctx, owner, e)
	err = errors.Join(err, <-looked)
	if files.unread > 0 {
		s.Pending = append(s.Pending, unread)
	}
	s.Left = records + files.found
	return err
}

// remains counts the records that can be read and hold what was to be erased.
func (l *Ledger) remains(ctx context.Context, owner nacre.OwnerID, e memory.Erasure) (int, error) {
	if e.Size == memory.SizeAll {
		return l.olderThan(ctx, owner, e.ID)
	}
	left, err := l.opsLeft(ctx, owner, e.Notes)
	if err != nil || e.Needle == nil {
		return left, err
	}
	for _, s := range append(shelves[:len(shelves):len(shelves)], &opShelf) {
		err := l.search(ctx, owner, s, e.Needle, func(*sealedRow, []byte) error {
			left++
			return nil
		})
		if err != nil {
			return left, err
		}
	}
	return left, nil
}

// opsLeft counts the Ops of forgotten notes whose content, or the key of it, is
// still there.
func (l *Ledger) opsLeft(ctx context.Context, owner nacre.OwnerID, notes []nacre.NoteID) (left int, err error) {
	list, err := json.Marshal(notes)
	if err != nil {
		return 0, err
	}
	rows, err := l.query(ctx, "SELECT record, sealed IS NOT NULL"+ofNotes, owner, string(list))
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var record uint64
		var there bool
		if err := rows.Scan(&record, &there); err != nil {
			return left, explain(err)
		}
		_, gone := l.vault.Seal(vault.Binding{Owner: owner, Table: "ops", Record: record}, nil)
		if there || gone == nil {
			left++
		}
	}
	return left, explain(rows.Err())
}

// olderThan counts the records of an owner that are older than a forgetting of
// everything and can be read.
func (l *Ledger) olderThan(ctx context.Context, owner nacre.OwnerID, id string) (left int, err error) {
	var plan uint64
	if err := l.reading.QueryRowContext(ctx, "SELECT record FROM erasures WHERE id = ?", id).Scan(&plan); err != nil {
		return 0, explain(err)
	}
	for _, s := range append(shelves[:len(shelves):len(shelves)], &opShelf, &vectorShelf) {
		err := l.scan(ctx, owner, s, func(r *sealedRow, _ []byte) error {
			if r.record < plan {
				left++
			}
			return nil
		})
		if err != nil {
			return left, err
		}
	}
	return left, nil
}

// finish closes a forgetting of which nothing is left.
func (l *Ledger) finish(ctx context.Context, owner nacre.OwnerID, e memory.Erasure) error {
	ops, err := l.prepareOps(owner, []memory.Op{{Writer: e.Writer, Via: e.Via, Kind: memory.Finish, Payload: memory.Payload{V: 1}}})
	if err != nil {
		return err
	}
	err = l.writer.do(ctx, func(t *tx) error {
		if _, err := t.appendOps(owner, 0, ops); err != nil {
			return err
		}
		return t.closeErasure(e.ID)
	})
	if err != nil {
		return err
	}
	return l.puncture(ctx, owner)
}

// Unfinished lists the forgettings of all owners that were begun and not
// finished, in the order in which they began.
func (l *Ledger) Unfinished(ctx context.Context) ([]memory.Unfinished, error) {
	rows, err := l.query(ctx, `SELECT e.id, e.owner, e.size, e.record, e.sealed, o.writer, o.channel FROM erasures e
		JOIN ops o ON o.owner = e.owner AND o.kind = 'intend' AND o.at_ms = e.created_ms WHERE e.done_ms IS NULL GROUP BY e.id ORDER BY e.id`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []memory.Unfinished
	for rows.Next() {
		u, err := l.scanUnfinished(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, u)
	}
	return list, explain(rows.Err())
}

// scanUnfinished reads the plan of a forgetting. That of everything may have
// gone with the keys, and needs none.
func (l *Ledger) scanUnfinished(rows *sql.Rows) (memory.Unfinished, error) {
	var u memory.Unfinished
	var plan sealed
	e := memory.Erasure{Needle: &memory.Needle{All: true}}
	if err := rows.Scan(&e.ID, &u.Owner, &e.Size, &plan.record, &plan.data, &e.Writer, &e.Via); err != nil {
		return u, explain(err)
	}
	err := l.unseal(u.Owner, "erasures", 0, plan, &u.Erasure)
	switch {
	case err == nil:
	case e.Size == memory.SizeAll:
		u.Erasure = e
	default:
		return u, nacre.Errorf(nacre.Internal, "the plan of forgetting %s is damaged (%w); run nacre verify, and put back the newest backup", e.ID, err)
	}
	return u, nil
}
