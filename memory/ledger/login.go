package ledger

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"nacre"
)

// PutLogin stores the hash of a fresh secret for an owner. Expired ones go.
func (l *Ledger) PutLogin(ctx context.Context, kind nacre.LoginKind, tag []byte, owner nacre.OwnerID, life time.Duration) error {
	return l.writer.do(ctx, func(t *tx) error {
		if _, err := t.exec("DELETE FROM logins WHERE expires_ms <= ?", t.nowMs); err != nil {
			return err
		}
		_, err := t.exec("INSERT INTO logins (tag, kind, owner, created_ms, expires_ms) VALUES (?, ?, ?, ?, ?)",
			tag, kind, owner, t.nowMs, t.nowMs+life.Milliseconds())
		return err
	})
}

// Login returns whose secret a hash is of; NotFound if it is unknown or old.
func (l *Ledger) Login(ctx context.Context, kind nacre.LoginKind, tag []byte) (nacre.OwnerID, error) {
	var owner nacre.OwnerID
	err := l.reading.QueryRowContext(ctx, "SELECT owner FROM logins WHERE tag = ? AND kind = ? AND expires_ms > ?",
		tag, kind, time.Now().UnixMilli()).Scan(&owner)
	return owner, noLogin(err)
}

// UseLogin is Login for a secret that is used up by it: a link, or a session
// that logs out.
func (l *Ledger) UseLogin(ctx context.Context, kind nacre.LoginKind, tag []byte) (nacre.OwnerID, error) {
	var owner nacre.OwnerID
	err := l.writer.do(ctx, func(t *tx) error {
		err := t.row("DELETE FROM logins WHERE tag = ? AND kind = ? AND expires_ms > ? RETURNING owner", []any{tag, kind, t.nowMs}, &owner)
		if errors.Is(err, sql.ErrNoRows) {
			owner = ""
			return nil
		}
		return err
	})
	if err == nil && owner == "" {
		err = sql.ErrNoRows
	}
	return owner, noLogin(err)
}

func noLogin(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return nacre.Errorf(nacre.NotFound, "This login is used up or too old; ask for a new link with /web.")
	}
	return explain(err)
}
