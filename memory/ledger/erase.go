package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"nacre"
	"nacre/memory"
)

// Erase carries a forgetting out, but for what lies outside the database. In
// this order, each step durable before the next: the intent; one transaction
// after which nobody finds what is known to say it; the keys of all that; every
// other record of the owner that says it, and its key. A process that dies on
// the way finds the Erasure in Unfinished, and calling Erase again goes on where
// it ended. It returns how many records of each kind went ("notes", "messages",
// "turns", "summaries", "replies", "questions", "files", "jobs", "settings",
// "logins", of which only the names go, "passwords"), as far as this call saw them
// go, and the Ops that it appended. It is a Conflict, and nothing is
// erased, if memory is no longer at the Erasure's version.
func (l *Ledger) Erase(ctx context.Context, owner nacre.OwnerID, e memory.Erasure) (map[string]int, []memory.Op, error) {
	r := &erasing{l: l, owner: owner, e: e, counts: map[string]int{}}
	for _, step := range r.steps() {
		if err := step(ctx); err != nil {
			return nil, nil, err
		}
	}
	return r.counts, r.ops, nil
}

// erasing is an Erasure under way.
type erasing struct {
	l     *Ledger
	owner nacre.OwnerID
	e     memory.Erasure

	taken  bool // the rows went in an earlier call
	counts map[string]int
	ops    []memory.Op
}

func (r *erasing) steps() []func(context.Context) error {
	return []func(context.Context) error{r.intend, r.take, r.destroy, r.clean, r.destroy}
}

// intend records what is to be erased, before anything is.
func (r *erasing) intend(ctx context.Context) error {
	begun, err := r.begun(ctx)
	if err != nil || begun {
		return err
	}
	plan, err := r.l.seal(r.owner, "erasures", 0, r.e)
	if err != nil {
		return err
	}
	intent, err := r.l.prepareOps(r.owner, []memory.Op{{Writer: r.e.Writer, Via: r.e.Via, Kind: memory.Intend, Payload: memory.Payload{V: 1}}})
	if err != nil {
		return err
	}
	return r.l.writer.do(ctx, func(t *tx) error {
		if r.ops, err = t.appendOps(r.owner, r.e.Base, intent); err != nil {
			return err
		}
		_, err := t.exec("INSERT INTO erasures (id, owner, size, created_ms, record, sealed) VALUES (?, ?, ?, ?, ?, ?)",
			r.e.ID, r.owner, r.e.Size, t.nowMs, plan.record, plan.data)
		return err
	})
}

// begun finds out how far an earlier call came.
func (r *erasing) begun(ctx context.Context) (bool, error) {
	var abandoned bool
	err := r.l.reading.QueryRowContext(ctx, "SELECT erased_ms IS NOT NULL, erased_ms IS NULL AND done_ms IS NOT NULL FROM erasures WHERE id = ? AND owner = ?",
		r.e.ID, r.owner).Scan(&r.taken, &abandoned)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return false, nil
	case abandoned:
		return true, errChanged
	}
	return true, explain(err)
}

// take erases in one transaction all that is known to say it.
func (r *erasing) take(ctx context.Context) error {
	if n := len(r.e.Notes); n > 0 {
		r.counts["notes"] = n
	}
	if r.taken {
		return nil
	}
	ops, err := r.l.prepareOps(r.owner, r.e.Ops)
	if err != nil {
		return err
	}
	var appended []memory.Op
	var counts map[string]int
	err = r.l.writer.do(ctx, func(t *tx) error {
		if appended, err = t.appendOps(r.owner, r.e.Base, ops); err != nil {
			return err
		}
		if counts, err = r.takeRows(t); err != nil {
			return err
		}
		_, err := t.exec("UPDATE erasures SET erased_ms = ? WHERE id = ?", t.nowMs, r.e.ID)
		return err
	})
	if nacre.KindOf(err) == nacre.Conflict {
		return errors.Join(err, r.abandon(ctx))
	}
	if err != nil {
		return err
	}
	r.ops = append(r.ops, appended...)
	r.count(counts)
	return nil
}

func (r *erasing) count(more map[string]int) {
	for kind, n := range more {
		r.counts[kind] += n
	}
}

