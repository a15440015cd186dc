package ledger

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"nacre"
)

func timeOf(ms int64) time.Time { return time.UnixMilli(ms) }

// messageContent is the sealed part of a message.
type messageContent struct {
	Segments []nacre.Segment `json:"s"`
	Language string          `json:"l,omitempty"`
	Album    string          `json:"a,omitempty"`

	Attachments []nacre.Attachment `json:"f,omitempty"`
	Due         *nacre.Due         `json:"d,omitempty"`
}

// Put stores admitted messages in order, in one commit, and returns when they
// are durable. It fills in each Session and Seq; a message already known (same
// channel, chat, external id and revision) keeps Seq 0 and is not stored again.
// The bytes of attachments that came along are stored with it and need not be kept
// any longer: they are gone from the messages. The gateway calls it before a network
// may hear that we have a message.
func (l *Ledger) Put(ctx context.Context, in []nacre.Inbound) error {
	contents, files := make([]sealed, len(in)), make([][]sealed, len(in))
	for i := range in {
		var err error
		if contents[i], err = l.sealMessage(&in[i]); err != nil {
			return err
		}
		if files[i], err = l.sealFiles(&in[i]); err != nil {
			return err
		}
	}
	err := l.writer.do(ctx, func(t *tx) error {
		for i := range in {
			if err := l.putInbound(t, &in[i], contents[i]); err != nil {
				return err
			}
			if err := t.putFiles(&in[i], files[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		l.remember(in)
		dropFiles(in)
	}
	return err
}

func (l *Ledger) sealMessage(in *nacre.Inbound) (sealed, error) {
	m := &in.Message
	return l.seal(in.Owner, "inbox", m.Revision, messageContent{m.Segments, m.Language, m.Album, m.Attachments, m.Due})
}

func (l *Ledger) putInbound(t *tx, in *nacre.Inbound, c sealed) (err error) {
	if in.Session, err = l.session(t, in.Owner, &in.Message); err != nil {
		return err
	}
	in.Message.Seq, err = t.putMessage(&in.Message, in.Session, c)
	return err
}

// putMessage returns the inbox sequence of a new message, 0 of a known one.
func (t *tx) putMessage(m *nacre.Message, s nacre.SessionInfo, c sealed) (seq int64, err error) {
	err = t.row(`INSERT INTO inbox (id, owner, session, channel, chat, external, revision, author, to_us, quiet, late, sent_ms, received_ms, record, sealed, job)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (channel, chat, external, revision) DO NOTHING RETURNING seq`,
		[]any{m.ID, s.Owner, s.ID, m.Chat.Channel, m.Chat.ID, m.External, m.Revision, m.Author.String(), m.ToUs, m.Quiet, lateness(m),
			m.Sent.UnixMilli(), m.Received.UnixMilli(), c.record, c.data, jobOf(m)}, &seq)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return seq, err
}

// jobOf is the job that put a message in the inbox; NULL if somebody wrote it.
func jobOf(m *nacre.Message) any {
	if m.Due == nil {
		return nil
	}
	return m.Due.Job
}

// pendingAtOnce bounds how many messages Pending lists.
const pendingAtOnce = 100

// unreadable stands for the words of a message whose key is gone.
var unreadable = []nacre.Segment{{Provenance: nacre.Label, Text: "[this message can no longer be read]"}}

// Pending lists the messages of a session that no turn has answered, in order,
// beginning after a sequence number, at most a hundred.
func (l *Ledger) Pending(ctx context.Context, s nacre.SessionInfo, after int64) ([]nacre.Message, error) {
	rows, err := l.query(ctx, `SELECT seq, id, external, revision, author, to_us, quiet, late > 0, sent_ms, received_ms, record, sealed, coalesce(job, '')
		FROM inbox WHERE session = ? AND state = 0 AND seq > ? ORDER BY seq LIMIT ?`, s.ID, after, pendingAtOnce)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []nacre.Message
	for rows.Next() {
		m, err := l.scanMessage(rows, s)
		if err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, explain(rows.Err())
}

func (l *Ledger) scanMessage(rows *sql.Rows, s nacre.SessionInfo) (nacre.Message, error) {
	m := nacre.Message{Chat: s.Chat, Private: s.Private}
	var author string
	var sentMs, receivedMs int64
	var c sealed
	var job nacre.JobID
	err := rows.Scan(&m.Seq, &m.ID, &m.External, &m.Revision, &author, &m.ToUs, &m.Quiet, &m.Late, &sentMs, &receivedMs, &c.record, &c.data, &job)
	if err != nil {
		return m, explain(err)
	}
	m.Author = addressOf(author)
	m.Sent, m.Received = timeOf(sentMs), timeOf(receivedMs)
	var content messageContent
	if l.unseal(s.Owner, "inbox", m.Revision, c, &content) != nil {
		content.Segments = unreadable
	}
	if content.Due == nil && job != "" {
		content.Due = &nacre.Due{Job: job} // it is still nobody's message
	}
	m.Segments, m.Language, m.Album, m.Attachments = content.Segments, content.Language, content.Album, content.Attachments
	m.Due = content.Due
	return m, nil
}

// addressOf reads what Address.String wrote.
func addressOf(s string) nacre.Address {
	for i := range s {
		if s[i] == ':' {
			return nacre.Address{Channel: nacre.ChannelName(s[:i]), ID: s[i+1:]}
		}
	}
	return nacre.Address{}
}

// Knows reports whether a message of a chat is stored, in any revision.
func (l *Ledger) Knows(ctx context.Context, chat nacre.Chat, id nacre.ExternalID) (known bool, err error) {
	err = l.row(ctx, "SELECT EXISTS (SELECT 1 FROM inbox WHERE channel = ? AND chat = ? AND external = ?)", []any{chat.Channel, chat.ID, id}, &known)
	return known, err
}
