package ledger

import (
	"context"
	"database/sql"
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
		_, err := t.exec("INSERT INTO questions (id, owner, channel, chat, thread, created_ms, record, sealed) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
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
	q := nacre.Question{ID: id}
	var c sealed
	err := l.reading.QueryRowContext(ctx, "SELECT owner, channel, chat, thread, coalesce(chosen, -1), record, sealed FROM questions WHERE id = ?", id).
		Scan(&q.Owner, &q.Chat.Channel, &q.Chat.ID, &q.Chat.Thread, &q.Chosen, &c.record, &c.data)
	if errors.Is(err, sql.ErrNoRows) {
		return q, errNoQuestion
	}
	if err != nil {
		return q, explain(err)
	}
	var content questionContent
	if l.unseal(q.Owner, "questions", 0, c, &content) != nil {
		return q, errNoQuestion
	}
	q.Text, q.Options = content.Text, content.Options
	return q, nil
}

// Choose settles an open question and puts the choice into the inbox, in one
// commit; in gets its Session and Seq. It returns false, and changes nothing,
// for a question that is settled.
func (l *Ledger) Choose(ctx context.Context, id nacre.ReplyID, option int, in *nacre.Inbound) (bool, error) {
	content, err := l.sealMessage(in)
	if err != nil {
		return false, err
	}
	chosen := false
	err = l.writer.do(ctx, func(t *tx) error {
		n, err := t.count("UPDATE questions SET chosen = ? WHERE id = ? AND chosen IS NULL", option, id)
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