// abandon closes an intent of which nothing came, so that nobody takes it up
// again.
func (r *erasing) abandon(ctx context.Context) error {
	err := r.l.writer.do(ctx, func(t *tx) error { return t.closeErasure(r.e.ID) })
	if err != nil {
		return err
	}
	return r.l.puncture(ctx, r.owner)
}

// closeErasure destroys the plan of a forgetting.
func (t *tx) closeErasure(id string) error {
	if _, err := t.exec("INSERT INTO doomed (owner, record) SELECT owner, record FROM erasures WHERE id = ? AND size <> 'all' ON CONFLICT DO NOTHING", id); err != nil {
		return err
	}
	_, err := t.exec("UPDATE erasures SET done_ms = ?, sealed = NULL WHERE id = ?", t.nowMs, id)
	return err
}

func (r *erasing) takeRows(t *tx) (map[string]int, error) {
	if r.e.Size == memory.SizeAll {
		return t.takeAll(r.owner, r.e.ID)
	}
	notes, err := json.Marshal(r.e.Notes)
	if err != nil {
		return nil, err
	}
	if err := t.takeNotes(r.owner, string(notes)); err != nil {
		return nil, err
	}
	return r.blankCited(t)
}

// ofNotes are the Ops that say what a note said. An Erase does not, and an Undo
// is only of other Ops.
const ofNotes = " FROM ops WHERE owner = ?1 AND note <> '' AND note IN (SELECT value FROM json_each(?2)) AND kind NOT IN ('erase', 'undo')"

// takeNotes erases what Ops say of notes, and what was made of all notes
// together: the files, and what memory was about to do.
func (t *tx) takeNotes(owner nacre.OwnerID, notes string) error {
	for _, query := range []string{
		"INSERT INTO doomed (owner, record) SELECT owner, record" + ofNotes + " AND sealed IS NOT NULL ON CONFLICT DO NOTHING",
		"UPDATE ops SET sealed = NULL WHERE sealed IS NOT NULL AND seq IN (SELECT seq" + ofNotes + ")",
		"DELETE FROM hits WHERE owner = ?1 AND note IN (SELECT value FROM json_each(?2))",
	} {
		if _, err := t.exec(query, owner, notes); err != nil {
			return err
		}
	}
	if err := t.doomReplaced(owner); err != nil {
		return err
	}
	for _, table := range []string{"files", "asks"} {
		if _, err := t.exec("INSERT INTO doomed (owner, record) SELECT owner, record FROM "+table+" WHERE owner = ? ON CONFLICT DO NOTHING", owner); err != nil {
			return err
		}
		if _, err := t.exec("DELETE FROM "+table+" WHERE owner = ?", owner); err != nil {
			return err
		}
	}
	return nil
}

// destroy destroys the keys of what was taken.
func (r *erasing) destroy(ctx context.Context) error {
	if r.e.Size == memory.SizeAll {
		return r.renewKeys(ctx)
	}
	return r.l.puncture(ctx, r.owner)
}

// clean takes what is looked for from every other record of the owner.
func (r *erasing) clean(ctx context.Context) error {
	if r.e.Needle == nil || r.e.Size == memory.SizeAll {
		return nil
	}
	for _, s := range shelves {
		if err := r.cleanShelf(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// strikesAtOnce is how many rows are struck in one transaction.
const strikesAtOnce = 128

func (r *erasing) cleanShelf(ctx context.Context, s *shelf) error {
	var batch []strike
	err := r.l.search(ctx, r.owner, s, r.e.Needle, func(row *sealedRow, clean []byte) error {
		c, err := r.l.sealClean(r.owner, s, row, clean)
		if err != nil {
			return err
		}
		if batch = append(batch, strike{s, *row, c}); len(batch) < strikesAtOnce {
			return nil
		}
		err = r.strikeAll(ctx, batch)
		batch = batch[:0]
		return err
	})
	if err != nil {
		return err
	}
	return r.strikeAll(ctx, batch)
}

func (r *erasing) strikeAll(ctx context.Context, batch []strike) error {
	if len(batch) == 0 {
		return nil
	}
	var counts map[string]int
	err := r.l.writer.do(ctx, func(t *tx) error {
		counts = map[string]int{}
		for i := range batch {
			struck, err := t.strike(r.owner, &batch[i])
			if err != nil {
				return err
			}
			if kind := batch[i].shelf.kind; struck && kind != "" {
				counts[kind]++
			}
		}
		return nil
	})
	r.count(counts)
	return err
}
