package ledger

import (
	"context"
	"database/sql"
	"errors"

	"nacre"
)

// Gone reports whether a chat does not take our messages any more: the newest
// two that were sent there were refused because there is no such chat for us, and
// nobody wrote from there since. One alone may be a slip of the network.
func (l *Ledger) Gone(ctx context.Context, chat nacre.Chat) (gone bool, err error) {
	err = l.row(ctx, `SELECT o.state = 3 AND coalesce(o.reason, '') = ?1
		AND coalesce((SELECT b.state = 3 AND coalesce(b.reason, '') = ?1 FROM outbox b
			WHERE b.channel = ?2 AND b.chat = ?3 AND b.thread = ?4 AND b.seq < o.seq ORDER BY b.seq DESC LIMIT 1), 0)
		AND NOT coalesce((SELECT i.received_ms > o.settled_ms FROM sessions s JOIN inbox i ON i.session = s.id
			WHERE s.owner = o.owner AND s.channel = o.channel AND s.chat = o.chat AND s.thread = o.thread AND i.job IS NULL ORDER BY i.seq DESC LIMIT 1), 0)
		FROM outbox o WHERE o.channel = ?2 AND o.chat = ?3 AND o.thread = ?4 ORDER BY seq DESC LIMIT 1`,
		[]any{nacre.NotFound.String(), chat.Channel, chat.ID, chat.Thread}, &gone)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return gone, err
}

// Told notes that something was told an owner on a day (YYYY-MM-DD), and reports
// whether it was already, so that it is told once.
func (l *Ledger) Told(ctx context.Context, owner nacre.OwnerID, what, day string) (before bool, err error) {
	err = l.writer.do(ctx, func(t *tx) error {
		before, err = t.told(owner, what, day)
		return err
	})
	return before, err
}

// told is Told within a transaction.
func (t *tx) told(owner nacre.OwnerID, what, day string) (before bool, err error) {
	n, err := t.count(`INSERT INTO told (owner, what, day) VALUES (?, ?, ?) ON CONFLICT (owner, what) DO UPDATE SET day = excluded.day
		WHERE day <> excluded.day`, owner, what, day)
	return n == 0, err
}
