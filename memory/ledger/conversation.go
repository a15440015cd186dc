package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"nacre"
)

// Conversation reads what prompts need of a session: what was said since its
// last fresh start, the older part of it in short. A turn that took another's
// place stands at its own.
func (l *Ledger) Conversation(ctx context.Context, s nacre.SessionInfo) (nacre.Conversation, error) {
	var c nacre.Conversation
	var fresh, through int64
	var head sealed
	err := l.reading.QueryRowContext(ctx, `SELECT s.model, s.fresh_after, coalesce(h.through, 0), coalesce(h.record, 0), h.sealed
		FROM sessions s LEFT JOIN heads h ON h.session = s.id AND h.through > s.fresh_after WHERE s.id = ?`, s.ID).
		Scan(&c.Model, &fresh, &through, &head.record, &head.data)
	if errors.Is(err, sql.ErrNoRows) {
		return c, nacre.Errorf(nacre.NotFound, "there is no session %s", s.ID)
	}
	if err != nil {
		return c, explain(err)
	}
	if through > 0 && l.unseal(s.Owner, "heads", 0, head, &c.Head) != nil {
		c.Head = nil // its key is gone, and with it what it said
	}
	c.Turns, err = l.turnsAfter(ctx, s, max(fresh, through))
	return c, err
}

func (l *Ledger) turnsAfter(ctx context.Context, s nacre.SessionInfo, seq int64) ([]nacre.PastTurn, error) {
	rows, err := l.query(ctx, `SELECT id, coalesce((SELECT seq FROM inbox i WHERE i.id = turns.id), 0), outcome, record, sealed FROM turns
		WHERE session = ? AND record IS NOT NULL AND replaced = 0 AND seq > ? ORDER BY seq`, s.ID, seq)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var turns []nacre.PastTurn
	for rows.Next() {
		var c sealed
		var p nacre.PastTurn
		if err := rows.Scan(&p.ID, &p.First, &p.Outcome, &c.record, &c.data); err != nil {
			return nil, explain(err)
		}
		if l.unseal(s.Owner, "turns", 0, c, &p.History) != nil {
			continue // its key is gone, and with it the turn
		}
		turns = append(turns, p)
	}
	return turns, explain(rows.Err())
}

// Compact puts head in the place of a session's turns up to through, in every
// later Conversation. The turns themselves stay.
func (l *Ledger) Compact(ctx context.Context, s nacre.SessionInfo, through nacre.TurnID, head json.RawMessage) error {
	c, err := l.seal(s.Owner, "heads", 0, head)
	if err != nil {
		return err
	}
	return l.writer.do(ctx, func(t *tx) error {
		if err := t.replace("heads", "session = ?", s.ID); err != nil {
			return err
		}
		n, err := t.count(`INSERT INTO heads (session, owner, through, created_ms, record, sealed)
			SELECT session, owner, seq, ?, ?, ? FROM turns WHERE id = ? AND session = ?
			ON CONFLICT (session) DO UPDATE SET through = excluded.through, created_ms = excluded.created_ms,
			record = excluded.record, sealed = excluded.sealed`, t.nowMs, c.record, c.data, through, s.ID)
		if err == nil && n == 0 {
			err = nacre.Errorf(nacre.NotFound, "there is no turn %s in session %s", through, s.ID)
		}
		return err
	})
}

// ChooseModel keeps which model answers a session; empty means the usual one.
func (l *Ledger) ChooseModel(ctx context.Context, s nacre.SessionInfo, name string) error {
	return l.writer.do(ctx, func(t *tx) error {
		_, err := t.exec("UPDATE sessions SET model = ? WHERE id = ?", name, s.ID)
		return err
	})
}
