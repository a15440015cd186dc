package ledger

import (
	"context"
	"database/sql"

	"nacre"
)

// passwordContent is the sealed part of a password.
type passwordContent struct {
	Name string `json:"n"`
	Hash string `json:"hash"`
}

// PutPassword gives an owner a password, in the place of another if there is one.
// It is a Conflict if somebody else has one of its Name, however it is written, and
// whether they are admitted or not.
func (l *Ledger) PutPassword(ctx context.Context, p nacre.Password) error {
	c, err := l.seal(p.Owner, "passwords", 0, passwordContent{p.Name, p.Hash})
	if err != nil {
		return err
	}
	return l.writer.do(ctx, func(t *tx) error {
		all, err := l.passwords(t.query(allPasswords))
		if err != nil {
			return err
		}
		for _, other := range all {
			if other.Owner != p.Owner && nacre.FoldName(other.Name) == nacre.FoldName(p.Name) {
				return nacre.Errorf(nacre.Conflict, "Somebody else logs in by this name; choose another.")
			}
		}
		if err := t.replace("passwords", "owner = ?", p.Owner); err != nil {
			return err
		}
		_, err = t.exec(`INSERT INTO passwords (owner, record, sealed) VALUES (?, ?, ?)
			ON CONFLICT (owner) DO UPDATE SET record = excluded.record, sealed = excluded.sealed`, p.Owner, c.record, c.data)
		return err
	})
}

// DropPassword takes an owner's password away, if there is one.
func (l *Ledger) DropPassword(ctx context.Context, owner nacre.OwnerID) error {
	return l.writer.do(ctx, func(t *tx) error {
		if err := t.replace("passwords", "owner = ?", owner); err != nil {
			return err
		}
		_, err := t.exec("DELETE FROM passwords WHERE owner = ?", owner)
		return err
	})
}

const allPasswords = "SELECT owner, record, sealed FROM passwords"

// Passwords returns those of all owners who are admitted, of whom one has one at most.
func (l *Ledger) Passwords(ctx context.Context) ([]nacre.Password, error) {
	return l.passwords(l.query(ctx, allPasswords+" WHERE "+admitted))
}

func (l *Ledger) passwords(rows *sql.Rows, err error) ([]nacre.Password, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []nacre.Password
	for rows.Next() {
		var p nacre.Password
		var c sealed
		if err := rows.Scan(&p.Owner, &c.record, &c.data); err != nil {
			return nil, explain(err)
		}
		var content passwordContent
		if err := l.unseal(p.Owner, "passwords", 0, c, &content); err != nil {
			return nil, err
		}
		p.Name, p.Hash = content.Name, content.Hash
		list = append(list, p)
	}
	return list, explain(rows.Err())
}
