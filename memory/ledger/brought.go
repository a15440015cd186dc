package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"math"
	"slices"

	"nacre"
)

// KnownElsewhere counts those of some messages of other assistants that PutElsewhere
// would leave as they are.
func (l *Ledger) KnownElsewhere(ctx context.Context, in []nacre.Inbound) (int, error) {
	fresh, err := l.unknownElsewhere(ctx, in)
	return len(in) - len(fresh), err
}

// CalledElsewhere tells what messages of other assistants are called there, as
// ElsewhereID has it, by their ids; those of others, and of others' memory, are missing.
func (l *Ledger) CalledElsewhere(ctx context.Context, owner nacre.OwnerID, ids []nacre.MessageID) (map[nacre.MessageID]nacre.ExternalID, error) {
	found := map[nacre.MessageID]nacre.ExternalID{}
	err := l.among(ctx, `SELECT i.id, i.external FROM json_each(?1) k CROSS JOIN inbox i ON i.id = k.value
		WHERE i.`+isElsewhere+` AND i.owner = ?2`, owner, ids, func(rows *sql.Rows) error {
		var id nacre.MessageID
		var name nacre.ExternalID
		err := rows.Scan(&id, &name)
		found[id] = name
		return err
	})
	return found, err
}

// SaidHere tells which of some ids are those of messages and turns of an owner, whatever
// is left of their words.
func (l *Ledger) SaidHere(ctx context.Context, owner nacre.OwnerID, ids []string) (map[string]bool, error) {
	found := map[string]bool{}
	err := l.among(ctx, `SELECT value FROM json_each(?1) WHERE EXISTS (SELECT 1 FROM inbox WHERE id = value AND owner = ?2)
		OR EXISTS (SELECT 1 FROM turns WHERE id = value AND owner = ?2)`, owner, ids, func(rows *sql.Rows) error {
		var id string
		err := rows.Scan(&id)
		found[id] = true
		return err
	})
	return found, err
}

// Chats are those in which an owner talks, or has talked, by the session of each.
func (l *Ledger) Chats(ctx context.Context, owner nacre.OwnerID) (map[nacre.SessionID]nacre.Chat, error) {
	chats := map[nacre.SessionID]nacre.Chat{}
	err := l.among(ctx, "SELECT id, channel, chat, thread FROM sessions WHERE owner = ?2", owner, nil, func(rows *sql.Rows) error {
		var id nacre.SessionID
		var c nacre.Chat
		err := rows.Scan(&id, &c.Channel, &c.ID, &c.Thread)
		chats[id] = c
		return err
	})
	return chats, err
}

// Everything hands over all that was said, here and elsewhere, oldest first, until
// yield returns false.
func (a *Archive) Everything(ctx context.Context, owner nacre.OwnerID, yield func(Saying) bool) error {
	c, err := a.chats(ctx, owner)
	if err != nil {
		return err
	}
	away, err := c.elsewhere(ctx)
	if err != nil {
		return err
	}
	slices.Reverse(away.listed)
	away.back = false
	cursors := []*cursor{c.all(&messages, 0, math.MaxInt64), c.all(&answers, 0, math.MaxInt64), away}
	reading, stop := context.WithCancel(ctx)
	for _, k := range cursors {
		k.readAhead(reading)
		defer k.stopped()
	}
	defer stop()
	return merge(ctx, yield, cursors...)
}

// among runs a query over a list of ids, ?1, that concern an owner, ?2.
func (l *Ledger) among(ctx context.Context, query string, owner nacre.OwnerID, ids any, scan func(*sql.Rows) error) error {
	list, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	rows, err := l.query(ctx, query, string(list), owner)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return explain(err)
		}
	}
	return explain(rows.Err())
}
