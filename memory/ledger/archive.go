package ledger

import (
	"context"
	"encoding/json"
	"time"

	"nacre"
	"nacre/memory"
)

// Archive reads what was said in owners' chats, so that it can be found again:
// messages in their newest version, and the answers to them. What is erased, or
// was replaced, is not there; what waits for an answer is.
//
// Nothing is read for long: every batch is a query of its own, because a reader
// that stays keeps what was forgotten in the write-ahead log.
type Archive struct {
	l      *Ledger
	answer func(history json.RawMessage) (text string, strange, ok bool)
}

// Archive returns the Archive of the Ledger. How an answer is read from the
// history of a turn, and whether words of strangers may be in it, is known to who
// writes that.
func (l *Ledger) Archive(answer func(history json.RawMessage) (text string, strange, ok bool)) *Archive {
	return &Archive{l, answer}
}

// KeyOf is the Key of a message by its place in the inbox.
func KeyOf(seq int64) int64 { return messages.key(seq) }

// Mark is a point in an owner's chats: what is before it has lower sequence
// numbers. The zero Mark is before everything.
type Mark struct{ Said, Answered int64 }

// latelyPending bounds how many messages before the newest may wait for an answer.
const latelyPending = 100

// Mark is the point behind everything that is stored now, but for messages that
// wait for an answer and what came after them: what is said in recordings may not
// be written down yet.
func (a *Archive) Mark(ctx context.Context, owner nacre.OwnerID) (Mark, error) {
	end, err := a.end(ctx, owner)
	if err != nil {
		return end, err
	}
	rows, err := a.l.query(ctx, `SELECT min(seq) FROM inbox i INDEXED BY inbox_pending WHERE state = 0 AND owner = ?1 AND ?2 >
		(SELECT count(*) FROM (SELECT 1 FROM inbox n WHERE n.owner = ?1 AND n.seq > i.seq AND n.`+isHere+` LIMIT ?2)) HAVING count(*) > 0`, owner, latelyPending)
	if err != nil {
		return end, err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&end.Said); err != nil {
			return end, explain(err)
		}
	}
	return end, explain(rows.Err())
}

// end is the point behind everything.
func (a *Archive) end(ctx context.Context, owner nacre.OwnerID) (m Mark, err error) {
	rows, err := a.l.query(ctx, `SELECT coalesce((SELECT max(seq) FROM inbox WHERE owner = ?1), 0) + 1,
		coalesce((SELECT max(seq) FROM turns WHERE owner = ?1), 0) + 1`, owner)
	if err != nil {
		return m, err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&m.Said, &m.Answered); err != nil {
			return m, explain(err)
		}
	}
	return m, explain(rows.Err())
}

// Before hands over what was said before a Mark, newest first, until yield
// returns false. All that was said elsewhere is among it, by when that was, whatever the
// Mark: Since has none of it.
func (a *Archive) Before(ctx context.Context, owner nacre.OwnerID, m Mark, yield func(Saying) bool) error {
	c, err := a.chats(ctx, owner)
	if err != nil {
		return err
	}
	away, err := c.elsewhere(ctx)
	if err != nil {
		return err
	}
	cursors := []*cursor{c.all(&messages, 0, m.Said), c.all(&answers, 0, m.Answered), away}
	reading, stop := context.WithCancel(ctx)
	for _, k := range cursors {
		k.back = true
		k.readAhead(reading)
		defer k.stopped()
	}
	defer stop()
	return merge(ctx, yield, cursors...)
}

// hearing is how long a recording is waited for to be written down.
const hearing = 10 * time.Minute

// Since hands over what was said since a Mark, oldest first, and returns the Mark
// behind it. It ends before a recording that is being written down now; that
// comes, with what was said after it, when it can be read. What was said elsewhere is
// not there: it comes late and in bulk, and stands long before what is new. Before has
// it.
func (a *Archive) Since(ctx context.Context, owner nacre.OwnerID, m Mark, yield func(Saying)) (Mark, error) {
	end, err := a.end(ctx, owner)
	if err != nil || end == m {
		return m, err
	}
	c, err := a.chats(ctx, owner)
	if err != nil {
		return m, err
	}
	said, answered := c.all(&messages, m.Said, end.Said), c.all(&answers, m.Answered, end.Answered)
	said.heardBy = time.Now().Add(-hearing).UnixMilli()
	err = merge(ctx, func(s Saying) bool {
		yield(s)
		return true
	}, said, answered)
	if err != nil {
		return m, err
	}
	if said.unheard > 0 {
		end.Said = said.unheard
	}
	return end, nil
}

// chats are those of an owner, while they are read.
type chats struct {
	*Archive
	owner    nacre.OwnerID
	sessions map[nacre.SessionID]chat // without those elsewhere, which may be very many
	own      map[string]bool          // addresses of the owner
}

// chat is what a Saying has of its session.
type chat struct {
	channel nacre.ChannelName
	scope   memory.Scope
	private bool
}

func (a *Archive) chats(ctx context.Context, owner nacre.OwnerID) (*chats, error) {
	c := &chats{a, owner, map[nacre.SessionID]chat{}, map[string]bool{}}
	rows, err := a.l.query(ctx, `SELECT id, channel, chat, private FROM sessions WHERE owner = ?1 AND channel < ?2
		UNION ALL SELECT id, channel, chat, private FROM sessions WHERE owner = ?1 AND channel > ?2
		UNION ALL SELECT '', channel, id, 0 FROM addresses WHERE owner = ?1`, owner, nacre.Elsewhere)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id nacre.SessionID
		var at nacre.Chat
		var s chat
		if err := rows.Scan(&id, &at.Channel, &at.ID, &s.private); err != nil {
			return nil, explain(err)
		}
		if id == "" {
			c.own[nacre.Address{Channel: at.Channel, ID: string(at.ID)}.String()] = true
			continue
		}
		if s.channel = at.Channel; !s.private {
			s.scope = memory.GroupScope(at)
		}
		c.sessions[id] = s
	}
	return c, explain(rows.Err())
}
