package ledger

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"nacre"
)

// ElsewhereAtOnce is how many messages PutElsewhere takes at once: few enough that
// what comes in meanwhile hardly waits.
const ElsewhereAtOnce = 500

// isElsewhere and isHere are conditions for rows of inbox.
const (
	isElsewhere = "channel = '" + string(nacre.Elsewhere) + "'"
	isHere      = "channel <> '" + string(nacre.Elsewhere) + "'"
)

// ElsewhereID is what a message of another assistant is called here: source is the
// name of the assistant, as it is written down, chat its conversation, and message what
// it is called in that. The owner is part of the chat, so that two who bring the same
// conversation both have it, and neither learns of the other's. Chats and messages may
// be called anything elsewhere, even by what they are about, and nothing of that is in
// the ids.
func ElsewhereID(owner nacre.OwnerID, source, chat, message string) (nacre.Chat, nacre.ExternalID) {
	id := string(owner) + "/" + source + "/" + digest(source, chat)
	return nacre.Chat{Channel: nacre.Elsewhere, ID: nacre.ChatID(id)}, nacre.ExternalID(digest(message))
}

// digest is short for a list of names, and different for every other one.
func digest(names ...string) string {
	h := sha256.New()
	for _, name := range names {
		fmt.Fprintf(h, "%d:%s", len(name), name)
	}
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:16])
}

// sourceOf is the source in what ElsewhereID made; empty for the chats of others.
func sourceOf(chat nacre.ChatID) string {
	parts := strings.SplitN(string(chat), "/", 3)
	if len(parts) < 3 {
		return ""
	}
	return parts[1]
}

// PutElsewhere stores what was said to other assistants, in order and in one commit: at
// most ElsewhereAtOnce messages of the channel Elsewhere, as ElsewhereID calls them.
// Nobody answers them, and they came when they were sent. One that is known already,
// though its words may have been forgotten since, is left as it is; added counts the
// others. Every message has its id afterwards, a known one the id that it has, and new
// ones their Session and Seq. The importer calls it; an index that was built before does
// not know of them (see Since).
func (l *Ledger) PutElsewhere(ctx context.Context, in []nacre.Inbound) (added int, err error) {
	if len(in) > ElsewhereAtOnce {
		return 0, nacre.Errorf(nacre.Internal, "%d messages at once are too many", len(in))
	}
	for i := range in {
		if err := checkElsewhere(&in[i]); err != nil {
			return 0, err
		}
	}
	fresh, err := l.unknownElsewhere(ctx, in)
	if err != nil || len(fresh) == 0 {
		return 0, err
	}
	contents := make([]sealed, len(fresh))
	for i, m := range fresh {
		if contents[i], err = l.sealMessage(m); err != nil {
			return 0, err
		}
	}
	err = l.writer.do(ctx, func(t *tx) error {
		added, err = t.putElsewhere(fresh, contents)
		return err
	})
	if err != nil {
		return 0, err
	}
	return added, nil
}

// checkElsewhere refuses what would be answered, or be taken for the owner's word.
func checkElsewhere(in *nacre.Inbound) error {
	m := &in.Message
	said := nacre.Forwarded
	if m.Author.ID == nacre.ElsewhereOwner {
		said = nacre.Imported
	}
	switch {
	case m.Chat.Channel != nacre.Elsewhere, m.Author.Channel != nacre.Elsewhere, !m.Private,
		!strings.HasPrefix(string(m.Chat.ID), string(in.Owner)+"/"), sourceOf(m.Chat.ID) == "",
		m.Revision != 0, m.Due != nil, len(m.Attachments) > 0,
		slices.ContainsFunc(m.Segments, func(s nacre.Segment) bool { return s.Provenance != said }):
		return nacre.Errorf(nacre.Internal, "this is no message of another assistant")
	}
	return nil
}

// unknownElsewhere are the messages that are not stored yet. The others get the ids
// that they have.
func (l *Ledger) unknownElsewhere(ctx context.Context, in []nacre.Inbound) ([]*nacre.Inbound, error) {
	names := make([][2]string, len(in))
	for i := range in {
		names[i] = [2]string{string(in[i].Message.Chat.ID), string(in[i].Message.External)}
	}
	list, err := json.Marshal(names)
	if err != nil {
		return nil, err
	}
	rows, err := l.query(ctx, `SELECT p.key, i.id FROM json_each(?) p CROSS JOIN inbox i
		WHERE i.`+isElsewhere+` AND i.chat = p.value ->> 0 AND i.external = p.value ->> 1 AND i.revision = 0`, string(list))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	known := make([]bool, len(in))
	for rows.Next() {
		var i int
		var id nacre.MessageID
		if err := rows.Scan(&i, &id); err != nil {
			return nil, explain(err)
		}
		known[i], in[i].Message.ID, in[i].Message.Seq = true, id, 0
	}
	var fresh []*nacre.Inbound
	for i := range in {
		if !known[i] {
			fresh = append(fresh, &in[i])
		}
	}
	return fresh, explain(rows.Err())
}

