package ledger

import (
	"context"
	"time"

	"nacre"
)

// What inbox.late says.
const (
	inTime       = 0
	lateUnspoken = 1 // late, and its author is yet to be told that it is not answered
	lateSpoken   = 2 // late, and nothing more is said of it
)

// lateness is how a new message is stored. Edits and reactions are not spoken of,
// and in groups nothing is said.
func lateness(m *nacre.Message) int {
	switch {
	case !m.Late:
		return inTime
	case m.Private && m.Revision == 0 && (len(m.Attachments) > 0 || m.Worded()):
		return lateUnspoken
	}
	return lateSpoken
}

// backlog is the late messages of a session that are not spoken of.
type backlog struct {
	session     nacre.SessionInfo
	count       int
	first, last time.Time // when they were sent
	newest      int64     // the last one's place in the inbox
}

// SpeakOfLate posts what say makes of the late messages of each private session that
// were not spoken of yet: how many there are, and when the first and the last was
// sent. It is posted in the same commit in which they become spoken of, so that it is
// said once; what is said in no parts is left for another time. The gateway calls it
// when no more come, and once after a start.
func (l *Ledger) SpeakOfLate(ctx context.Context, say func(s nacre.SessionInfo, count int, first, last time.Time) nacre.RenderedReply) ([]nacre.Delivery, error) {
	list, err := l.backlogs(ctx)
	var all []nacre.Delivery
	for _, b := range list {
		reply := say(b.session, b.count, b.first, b.last)
		if len(reply.Parts) == 0 {
			continue
		}
		said, err := l.speakOf(ctx, b, reply)
		if err != nil {
			return all, err
		}
		all = append(all, said...)
	}
	return all, err
}

func (l *Ledger) backlogs(ctx context.Context) ([]backlog, error) {
	rows, err := l.query(ctx, `SELECT s.id, s.owner, s.channel, s.chat, s.thread, count(*), min(i.sent_ms), max(i.sent_ms), max(i.seq)
		FROM inbox i JOIN sessions s ON s.id = i.session WHERE i.late = 1 GROUP BY i.session`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []backlog
	for rows.Next() {
		b := backlog{session: nacre.SessionInfo{Private: true}}
		s := &b.session
		var first, last int64
		if err := rows.Scan(&s.ID, &s.Owner, &s.Chat.Channel, &s.Chat.ID, &s.Chat.Thread, &b.count, &first, &last, &b.newest); err != nil {
			return nil, explain(err)
		}
		b.first, b.last = timeOf(first), timeOf(last)
		list = append(list, b)
	}
	return list, explain(rows.Err())
}

// speakOf posts a reply about a backlog, unless somebody did meanwhile.
func (l *Ledger) speakOf(ctx context.Context, b backlog, reply nacre.RenderedReply) ([]nacre.Delivery, error) {
	parts, err := l.sealParts(b.session.Owner, []nacre.RenderedReply{reply})
	if err != nil {
		return nil, err
	}
	var said []nacre.Delivery
	err = l.writer.do(ctx, func(t *tx) error {
		said = nil
		n, err := t.count("UPDATE inbox SET late = 2 WHERE session = ? AND late = 1 AND seq <= ?", b.session.ID, b.newest)
		if err != nil || n == 0 {
			return err
		}
		if err := t.follow(b.session.ID, parts, nil); err != nil {
			return err
		}
		err = t.putParts(parts)
		said = deliveries(parts)
		return err
	})
	return said, err
}
