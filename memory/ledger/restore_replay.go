package ledger

import (
	"context"
	"encoding/json"

	"nacre"
	"nacre/memory"
)

// replay forgets again what the journal says and the database does not know, and checks
// the result.
func (r *Restored) replay(ctx context.Context, l *Ledger, b *bundle) (err error) {
	if err := l.row(ctx, "SELECT coalesce(max(n) + 1, 0) FROM leaves", nil, &r.Leaves); err != nil {
		return err
	}
	if err := l.dropKeyless(ctx); err != nil {
		return err
	}
	if b != nil {
		r.Bundled, r.Leaves = b.At, max(r.Leaves, b.Leaves)
		for owner, list := range b.Journal {
			n, err := l.replayOwner(ctx, owner, list)
			if err != nil {
				return err
			}
			r.Replayed += n
		}
	}
	if err := l.dropAllGone(ctx); err != nil {
		return err
	}
	if r.Counts, err = l.Counts(ctx); err != nil {
		return err
	}
	r.Report, err = l.VerifyMemory(ctx)
	return err
}

// replayOwner appends what an owner's log lacks of a journal, and erases what it names.
func (l *Ledger) replayOwner(ctx context.Context, owner nacre.OwnerID, list []journalItem) (n int, err error) {
	var version int64
	err = l.row(ctx, "SELECT coalesce(max(version), 0) FROM ops WHERE owner = ? AND kind NOT IN ('refuse', 'intend', 'finish')", []any{owner}, &version)
	if err != nil {
		return 0, err
	}
	missing, all, err := l.missing(ctx, owner, list)
	if err != nil || len(missing) == 0 {
		return 0, err
	}
	return len(missing), l.writer.do(ctx, func(t *tx) error {
		if all {
			if _, err := t.takeAll(owner, ""); err != nil {
				return err
			}
		}
		if err := t.takeErased(owner, missing); err != nil {
			return err
		}
		return t.appendJournal(l, owner, version, missing)
	})
}

// missing are the items of a journal that the log does not have, and whether everything
// of the owner was forgotten among them.
func (l *Ledger) missing(ctx context.Context, owner nacre.OwnerID, list []journalItem) (missing []journalItem, all bool, err error) {
	var known bool
	if err := l.row(ctx, "SELECT EXISTS (SELECT 1 FROM owners WHERE id = ?)", []any{owner}, &known); err != nil || !known {
		return nil, false, err // an owner who came after the snapshot
	}
	for _, i := range list {
		if err := l.row(ctx, "SELECT EXISTS (SELECT 1 FROM ops WHERE id = ?)", []any{i.ID}, &known); err != nil {
			return nil, false, err
		}
		if !known {
			missing = append(missing, i)
			all = all || i.Kind == memory.Erase && i.Reason == memory.Everything
		}
	}
	return missing, all, nil
}

// takeErased erases what Ops still say of notes that are forgotten.
func (t *tx) takeErased(owner nacre.OwnerID, list []journalItem) error {
	var notes []nacre.NoteID
	for _, i := range list {
		if i.Kind == memory.Erase && i.Note != "" {
			notes = append(notes, i.Note)
		}
	}
	text, err := json.Marshal(notes)
	if err != nil {
		return err
	}
	return t.takeNotes(owner, string(text))
}

// appendJournal appends Ops with what the journal keeps of others, one by one: a later
// one names an earlier one by the id that it has now. A note that came after the
// snapshot has only its tombstone left.
func (t *tx) appendJournal(l *Ledger, owner nacre.OwnerID, version int64, list []journalItem) error {
	now := map[memory.OpID]memory.OpID{}
	for _, i := range list {
		op := memory.Op{Writer: memory.ByRestore, Kind: i.kindNow(), Note: i.Note, Reason: i.Reason,
			Payload: memory.Payload{V: 1, Status: i.Status, Tomb: i.Tomb, Revoked: i.Revoked}}
		for _, id := range i.Lifts {
			if renamed, ok := now[id]; ok {
				id = renamed
			}
			op.Payload.Lifts = append(op.Payload.Lifts, id)
		}
		prepared, err := l.prepareOps(owner, []memory.Op{op})
		if err != nil {
			return err
		}
		done, err := t.appendOps(owner, version, prepared)
		if err != nil {
			return err
		}
		version, now[i.ID] = done[0].Version, done[0].ID
	}
	return nil
}

// kindNow is the kind of Op that says what is left of an item. What an Undo took back is
// not known any more, only which tombstones it lifted.
func (i *journalItem) kindNow() memory.OpKind {
	if i.Kind == memory.Undo {
		return memory.Lift
	}
	return i.Kind
}
