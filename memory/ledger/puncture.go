package ledger

import (
	"context"
	"encoding/json"
	"strconv"

	"nacre"
)

// puncture destroys the keys of the doomed records of an owner. What a crash
// leaves of it is done at the next start.
func (l *Ledger) puncture(ctx context.Context, owner nacre.OwnerID) error {
	records, err := l.doomed(ctx, owner)
	if err != nil || len(records) == 0 {
		return err
	}
	if err := l.vault.Puncture(owner, records...); err != nil {
		return err
	}
	list, err := json.Marshal(records)
	if err != nil {
		return err
	}
	return l.writer.do(ctx, func(t *tx) error {
		if _, err := t.exec("DELETE FROM doomed WHERE owner = ? AND record IN (SELECT value FROM json_each(?))", owner, string(list)); err != nil {
			return err
		}
		return l.countPunctures(t)
	})
}

// countPunctures writes down how many keys were destroyed by now, so that an
// older copy of the key file is noticed.
func (l *Ledger) countPunctures(t *tx) error {
	return t.setMeta("punctures", strconv.FormatUint(l.vault.Punctures(), 10))
}

func (l *Ledger) doomed(ctx context.Context, owner nacre.OwnerID) ([]uint64, error) {
	rows, err := l.query(ctx, "SELECT record FROM doomed WHERE owner = ? ORDER BY record", owner)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []uint64
	for rows.Next() {
		var n uint64
		if err := rows.Scan(&n); err != nil {
			return nil, explain(err)
		}
		list = append(list, n)
	}
	return list, explain(rows.Err())
}

// finishKeys does at the start what a crash left undone between the database
// and the key file: it destroys the doomed keys, and gives other ones to owners
// whose keys went with all that was theirs.
func (l *Ledger) finishKeys(ctx context.Context) error {
	renewed, err := l.ownersIn(ctx, "SELECT DISTINCT owner FROM erasures WHERE size = 'all' AND erased_ms IS NOT NULL AND done_ms IS NULL")
	if err != nil {
		return err
	}
	if err := l.vault.AddOwners(renewed...); err != nil {
		return err
	}
	owners, err := l.ownersIn(ctx, "SELECT DISTINCT owner FROM doomed")
	if err != nil {
		return err
	}
	for _, owner := range owners {
		if err := l.puncture(ctx, owner); err != nil {
			return err
		}
	}
	return l.settlePunctures(ctx)
}

// settlePunctures makes the database agree with the key file once nothing is left
// to do between them.
func (l *Ledger) settlePunctures(ctx context.Context) error {
	known, err := l.meta(ctx, "punctures")
	if now := strconv.FormatUint(l.vault.Punctures(), 10); err == nil && known != now && l.vault.Punctures() > 0 {
		err = l.writer.do(ctx, l.countPunctures)
	}
	return err
}

func (l *Ledger) ownersIn(ctx context.Context, query string) ([]nacre.OwnerID, error) {
	rows, err := l.query(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []nacre.OwnerID
	for rows.Next() {
		var id nacre.OwnerID
		if err := rows.Scan(&id); err != nil {
			return nil, explain(err)
		}
		list = append(list, id)
	}
	return list, explain(rows.Err())
}

// replace notes the records of rows whose content goes without a forgetting: their
// keys stay, so that an older copy of the database is good for as long as nothing
// is forgotten, and go with the next forgetting, which cannot look into them.
func (t *tx) replace(table, where string, args ...any) error {
	_, err := t.exec("INSERT INTO replaced (owner, record) SELECT owner, record FROM "+table+" WHERE record > 0 AND "+where+" ON CONFLICT DO NOTHING", args...)
	return err
}

// doomReplaced dooms what was replaced.
func (t *tx) doomReplaced(owner nacre.OwnerID) error {
	if _, err := t.exec("INSERT INTO doomed (owner, record) SELECT owner, record FROM replaced WHERE owner = ? ON CONFLICT DO NOTHING", owner); err != nil {
		return err
	}
	_, err := t.exec("DELETE FROM replaced WHERE owner = ?", owner)
	return err
}
