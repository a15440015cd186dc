package ledger

import (
	"context"
	"encoding/json"

	"nacre"
	"nacre/memory"
)

// Hit counts that notes of an owner were recalled, each once for a day
// (YYYY-MM-DD in the owner's zone).
func (l *Ledger) Hit(ctx context.Context, owner nacre.OwnerID, day string, notes []nacre.NoteID) error {
	if len(notes) == 0 {
		return nil
	}
	list, err := json.Marshal(notes)
	if err != nil {
		return err
	}
	if known, err := l.hitBefore(ctx, owner, day, string(list)); err != nil || known == len(notes) {
		return err // nothing to write, and nothing for a turn to wait for
	}
	return l.writer.do(ctx, func(t *tx) error {
		_, err := t.exec("INSERT INTO hits (owner, note, day) SELECT ?, value, ? FROM json_each(?) WHERE true ON CONFLICT DO NOTHING", owner, day, string(list))
		return err
	})
}

// hitBefore counts those of a list of notes that were recalled on a day already.
func (l *Ledger) hitBefore(ctx context.Context, owner nacre.OwnerID, day, list string) (n int, err error) {
	rows, err := l.query(ctx, "SELECT count(*) FROM hits WHERE owner = ? AND day = ? AND note IN (SELECT value FROM json_each(?))", owner, day, list)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&n); err != nil {
			return 0, explain(err)
		}
	}
	return n, explain(rows.Err())
}

// Hits counts the days on which each note of an owner was recalled; notes that
// never were are missing.
func (l *Ledger) Hits(ctx context.Context, owner nacre.OwnerID) (map[nacre.NoteID]int, error) {
	use, err := l.Use(ctx, owner)
	if err != nil {
		return nil, err
	}
	hits := make(map[nacre.NoteID]int, len(use))
	for note, u := range use {
		hits[note] = u.Days
	}
	return hits, nil
}

// Use tells of each note of an owner that was ever recalled on how many days, and
// on which last.
func (l *Ledger) Use(ctx context.Context, owner nacre.OwnerID) (map[nacre.NoteID]memory.Use, error) {
	rows, err := l.query(ctx, "SELECT note, count(*), max(day) FROM hits WHERE owner = ? GROUP BY note", owner)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	use := map[nacre.NoteID]memory.Use{}
	for rows.Next() {
		var note nacre.NoteID
		var u memory.Use
		if err := rows.Scan(&note, &u.Days, &u.Last); err != nil {
			return nil, explain(err)
		}
		use[note] = u
	}
	return use, explain(rows.Err())
}