// putElsewhere stores messages that were not known before. Their sessions are many,
// and nobody asks for them again soon: the Ledger does not keep them in mind.
func (t *tx) putElsewhere(in []*nacre.Inbound, contents []sealed) (added int, err error) {
	sessions, err := t.sessionsElsewhere(in)
	if err != nil {
		return 0, err
	}
	for i, one := range in {
		m, place := &one.Message, sessionKey{one.Owner, one.Message.Chat}
		s, found := sessions[place]
		if !found {
			if s, err = t.openElsewhere(place); err != nil {
				return 0, err
			}
			sessions[place] = s
		}
		if one.Session = s; m.ID == "" {
			m.ID = nacre.MessageID(nacre.NewID(time.Now()))
		}
		m.Received = m.Sent
		if err := t.putDone(m, s, contents[i]); err != nil {
			return 0, err
		}
		if m.Seq > 0 {
			added++
		}
	}
	return added, nil
}

// sessionsElsewhere are those of some messages' chats that are there.
func (t *tx) sessionsElsewhere(in []*nacre.Inbound) (map[sessionKey]nacre.SessionInfo, error) {
	places := make([][3]string, len(in))
	for i, one := range in {
		places[i] = [3]string{string(one.Owner), string(one.Message.Chat.ID), string(one.Message.Chat.Thread)}
	}
	list, err := json.Marshal(places)
	if err != nil {
		return nil, err
	}
	rows, err := t.query(`SELECT s.id, s.owner, s.chat, s.thread, s.private, o.operator FROM (SELECT DISTINCT value FROM json_each(?)) p CROSS JOIN sessions s JOIN owners o ON o.id = s.owner
		WHERE s.owner = p.value ->> 0 AND s.`+isElsewhere+` AND s.chat = p.value ->> 1 AND s.thread = p.value ->> 2`, string(list))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[sessionKey]nacre.SessionInfo{}
	for rows.Next() {
		s := nacre.SessionInfo{Chat: nacre.Chat{Channel: nacre.Elsewhere}}
		if err := rows.Scan(&s.ID, &s.Owner, &s.Chat.ID, &s.Chat.Thread, &s.Private, &s.Operator); err != nil {
			return nil, err
		}
		found[sessionKey{s.Owner, s.Chat}] = s
	}
	return found, rows.Err()
}

// openElsewhere makes the session of a chat that has none.
func (t *tx) openElsewhere(k sessionKey) (nacre.SessionInfo, error) {
	s := nacre.SessionInfo{ID: nacre.SessionID(nacre.NewID(timeOf(t.nowMs))), Owner: k.owner, Chat: k.chat, Private: true}
	err := t.row(`INSERT INTO sessions (id, owner, channel, chat, thread, private, created_ms) VALUES (?, ?, ?, ?, ?, 1, ?)
		RETURNING (SELECT operator FROM owners WHERE id = owner)`, []any{s.ID, s.Owner, s.Chat.Channel, s.Chat.ID, s.Chat.Thread, t.nowMs}, &s.Operator)
	return s, err
}

// putDone stores a message that nobody answers, and fills in its Seq; of one that is
// known, its id.
func (t *tx) putDone(m *nacre.Message, s nacre.SessionInfo, c sealed) error {
	m.Seq = 0
	err := t.row(`INSERT INTO inbox (id, owner, session, channel, chat, external, revision, author, to_us, quiet, sent_ms, received_ms, state, record, sealed)
		VALUES (?, ?, ?, ?, ?, ?, 0, ?, 0, 0, ?, ?, 1, ?, ?) ON CONFLICT (channel, chat, external, revision) DO NOTHING RETURNING seq`,
		[]any{m.ID, s.Owner, s.ID, m.Chat.Channel, m.Chat.ID, m.External, m.Author.String(), m.Sent.UnixMilli(), m.Received.UnixMilli(), c.record, c.data}, &m.Seq)
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	return t.row("SELECT id FROM inbox WHERE channel = ? AND chat = ? AND external = ? AND revision = 0",
		[]any{m.Chat.Channel, m.Chat.ID, m.External}, &m.ID)
}

// SaidElsewhere is the id of a message of another assistant, as ElsewhereID calls it;
// empty if it was not taken over. The importer asks for it where a note rests on one.
func (l *Ledger) SaidElsewhere(ctx context.Context, chat nacre.Chat, id nacre.ExternalID) (message nacre.MessageID, err error) {
	err = l.row(ctx, "SELECT id FROM inbox WHERE "+isElsewhere+" AND chat = ? AND external = ? AND revision = 0", []any{chat.ID, id}, &message)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return message, err
}

// elsewhere is a cursor over all that was said elsewhere, the latest first. It was
// stored in any order, so that its sequence numbers say nothing.
func (c *chats) elsewhere(ctx context.Context) (*cursor, error) {
	type said struct{ seq, came int64 }
	rows, err := c.l.query(ctx, `SELECT seq, received_ms FROM inbox
		WHERE `+isElsewhere+` AND chat > ?1 || '/' AND chat < ?1 || '0' AND owner = ?1 AND sealed IS NOT NULL`, c.owner)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []said
	for rows.Next() {
		var s said
		if err := rows.Scan(&s.seq, &s.came); err != nil {
			return nil, explain(err)
		}
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b said) int { return cmp.Or(cmp.Compare(b.came, a.came), cmp.Compare(b.seq, a.seq)) })
	k := &cursor{chats: c, strand: &messages, end: 1, back: true, listed: make([]int64, len(list))}
	for i, s := range list {
		k.listed[i] = s.seq
	}
	return k, explain(rows.Err())
}
