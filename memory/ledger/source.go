package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"

	"nacre"
	"nacre/memory"
)

// recentLook bounds how many messages Recent reads to find those that it wants.
const recentLook = 1000

// sourceColumns are what a Source is made of: one row for each reading of a
// message, in order, or one without.
const sourceColumns = `i.seq, i.id, i.owner, i.revision, i.sent_ms, i.received_ms, s.channel, s.chat, s.thread, s.private, i.record, i.sealed,
	coalesce(r.place, -1), coalesce(r.record, 0), r.sealed`

// Sources reads messages of an owner by their ids, each of which means one
// revision; those that do not exist, are not theirs or were put there by a job are
// missing in the answer, and those that are erased have no segments. What was made
// of a message's attachments follows its own segments, one segment for each
// attachment in order, empty unless speech was heard in it.
func (l *Ledger) Sources(ctx context.Context, owner nacre.OwnerID, ids []nacre.MessageID) (map[nacre.MessageID]memory.Source, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	rows, err := l.query(ctx, `SELECT `+sourceColumns+` FROM inbox i JOIN sessions s ON s.id = i.session LEFT JOIN readings r ON r.message = i.id
		WHERE i.id IN (SELECT value FROM json_each(?)) AND i.owner = ? AND i.job IS NULL ORDER BY i.seq, r.place`, string(list), owner)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[nacre.MessageID]memory.Source{}
	err = l.scanSources(rows, func(s memory.Source) bool {
		found[s.ID] = s
		return true
	})
	return found, err
}

// Recent reads the newest messages of a session before an inbox sequence, oldest
// first and at most that many, with words of a person in them: what Nacre wrote
// itself, and what is erased, is passed over. It looks at a thousand messages.
func (l *Ledger) Recent(ctx context.Context, session nacre.SessionInfo, before int64, most int) ([]memory.Source, error) {
	if most <= 0 {
		return nil, nil
	}
	rows, err := l.query(ctx, `SELECT `+sourceColumns+`
		FROM (SELECT * FROM inbox WHERE session = ? AND owner = ? AND seq < ? AND job IS NULL ORDER BY seq DESC LIMIT ?) i
		JOIN sessions s ON s.id = i.session LEFT JOIN readings r ON r.message = i.id ORDER BY i.seq DESC, r.place`,
		session.ID, session.Owner, before, recentLook)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []memory.Source
	err = l.scanSources(rows, func(s memory.Source) bool {
		if slices.ContainsFunc(s.Segments, spoken) {
			list = append(list, s)
		}
		return len(list) < most
	})
	slices.Reverse(list)
	return list, err
}

// spoken reports whether a segment holds words of a person who wrote to Nacre.
func spoken(s nacre.Segment) bool {
	switch s.Provenance {
	case nacre.ByOwner, nacre.ByVoice, nacre.InGroup:
		return s.Text != ""
	}
	return false
}

// scanSources hands over the Sources that rows hold, until yield wants no more.
func (l *Ledger) scanSources(rows *sql.Rows, yield func(memory.Source) bool) error {
	var s openedSource
	for rows.Next() {
		row, err := scanSource(rows)
		if err != nil {
			return err
		}
		if row.ID != s.ID {
			if s.ID != "" && !yield(s.Source) {
				return nil
			}
			s = l.openSource(row)
		}
		l.addReading(&s, row)
	}
	if err := rows.Err(); err != nil || s.ID == "" {
		return explain(err)
	}
	yield(s.Source)
	return nil
}

// sourceRow is a message beside one of its readings.
type sourceRow struct {
	memory.Source
	owner            nacre.OwnerID
	revision         int64
	content, reading sealed
	place            int // of the reading; -1 for none
}

func scanSource(rows *sql.Rows) (r sourceRow, err error) {
	var sentMs, receivedMs int64
	err = rows.Scan(&r.Seq, &r.ID, &r.owner, &r.revision, &sentMs, &receivedMs, &r.Chat.Channel, &r.Chat.ID, &r.Chat.Thread, &r.Private,
		&r.content.record, &r.content.data, &r.place, &r.reading.record, &r.reading.data)
	r.Sent, r.Received = timeOf(sentMs), timeOf(receivedMs)
	return r, explain(err)
}

// openedSource is a Source in the making.
type openedSource struct {
	memory.Source
	heard []nacre.Segment // the end of its Segments: one for each attachment
}

func (l *Ledger) openSource(r sourceRow) openedSource {
	s := openedSource{Source: r.Source}
	var content messageContent
	if l.unseal(r.owner, "inbox", r.revision, r.content, &content) != nil {
		return s // erased
	}
	own := len(content.Segments)
	s.Segments = append(content.Segments, make([]nacre.Segment, len(content.Attachments))...)
	s.heard = s.Segments[own:]
	return s
}

// addReading adds what was heard in an attachment. The texts of documents stay
// out: they are nobody's word.
func (l *Ledger) addReading(s *openedSource, r sourceRow) {
	if r.place < 0 || r.place >= len(s.heard) {
		return
	}
	var reading nacre.Reading
	if l.unseal(r.owner, "readings", 0, r.reading, &reading) == nil && reading.Text.Provenance != nacre.InFile {
		s.heard[r.place] = reading.Text
	}
}
