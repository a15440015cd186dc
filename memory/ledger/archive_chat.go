package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"nacre"
)

// Stretch is a part of a chat.
type Stretch struct {
	Sayings []Saying // oldest first
	Before  Mark     // what was said before them
	More    bool     // something was
}

// Chat reads a chat of an owner backwards: the last Sayings before a Mark, or the
// newest for the zero Mark, and at most so many. A chat that there is not has none.
func (a *Archive) Chat(ctx context.Context, owner nacre.OwnerID, at nacre.Chat, m Mark, most int) (Stretch, error) {
	c, err := a.chats(ctx, owner)
	if err != nil {
		return Stretch{}, err
	}
	session, err := a.sessionIn(ctx, owner, at)
	if err != nil || session == "" {
		return Stretch{}, err
	}
	if m == (Mark{}) {
		m = Mark{math.MaxInt64, math.MaxInt64}
	}
	list, err := c.some(ctx, session, m, true, most+1)
	s := Stretch{Sayings: list[:min(most, len(list))], Before: m, More: len(list) > most}
	for _, said := range s.Sayings {
		s.Before.pass(said.Key)
	}
	slices.Reverse(s.Sayings)
	return s, err
}

// pass moves a Mark before a Saying that is the last one before it.
func (m *Mark) pass(key int64) {
	if s, seq := strandOf(key); s == &answers {
		m.Answered = seq
	} else {
		m.Said = seq
	}
}

// sessionIn is the session of an owner in a chat, empty if there is none.
func (a *Archive) sessionIn(ctx context.Context, owner nacre.OwnerID, at nacre.Chat) (id nacre.SessionID, err error) {
	err = a.l.row(ctx, "SELECT id FROM sessions WHERE owner = ? AND channel = ? AND chat = ? AND thread = ?",
		[]any{owner, at.Channel, at.ID, at.Thread}, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return id, err
}

// Around reads a message of an owner with at most so many Sayings before and after
// it in its session, oldest first. Of one that was edited since, the newest version
// is meant. NotFound if there is no such message, or no word of it any more.
func (a *Archive) Around(ctx context.Context, owner nacre.OwnerID, message nacre.MessageID, each int) ([]Saying, error) {
	seq, err := a.newest(ctx, owner, message)
	if err != nil {
		return nil, err
	}
	c, err := a.chats(ctx, owner)
	if err != nil {
		return nil, err
	}
	list, err := c.texts(ctx, &messages, []int64{seq})
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, errNoMessage()
	}
	return c.near(ctx, &messages, seq, list[0], each)
}

// newest is where the newest version of a message lies.
func (a *Archive) newest(ctx context.Context, owner nacre.OwnerID, message nacre.MessageID) (seq int64, err error) {
	err = a.l.row(ctx, `SELECT n.seq FROM inbox i JOIN inbox n ON n.channel = i.channel AND n.chat = i.chat AND n.external = i.external
		WHERE i.id = ?1 AND i.owner = ?2 AND n.owner = ?2 ORDER BY n.revision DESC LIMIT 1`, []any{message, owner}, &seq)
	return seq, orNoMessage(err)
}

func errNoMessage() error { return nacre.Errorf(nacre.NotFound, "there is no such message") }

// orNoMessage is the error of who looked for a message.
func orNoMessage(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return errNoMessage()
	}
	return err
}

// AnswerTo is what an owner was answered to a message in a chat, by what its sender
// calls it; done says that its turn is over. What was no answer of a model, as to a
// command, is there while it waits to be shown and as long as its words are kept
// afterwards. NotFound if there is no such message.
func (a *Archive) AnswerTo(ctx context.Context, owner nacre.OwnerID, at nacre.Chat, id nacre.ExternalID) (text string, done bool, err error) {
	var turn nacre.TurnID
	err = a.l.row(ctx, `SELECT state, coalesce(turn, '') FROM inbox WHERE owner = ? AND channel = ? AND chat = ? AND external = ?
		ORDER BY revision DESC LIMIT 1`, []any{owner, at.Channel, at.ID, id}, &done, &turn)
	if err != nil || !done {
		return "", false, orNoMessage(err)
	}
	if text, err = a.answered(ctx, owner, turn); err != nil || text != "" {
		return text, true, err
	}
	text, err = a.shown(ctx, owner, at, turn)
	return text, true, err
}

// answered is the answer of a turn.
func (a *Archive) answered(ctx context.Context, owner nacre.OwnerID, turn nacre.TurnID) (string, error) {
	c, err := a.chats(ctx, owner)
	if err != nil {
		return "", err
	}
	rows, err := a.l.query(ctx, fmt.Sprintf("SELECT %s FROM turns i WHERE i.id = ? AND i.owner = ? AND %s", answers.columns, answers.words), turn, owner)
	if err != nil {
		return "", err
	}
	list, err := scanSayings(rows, math.MaxInt)
	if err != nil || len(list) == 0 {
		return "", err
	}
	if said := c.openAnswers(list); len(said) > 0 {
		return said[0].Text, nil
	}
	return "", nil
}

// shown is what a turn replied in a chat, as far as its words are there.
func (a *Archive) shown(ctx context.Context, owner nacre.OwnerID, at nacre.Chat, turn nacre.TurnID) (string, error) {
	rows, err := a.l.query(ctx, `SELECT seq, record, sealed FROM outbox INDEXED BY outbox_open
			WHERE channel = ?1 AND chat = ?2 AND state < 2 AND reply = ?3 AND owner = ?4 AND sealed IS NOT NULL
		UNION ALL SELECT seq, record, sealed FROM outbox INDEXED BY outbox_kept_chat
			WHERE channel = ?1 AND chat = ?2 AND keep_until_ms IS NOT NULL AND reply = ?3 AND owner = ?4
		ORDER BY seq`, at.Channel, at.ID, turn, owner)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var texts []string
	for rows.Next() {
		var seq int64
		var c sealed
		if err := rows.Scan(&seq, &c.record, &c.data); err != nil {
			return "", explain(err)
		}
		var part nacre.Part
		if a.l.unseal(owner, "outbox", 0, c, &part) == nil && part.Text != "" {
			texts = append(texts, part.Text)
		}
	}
	return strings.Join(texts, "\n\n"), explain(rows.Err())
}
