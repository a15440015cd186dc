package ledger

import (
	"context"

	"nacre"
)

// Commit writes a turn, its replies into the outbox, and its messages as
// done, in one transaction, and returns the new deliveries when that is
// durable. The first part for a chat where nothing else waits is written as
// asked, because it is sent at once. It is a Conflict if a message was already
// answered: the turn must not be delivered then. The session calls it at the
// end of every turn, and the model is never asked again for these messages.
func (l *Ledger) Commit(ctx context.Context, turn nacre.Turn) ([]nacre.Delivery, error) {
	var history *sealed
	if len(turn.History) > 0 {
		h, err := l.seal(turn.Owner, "turns", 0, turn.History)
		if err != nil {
			return nil, err
		}
		history = &h
	}
	parts, err := l.sealParts(turn.Owner, turn.Replies)
	if err != nil {
		return nil, err
	}
	questions, err := l.sealQuestions(turn.Owner, turn.Replies)
	if err != nil {
		return nil, err
	}
	err = l.writer.do(ctx, func(t *tx) error {
		if err := t.finishMessages(turn); err != nil {
			return err
		}
		if err := t.putTurn(turn, history); err != nil {
			return err
		}
		if err := t.takeBubble(turn.ID, parts); err != nil {
			return err
		}
		if err := t.follow(turn.Session, parts, questions); err != nil {
			return err
		}
		if err := t.putQuestions(questions); err != nil {
			return err
		}
		return t.putParts(parts)
	})
	if err != nil {
		return nil, err
	}
	return deliveries(parts), nil
}

// finishMessages marks a turn's messages as done. One that is done without a
// turn was forgotten while this turn was at it, perhaps by it.
func (t *tx) finishMessages(turn nacre.Turn) error {
	for _, id := range turn.Messages {
		n, err := t.count("UPDATE inbox SET state = 1, turn = ? WHERE id = ? AND (state = 0 OR turn IS NULL)", turn.ID, id)
		if err != nil {
			return err
		}
		if n == 0 {
			return nacre.Errorf(nacre.Conflict, "message %s was already answered", id)
		}
	}
	return nil
}

func (t *tx) putTurn(turn nacre.Turn, history *sealed) error {
	var record, data any
	if history != nil {
		record, data = history.record, history.data
	}
	res, err := t.exec(`INSERT INTO turns (id, owner, session, outcome, started_ms, committed_ms, record, sealed) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		turn.ID, turn.Owner, turn.Session, turn.Outcome, turn.Started.UnixMilli(), t.nowMs, record, data)
	if err != nil {
		return err
	}
	if turn.Instead != "" {
		if _, err := t.exec("UPDATE turns SET replaced = 1 WHERE id = ? AND session = ?", turn.Instead, turn.Session); err != nil {
			return err
		}
	}
	if !turn.Fresh {
		return nil
	}
	seq, err := res.LastInsertId()
	if err != nil {
		return err
	}
	_, err = t.exec("UPDATE sessions SET fresh_after = ? WHERE id = ?", seq, turn.Session)
	return err
}
