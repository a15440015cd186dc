package ledger

import (
	"context"
	"encoding/json"

	"nacre"
)

// PutSettings sets settings of an owner, all or none. A nil value takes a setting
// away.
func (l *Ledger) PutSettings(ctx context.Context, owner nacre.OwnerID, set map[string]json.RawMessage) error {
	content := map[string]sealed{}
	for name, value := range set {
		if value == nil {
			continue
		}
		c, err := l.seal(owner, "settings", 0, map[string]json.RawMessage{name: value})
		if err != nil {
			return err
		}
		content[name] = c
	}
	return l.writer.do(ctx, func(t *tx) error {
		for name := range set {
			if err := t.putSetting(owner, name, content[name]); err != nil {
				return err
			}
		}
		return nil
	})
}

// putSetting puts content in the place of what a setting was; none of it takes
// the setting away.
func (t *tx) putSetting(owner nacre.OwnerID, name string, c sealed) error {
	if err := t.replace("settings", "(owner, name) = (?, ?)", owner, name); err != nil {
		return err
	}
	if c.data == nil {
		_, err := t.exec("DELETE FROM settings WHERE owner = ? AND name = ?", owner, name)
		return err
	}
	_, err := t.exec(`INSERT INTO settings (owner, name, record, sealed) VALUES (?, ?, ?, ?)
		ON CONFLICT (owner, name) DO UPDATE SET record = excluded.record, sealed = excluded.sealed`, owner, name, c.record, c.data)
	return err
}

// OwnSettings returns the settings that are an owner's own, by name. Those that
// were forgotten, or never set, are missing.
func (l *Ledger) OwnSettings(ctx context.Context, owner nacre.OwnerID) (map[string]json.RawMessage, error) {
	rows, err := l.query(ctx, "SELECT record, sealed FROM settings WHERE owner = ?", owner)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	own := map[string]json.RawMessage{}
	for rows.Next() {
		var c sealed
		if err := rows.Scan(&c.record, &c.data); err != nil {
			return nil, explain(err)
		}
		if err := l.unseal(owner, "settings", 0, c, &own); err != nil {
			return nil, err
		}
	}
	return own, explain(rows.Err())
}
