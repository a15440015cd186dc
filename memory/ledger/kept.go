package ledger

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"nacre"
)

// SentPart is the part that was sent to a chat as a message of ours, while its words
// are kept; NotFound otherwise. What was sent to a chat that goes on under another id
// is found under that one. A channel calls it whose network asks again for what it
// took before.
func (l *Ledger) SentPart(ctx context.Context, chat nacre.Chat, id nacre.ExternalID) (nacre.Part, error) {
	var part nacre.Part
	var owner nacre.OwnerID
	var c sealed
	err := l.row(ctx, `SELECT owner, record, sealed FROM outbox
		WHERE channel = ? AND external = ? AND keep_until_ms IS NOT NULL AND chat = ? ORDER BY seq DESC LIMIT 1`,
		[]any{chat.Channel, id, chat.ID}, &owner, &c.record, &c.data)
	if errors.Is(err, sql.ErrNoRows) || err == nil && l.unseal(owner, "outbox", 0, c, &part) != nil {
		return nacre.Part{}, nacre.Errorf(nacre.NotFound, "the words of message %s are not kept", id)
	}
	return part, err
}

// SentBetween lists the parts that were sent to a chat in an interval and whose words
// are kept, and those that are being sent now; the newest first. A channel calls it that has to know its own words
// when they come back.
func (l *Ledger) SentBetween(ctx context.Context, chat nacre.Chat, from, to time.Time) ([]nacre.Part, error) {
	rows, err := l.query(ctx, `SELECT seq, owner, record, sealed FROM outbox
			WHERE channel = ?1 AND chat = ?2 AND thread = ?3 AND keep_until_ms IS NOT NULL AND settled_ms BETWEEN ?4 AND ?5
		UNION ALL SELECT seq, owner, record, sealed FROM outbox INDEXED BY outbox_open
			WHERE channel = ?1 AND chat = ?2 AND thread = ?3 AND state < 2 AND state = 1 AND sealed IS NOT NULL
		ORDER BY seq DESC`, chat.Channel, chat.ID, chat.Thread, from.UnixMilli(), to.UnixMilli())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []nacre.Part
	for rows.Next() {
		var seq int64
		var owner nacre.OwnerID
		var c sealed
		if err := rows.Scan(&seq, &owner, &c.record, &c.data); err != nil {
			return nil, explain(err)
		}
		var part nacre.Part
		if l.unseal(owner, "outbox", 0, c, &part) == nil {
			list = append(list, part)
		}
	}
	return list, explain(rows.Err())
}

// Wanted reports whether a part is still to be sent: a forgetting may have taken its
// words since the outbox was asked for it. A channel calls it that had to wait.
func (l *Ledger) Wanted(ctx context.Context, id nacre.DeliveryID) (wanted bool, err error) {
	err = l.row(ctx, "SELECT EXISTS (SELECT 1 FROM outbox WHERE id = ? AND state = 1 AND sealed IS NOT NULL)", []any{id}, &wanted)
	return wanted, err
}

// ClearSent takes the words of parts that were sent and kept for long enough by
// now. Their keys go with the next forgetting, which cannot look into them any
// more. An hourly chore calls it.
func (l *Ledger) ClearSent(ctx context.Context, now time.Time) error {
	return l.writer.do(ctx, func(t *tx) error {
		for _, query := range []string{
			"INSERT INTO replaced (owner, record) SELECT owner, record FROM outbox WHERE keep_until_ms <= ? ON CONFLICT DO NOTHING",
			"UPDATE outbox SET sealed = NULL, keep_until_ms = NULL WHERE keep_until_ms <= ?",
		} {
			if _, err := t.exec(query, now.UnixMilli()); err != nil {
				return err
			}
		}
		return nil
	})
}
