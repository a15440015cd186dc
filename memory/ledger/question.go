package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"nacre"
)

// questionContent is the sealed part of a question.
type questionContent struct {
	Text    string   `json:"t"`
	Options []string `json:"o"`
}

// sealedQuestion is a reply's offer on its way into the database.
type sealedQuestion struct {
	nacre.RenderedReply
	owner   nacre.OwnerID
	content sealed
}

func (l *Ledger) sealQuestions(owner nacre.OwnerID, replies []nacre.RenderedReply) ([]sealedQuestion, error) {
	var list []sealedQuestion
	for _, r := range replies {
		if len(r.Options) == 0 {
			continue
		}
		c, err := l.seal(owner, "questions", 0, questionContent{r.Text, r.Options})
		if err != nil {
			return nil, err
		}
		list = append(list, sealedQuestion{r, owner, c})
	}
	return list, nil
}

func (t *tx) putQuestions(list []sealedQuestion) error {
	for _, q := range list {
		_, err := t.exec(`INSERT INTO questions (id, owner, channel, chat, thread, created_ms, record, sealed, heard)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(seq), 0) FROM inbox))`,
			q.ID, q.owner, q.Chat.Channel, q.Chat.ID, q.Chat.Thread, t.nowMs, q.content.record, q.content.data)
		if err != nil {
			return err
		}
	}
	return nil
}

var errNoQuestion = nacre.Errorf(nacre.NotFound, "This question is no longer open.")

// Question finds a question that was asked, open or not; NotFound, as a
// sentence for the person, if there is none.
func (l *Ledger) Question(ctx context.Context, id nacre.ReplyID) (nacre.Question, error) {
	return l.question(ctx, " WHERE q.id = ?", id)
}

// OpenQuestion is the newest question that was shown in a chat, if it is open and
// it is what was said last: NotFound if somebody wrote there since. The gateway
// calls it for a message that may be an answer without naming the question.
func (l *Ledger) OpenQuestion(ctx context.Context, chat nacre.Chat) (nacre.Question, error) {
	q, err := l.question(ctx, ` WHERE q.channel = ?1 AND q.chat = ?2 AND q.thread = ?3
		AND NOT EXISTS (SELECT 1 FROM sessions s LEFT JOIN sessions n ON n.id = s.successor JOIN inbox i ON i.session = s.id
			WHERE s.channel = ?1 AND coalesce(n.chat, s.chat) = ?2 AND s.thread = ?3 AND i.seq > q.heard AND i.quiet = 0 AND i.job IS NULL)
		AND NOT EXISTS (SELECT 1 FROM outbox o INDEXED BY outbox_open WHERE o.channel = ?1 AND o.chat = ?2 AND o.state < 2 AND o.state = 0 AND o.unsure = 0 AND o.reply = q.id)
		ORDER BY q.heard DESC, q.id DESC LIMIT 1`, chat.Channel, chat.ID, chat.Thread)
	if err == nil && q.Chosen >= 0 {
		err = errNoQuestion
	}
	return q, err
}

func (l *Ledger) question(ctx context.Context, which string, args ...any) (nacre.Question, error) {
	var r questionRow
	err := l.row(ctx, questionColumns+which, args, r.fields()...)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nacre.Question{}, err
	}
	if err != nil || !l.unsealQuestion(&r) {
		return nacre.Question{}, errNoQuestion
	}
	return r.Question, nil
}

// Questions finds those of an owner that replies asked, settled or not, by the ids of
// the replies. What was never asked, or is erased, is not among them.
func (l *Ledger) Questions(ctx context.Context, owner nacre.OwnerID, ids []nacre.ReplyID) (map[nacre.ReplyID]nacre.Question, error) {
	list, _ := json.Marshal(ids) // texts always can be
	rows, err := l.query(ctx, questionColumns+" WHERE q.id IN (SELECT value FROM json_each(?)) AND q.owner = ?", string(list), owner)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	asked := map[nacre.ReplyID]nacre.Question{}
	for rows.Next() {
		var r questionRow
		if err := rows.Scan(r.fields()...); err != nil {
			return nil, explain(err)
		}
		if l.unsealQuestion(&r) {
			asked[r.ID] = r.Question
		}
	}
	return asked, explain(rows.Err())
}

// questionColumns are those of a questionRow.
const questionColumns = "SELECT q.id, q.owner, q.channel, q.chat, q.thread, coalesce(q.chosen, -1), q.record, q.sealed FROM questions q"

// questionRow is a question as it lies in the database.
type questionRow struct {
	nacre.Question
	content sealed
}

func (r *questionRow) fields() []any {
	return []any{&r.ID, &r.Owner, &r.Chat.Channel, &r.Chat.ID, &r.Chat.Thread, &r.Chosen, &r.content.record, &r.content.data}
}

// unsealQuestion reads the sealed part of a question; false if it is erased.
func (l *Ledger) unsealQuestion(r *questionRow) bool {
	var content questionContent
	ok := l.unseal(r.Owner, "questions", 0, r.content, &content) == nil
	r.Text, r.Options = content.Text, content.Options
	return ok
}

// Choose settles an open question and puts the choice into the inbox, in one
// commit; in gets its Session and Seq. It returns false, and changes nothing,
// for a question that is settled, or a message that is known.
func (l *Ledger) Choose(ctx context.Context, id nacre.ReplyID, option int, in *nacre.Inbound) (bool, error) {
	content, err := l.sealMessage(in)
	if err != nil {
		return false, err
	}
	m, chosen := &in.Message, false
	err = l.writer.do(ctx, func(t *tx) error {
		n, err := t.count(`UPDATE questions SET chosen = ? WHERE id = ? AND chosen IS NULL
			AND NOT EXISTS (SELECT 1 FROM inbox WHERE (channel, chat, external, revision) = (?, ?, ?, ?))`,
			option, id, m.Chat.Channel, m.Chat.ID, m.External, m.Revision)
		if chosen = n > 0; err != nil || !chosen {
			return err
		}
		return l.putInbound(t, in, content)
	})
	if err != nil || !chosen {
		return false, err
	}
	l.remember([]nacre.Inbound{*in})
	return true, nil
}
