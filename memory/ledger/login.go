package ledger

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"nacre"
)

// loginContent is the sealed part of a login.
type loginContent struct {
	Name string `json:"n"`
}

var errNoLogin = nacre.Errorf(nacre.NotFound, "There is no such login any more.")

// PutLogin stores a login with the hash of its secret. Expired ones of everybody go.
func (l *Ledger) PutLogin(ctx context.Context, g nacre.Login, tag []byte) error {
	var name sealed
	var err error
	if g.Name != "" {
		name, err = l.seal(g.Owner, "logins", 0, loginContent{g.Name})
	}
	if err != nil {
		return err
	}
	return l.writer.do(ctx, func(t *tx) error {
		if _, err := t.dropLogins("expires_ms <= ?", t.nowMs); err != nil {
			return err
		}
		_, err := t.exec("INSERT INTO logins (tag, id, kind, owner, created_ms, seen_ms, expires_ms, record, sealed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
			tag, g.ID, g.Kind, g.Owner, g.Made.UnixMilli(), g.Seen.UnixMilli(), msOf(g.Expires), name.record, name.data)
		return err
	})
}

// admitted are the owners who may come in: those to whom an address belongs, as the
// operator those of this machine.
const admitted = "owner IN (SELECT owner FROM addresses)"

// Login returns the login of a kind whose secret has this hash; NotFound if it is
// unknown or expired, or its owner is not admitted any more.
func (l *Ledger) Login(ctx context.Context, kind nacre.LoginKind, tag []byte) (nacre.Login, error) {
	list, err := l.logins(ctx, "tag = ? AND kind = ? AND "+admitted, tag, kind)
	if err == nil && len(list) == 0 {
		err = errNoLogin
	}
	if err != nil {
		return nacre.Login{}, err
	}
	return list[0], nil
}

// Logins lists the sessions and tokens of an owner, the newest first.
func (l *Ledger) Logins(ctx context.Context, owner nacre.OwnerID) ([]nacre.Login, error) {
	return l.logins(ctx, "owner = ? AND kind <> 'link'", owner)
}

// logins reads those that are good still.
func (l *Ledger) logins(ctx context.Context, where string, args ...any) ([]nacre.Login, error) {
	rows, err := l.query(ctx, `SELECT id, kind, owner, created_ms, seen_ms, expires_ms, record, sealed FROM logins
		WHERE coalesce(expires_ms > ?, 1) AND `+where+" ORDER BY created_ms DESC, id DESC", append([]any{time.Now().UnixMilli()}, args...)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []nacre.Login
	for rows.Next() {
		g, err := l.scanLogin(rows)
		if err != nil {
			return nil, explain(err)
		}
		list = append(list, g)
	}
	return list, explain(rows.Err())
}

// scanLogin reads one. A name that cannot be read is empty: nobody is locked out
// over that.
func (l *Ledger) scanLogin(rows *sql.Rows) (nacre.Login, error) {
	var g nacre.Login
	var made, seen int64
	var expires sql.NullInt64
	var name sealed
	err := rows.Scan(&g.ID, &g.Kind, &g.Owner, &made, &seen, &expires, &name.record, &name.data)
	g.Made, g.Seen, g.Expires = timeOf(made), timeOf(seen), maybeTime(expires)
	var content loginContent
	if err == nil && l.unseal(g.Owner, "logins", 0, name, &content) == nil {
		g.Name = content.Name
	}
	return g, err
}

// UseLink takes up a link, and returns whose it was; NotFound if it is unknown, used
// or expired, or its owner is not admitted any more.
func (l *Ledger) UseLink(ctx context.Context, tag []byte) (owner nacre.OwnerID, err error) {
	err = l.writer.do(ctx, func(t *tx) error {
		owner = ""
		err := t.row("DELETE FROM logins WHERE tag = ? AND kind = 'link' AND expires_ms > ? AND "+admitted+" RETURNING owner", []any{tag, t.nowMs}, &owner)
		if errors.Is(err, sql.ErrNoRows) {
			return nil // who guesses makes nobody's write run again
		}
		return err
	})
	if err == nil && owner == "" {
		err = errNoLogin
	}
	return owner, err
}

// SeeLogin notes that a login is being used, and when it expires from now on.
func (l *Ledger) SeeLogin(ctx context.Context, id nacre.LoginID, expires time.Time) error {
	return l.writer.do(ctx, func(t *tx) error {
		_, err := t.exec("UPDATE logins SET seen_ms = ?, expires_ms = ? WHERE id = ?", t.nowMs, msOf(expires), id)
		return err
	})
}

// DropLogin ends a login of an owner; NotFound if there is none of that id.
func (l *Ledger) DropLogin(ctx context.Context, owner nacre.OwnerID, id nacre.LoginID) error {
	var n int64
	err := l.writer.do(ctx, func(t *tx) (err error) {
		n, err = t.dropLogins("owner = ? AND id = ? AND kind <> 'link'", owner, id)
		return err
	})
	if err == nil && n == 0 {
		err = errNoLogin
	}
	return err
}

// dropLogins takes logins away and returns how many there were.
func (t *tx) dropLogins(where string, args ...any) (int64, error) {
	if err := t.replace("logins", where, args...); err != nil {
		return 0, err
	}
	return t.count("DELETE FROM logins WHERE "+where, args...)
}
