package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"

	"nacre"
	"nacre/memory"
)

// scanSayings reads rows until they hold most bytes of content, and closes them.
func scanSayings(rows *sql.Rows, most int) ([]sayingRow, error) {
	defer rows.Close()
	var list []sayingRow
	for size := 0; size < most && rows.Next(); {
		var r sayingRow
		err := rows.Scan(&r.seq, &r.Session, &r.came, &r.sentMs, &r.Message, &r.External, &r.Turn, &r.author, &r.revision, &r.former, &r.waits, &r.away, &r.record, &r.data)
		if err != nil {
			return nil, explain(err)
		}
		list = append(list, r)
		size += len(r.data)
	}
	return list, explain(rows.Err())
}

// open unseals rows of a strand. Those without words, and those that nobody can
// read any more, are left out. If heardBy is not 0, it ends before a message that
// came later than that and holds a recording that is not written down yet, and
// returns its sequence number.
func (c *chats) open(ctx context.Context, s *strand, rows []sayingRow, heardBy int64) (list []Saying, unheard int64, err error) {
	if s == &answers {
		return c.openAnswers(rows), 0, nil
	}
	contents := c.contents(rows)
	heard, err := c.heard(ctx, rows, contents)
	if err != nil {
		return nil, 0, err
	}
	list = make([]Saying, 0, len(rows))
	for i := range rows {
		r := &rows[i]
		if heardBy > 0 && r.came > heardBy && r.waits && recorded(contents[i]) && len(heard[r.seq]) == 0 {
			return list, r.seq, nil
		}
		r.Heard = slices.ContainsFunc(heard[r.seq], func(s nacre.Segment) bool { return s.Text != "" })
		if r.Text, r.Strange = wordsOf(contents[i].Segments, heard[r.seq]); r.Text == "" {
			continue
		}
		if r.Files = filesOf(contents[i].Attachments); r.Files != nil {
			r.bare, _ = wordsOf(slices.DeleteFunc(contents[i].Segments, labels), heard[r.seq])
		}
		list = append(list, c.message(r))
	}
	return list, 0, nil
}

func labels(s nacre.Segment) bool { return s.Provenance == nacre.Label }

// filesOf are the names of attachments; nil if one has none.
func filesOf(list []nacre.Attachment) (names []string) {
	for _, a := range list {
		if a.Name == "" {
			return nil
		}
		names = append(names, a.Name)
	}
	return names
}

func (c *chats) openAnswers(rows []sayingRow) []Saying {
	list := make([]Saying, 0, len(rows))
	for i := range rows {
		r := &rows[i]
		var history json.RawMessage
		if c.l.unseal(c.owner, answers.table, 0, r.sealed, &history) != nil {
			continue
		}
		if text, strange, ok := c.answer(history); ok && text != "" {
			r.Text, r.Strange, r.Answer = text, strange, true
			list = append(list, c.saying(r, &answers))
		}
	}
	return list
}

// contents are those of messages, empty where they cannot be read.
func (c *chats) contents(rows []sayingRow) []messageContent {
	list := make([]messageContent, len(rows))
	for i := range rows {
		if c.l.unseal(c.owner, messages.table, rows[i].revision, rows[i].sealed, &list[i]) != nil {
			list[i] = messageContent{}
		}
	}
	return list
}

// recorded reports whether a message holds a recording of somebody's words.
func recorded(m messageContent) bool {
	return slices.ContainsFunc(m.Attachments, func(a nacre.Attachment) bool { return a.Kind == nacre.Voice })
}

// heard is what was written down of recordings, by the sequence numbers of their
// messages. They come with the first version of a message.
func (c *chats) heard(ctx context.Context, rows []sayingRow, contents []messageContent) (map[int64][]nacre.Segment, error) {
	var seqs []int64
	for i := range rows {
		if recorded(contents[i]) {
			seqs = append(seqs, rows[i].seq)
		}
	}
	if len(seqs) == 0 {
		return nil, nil
	}
	found, err := c.l.query(ctx, `SELECT i.seq, r.record, r.sealed FROM inbox i
		JOIN inbox f ON f.channel = i.channel AND f.chat = i.chat AND f.external = i.external JOIN readings r ON r.message = f.id
		WHERE i.seq IN (SELECT value FROM json_each(?)) ORDER BY i.seq, f.revision, r.place`, numbers(seqs))
	if err != nil {
		return nil, err
	}
	defer found.Close()
	heard := map[int64][]nacre.Segment{}
	for found.Next() {
		var seq int64
		var box sealed
		if err := found.Scan(&seq, &box.record, &box.data); err != nil {
			return nil, explain(err)
		}
		var reading nacre.Reading
		if c.l.unseal(c.owner, "readings", 0, box, &reading) == nil {
			heard[seq] = append(heard[seq], reading.Text)
		}
	}
	return heard, explain(found.Err())
}

func (c *chats) message(r *sayingRow) Saying {
	r.Author = addressOf(r.author)
	r.Own = c.sessions[r.Session].private || c.own[r.author] || r.Author == ownerElsewhere
	if r.former > 0 {
		r.Replaces = messages.key(r.former)
	}
	return c.saying(r, &messages)
}

// ownerElsewhere is the author of what an owner said to other assistants.
var ownerElsewhere = nacre.Address{Channel: nacre.Elsewhere, ID: nacre.ElsewhereOwner}

func (c *chats) saying(r *sayingRow, s *strand) Saying {
	in := c.sessions[r.Session]
	if r.away != "" {
		in, r.Elsewhere = chat{nacre.Elsewhere, memory.Private, true}, sourceOf(r.away)
	}
	r.Key, r.Channel, r.Scope, r.Sent = s.key(r.seq), in.channel, in.scope, timeOf(r.sentMs)
	return r.Saying
}

// numbers is a list as json_each reads it.
func numbers(list []int64) string {
	out, err := json.Marshal(list)
	if err != nil {
		panic(err) // numbers can always be written
	}
	return string(out)
}

// wordsOf are the words of a message that can be found: those of people, and
// what files and contacts are called. Commands are no conversation.
func wordsOf(segments, heard []nacre.Segment) (text string, strange bool) {
	own := nacre.Message{Segments: segments}
	if _, _, command := own.Command(); command {
		return "", false
	}
	var parts []string
	for _, list := range [][]nacre.Segment{segments, heard} {
		for _, s := range list {
			if s.Text == "" || !slices.Contains(findable, s.Provenance) {
				continue
			}
			parts = append(parts, s.Text)
			strange = strange || s.Provenance == nacre.Forwarded
		}
	}
	return strings.Join(parts, "\n"), strange
}

// findable are the provenances of words that can be found. What is quoted stands
// in its own message, and the texts of files are nobody's words.
var findable = []nacre.Provenance{nacre.ByOwner, nacre.ByVoice, nacre.InGroup, nacre.Forwarded, nacre.Label, nacre.Imported}
