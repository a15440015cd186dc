package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"nacre"
)

var errNoAsk = nacre.Errorf(nacre.NotFound, "Nothing is waiting for your answer here.")

// PutAsk keeps what memory asked in a session until it is answered, taken back
// or expired, in the place of what it asked there before.
func (l *Ledger) PutAsk(ctx context.Context, session nacre.SessionInfo, content json.RawMessage, expires time.Time) error {
	c, err := l.seal(session.Owner, "asks", 0, content)
	if err != nil {
		return err
	}
	return l.writer.do(ctx, func(t *tx) error {
		if err := t.replace("asks", "session = ?", session.ID); err != nil {
			return err
		}
		_, err := t.exec(`INSERT INTO asks (session, owner, expires_ms, record, sealed) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (session) DO UPDATE SET owner = excluded.owner, expires_ms = excluded.expires_ms,
			record = excluded.record, sealed = excluded.sealed`, session.ID, session.Owner, expires.UnixMilli(), c.record, c.data)
		return err
	})
}

// Asked returns what memory asked in a session and waits for; NotFound, as a
// sentence for the person, if there is nothing, or no longer.
func (l *Ledger) Asked(ctx context.Context, session nacre.SessionInfo) (json.RawMessage, error) {
	var c sealed
	err := l.reading.QueryRowContext(ctx, "SELECT record, sealed FROM asks WHERE session = ? AND owner = ? AND expires_ms > ?",
		session.ID, session.Owner, time.Now().UnixMilli()).Scan(&c.record, &c.data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, errNoAsk
	}
	if err != nil {
		return nil, explain(err)
	}
	var content json.RawMessage
	if l.unseal(session.Owner, "asks", 0, c, &content) != nil {
		return nil, errNoAsk
	}
	return content, nil
}

// DropAsk ends the waiting for an answer in a session. It is no error if nothing
// waits.
func (l *Ledger) DropAsk(ctx context.Context, session nacre.SessionInfo) error {
	return l.writer.do(ctx, func(t *tx) error {
		if err := t.replace("asks", "session = ? AND owner = ?", session.ID, session.Owner); err != nil {
			return err
		}
		_, err := t.exec("DELETE FROM asks WHERE session = ? AND owner = ?", session.ID, session.Owner)
		return err
	})
}
