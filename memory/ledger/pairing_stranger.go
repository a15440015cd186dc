package ledger

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"nacre"
)

// Strangers lists who was shown a code to be admitted by and still may be at an
// instant, oldest first.
func (l *Ledger) Strangers(ctx context.Context, now time.Time) ([]nacre.Stranger, error) {
	rows, err := l.query(ctx, `SELECT tag, channel, sender, created_ms, expires_ms FROM pairings
		WHERE kind = ? AND expires_ms > ? ORDER BY created_ms, channel, sender`, nacre.Admit, now.UnixMilli())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := []nacre.Stranger{}
	for rows.Next() {
		var tag []byte
		var s nacre.Stranger
		var came, until int64
		if err := rows.Scan(&tag, &s.Address.Channel, &s.Address.ID, &came, &until); err != nil {
			return nil, explain(err)
		}
		s.ID, s.Came, s.Until = strangerID(tag), timeOf(came), timeOf(until)
		list = append(list, s)
	}
	return list, explain(rows.Err())
}

// strangerID names a stranger by their code, of which it tells no more than the tag
// does.
func strangerID(tag []byte) string {
	sum := sha256.Sum256(append([]byte("nacre stranger "), tag...))
	return hex.EncodeToString(sum[:8])
}

// Admit makes an Owner of a stranger who waits, as UsePairing does with their code.
// NotFound if they do not wait any more.
func (l *Ledger) Admit(ctx context.Context, stranger string) (nacre.Pairing, error) {
	var p nacre.Pairing
	err := l.writer.do(ctx, func(t *tx) error {
		tag, err := t.waiting(stranger)
		if err != nil {
			return err
		}
		if p, err = t.pairing(nacre.Admit, tag); err != nil {
			return err
		}
		return l.use(t, &p, nacre.Address{})
	})
	return p, err
}

// Refuse takes the code of a stranger who waits away. NotFound if they do not wait
// any more.
func (l *Ledger) Refuse(ctx context.Context, stranger string) error {
	return l.writer.do(ctx, func(t *tx) error {
		tag, err := t.waiting(stranger)
		if err == nil {
			_, err = t.exec("DELETE FROM pairings WHERE tag = ?", tag)
		}
		return err
	})
}

// waiting is the tag of a stranger who waits.
func (t *tx) waiting(stranger string) ([]byte, error) {
	rows, err := t.query("SELECT tag FROM pairings WHERE kind = ? AND expires_ms > ?", nacre.Admit, t.nowMs)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var tag []byte
		if err := rows.Scan(&tag); err != nil {
			return nil, err
		}
		if strangerID(tag) == stranger {
			return tag, nil
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return nil, nacre.Errorf(nacre.NotFound, "They do not wait any more; their code was used, or is older than an hour.")
}
