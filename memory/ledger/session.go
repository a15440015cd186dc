package ledger

import (
	"context"
	"database/sql"
	"errors"

	"nacre"
)

type sessionKey struct {
	owner nacre.OwnerID
	chat  nacre.Chat
}

// session finds or makes the Session of an owner in a chat.
func (l *Ledger) session(t *tx, owner nacre.OwnerID, m *nacre.Message) (nacre.SessionInfo, error) {
	l.mu.RLock()
	s, ok := l.sessions[sessionKey{owner, m.Chat}]
	l.mu.RUnlock()
	if ok {
		return s, nil
	}
	s = nacre.SessionInfo{Owner: owner, Chat: m.Chat, Private: m.Private}
	err := t.row(`SELECT s.id, s.private, o.operator FROM sessions s JOIN owners o ON o.id = s.owner
		WHERE s.owner = ? AND s.channel = ? AND s.chat = ? AND s.thread = ?`,
		[]any{owner, m.Chat.Channel, m.Chat.ID, m.Chat.Thread}, &s.ID, &s.Private, &s.Operator)
	if !errors.Is(err, sql.ErrNoRows) {
		return s, err
	}
	s.ID = nacre.SessionID(nacre.NewID(timeOf(t.nowMs)))
	if _, err := t.exec("INSERT INTO sessions (id, owner, channel, chat, thread, private, created_ms) VALUES (?, ?, ?, ?, ?, ?, ?)",
		s.ID, owner, m.Chat.Channel, m.Chat.ID, m.Chat.Thread, m.Private, t.nowMs); err != nil {
		return s, err
	}
	return s, t.row("SELECT operator FROM owners WHERE id = ?", []any{owner}, &s.Operator)
}

// remember keeps sessions that are certainly committed.
func (l *Ledger) remember(in []nacre.Inbound) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range in {
		l.sessions[sessionKey{in[i].Owner, in[i].Session.Chat}] = in[i].Session
	}
}

// Unanswered lists the sessions that have pending messages, oldest first.
// Called at start, to go on where the last process ended.
func (l *Ledger) Unanswered(ctx context.Context) ([]nacre.SessionInfo, error) {
	rows, err := l.query(ctx, `SELECT s.id, s.owner, o.operator, s.channel, s.chat, s.thread, s.private
		FROM (SELECT session, min(seq) AS first FROM inbox WHERE state = 0 GROUP BY session) p
		JOIN sessions s ON s.id = p.session JOIN owners o ON o.id = s.owner ORDER BY p.first`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []nacre.SessionInfo
	for rows.Next() {
		var s nacre.SessionInfo
		if err := rows.Scan(&s.ID, &s.Owner, &s.Operator, &s.Chat.Channel, &s.Chat.ID, &s.Chat.Thread, &s.Private); err != nil {
			return nil, explain(err)
		}
		list = append(list, s)
	}
	return list, explain(rows.Err())
}

// GroupOwner returns the Owner who enabled a group, empty if nobody did.
func (l *Ledger) GroupOwner(ctx context.Context, chat nacre.Chat) (nacre.OwnerID, error) {
	var owner nacre.OwnerID
	err := l.reading.QueryRowContext(ctx, "SELECT owner FROM chats WHERE channel = ? AND id = ?", chat.Channel, chat.ID).Scan(&owner)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return owner, explain(err)
}

// EnableGroup gives a group to an Owner, unless it has one already.
func (l *Ledger) EnableGroup(ctx context.Context, chat nacre.Chat, owner nacre.OwnerID) error {
	return l.writer.do(ctx, func(t *tx) error {
		_, err := t.exec("INSERT INTO chats (channel, id, owner, created_ms) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
			chat.Channel, chat.ID, owner, t.nowMs)
		return err
	})
}

// Home is the session in which an owner wrote last in private: where what
// concerns them is told unasked. NotFound if they never wrote.
func (l *Ledger) Home(ctx context.Context, owner nacre.OwnerID) (nacre.SessionInfo, error) {
	homes, err := l.Homes(ctx, owner)
	if err == nil && len(homes) == 0 {
		err = nacre.Errorf(nacre.NotFound, "this owner never wrote in private")
	}
	if err != nil {
		return nacre.SessionInfo{Owner: owner, Private: true}, err
	}
	return homes[0], nil
}

// Homes are the private sessions of an owner, the one in which they wrote last
// first, and at the end those whose chats go on in others; see Gone for those that
// take no messages. Other assistants' chats are none of them.
func (l *Ledger) Homes(ctx context.Context, owner nacre.OwnerID) ([]nacre.SessionInfo, error) {
	rows, err := l.query(ctx, `SELECT s.id, o.operator, s.channel, s.chat, s.thread
		FROM sessions s JOIN owners o ON o.id = s.owner WHERE s.owner = ?1 AND s.private = 1 AND (s.channel < ?2 OR s.channel > ?2)
		ORDER BY s.successor IS NOT NULL, (SELECT max(seq) FROM inbox WHERE session = s.id AND job IS NULL) DESC`, owner, nacre.Elsewhere)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []nacre.SessionInfo
	for rows.Next() {
		s := nacre.SessionInfo{Owner: owner, Private: true}
		if err := rows.Scan(&s.ID, &s.Operator, &s.Chat.Channel, &s.Chat.ID, &s.Chat.Thread); err != nil {
			return nil, explain(err)
		}
		list = append(list, s)
	}
	return list, explain(rows.Err())
}
