package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"nacre"
)

// event is what an update asks of the gateway. Exactly one field is set.
type event struct {
	message *nacre.Message
	press   *callback
	move    *move
}

// move is a chat that goes on under another id.
type move struct{ from, to nacre.Chat }

// meaning reads an update, or returns false for one that asks nothing of the
// gateway. me is the bot.
func meaning(u update, me user) (event, bool) {
	if u.Callback != nil {
		return event{press: pressed(u.Callback)}, true
	}
	if m, ok := moved(u.Message); ok {
		return event{move: &m}, true
	}
	m, ok := convert(u, me)
	return event{message: &m}, ok
}

// moved reads the two messages by which Telegram tells that a group became a
// supergroup. Either may come alone, and both may come.
func moved(m *message) (move, bool) {
	switch {
	case m == nil:
		return move{}, false
	case m.MigrateTo != 0:
		return move{chatOf(m.Chat.ID), chatOf(m.MigrateTo)}, true
	case m.MigrateFrom != 0:
		return move{chatOf(m.MigrateFrom), chatOf(m.Chat.ID)}, true
	}
	return move{}, false
}

// decode reads one update. One that makes no sense keeps its id at most, and
// is confirmed with the others: waiting for it to get better would stop
// everything that comes after it.
func (c *Channel) decode(raw json.RawMessage) update {
	var u update
	err := json.Unmarshal(raw, &u)
	if err == nil {
		return u
	}
	var id struct {
		ID int64 `json:"update_id"`
	}
	json.Unmarshal(raw, &id) // leaves 0 if there is none
	var field string
	if mismatch, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		field = mismatch.Field
	}
	c.log.Error("skipped an unreadable update", "update", id.ID, "field", field)
	return update{ID: id.ID}
}

// add appends what an update that came now asks for.
func (r *receiver) add(to []event, u update, now time.Time) []event {
	if m := u.Membership; m != nil {
		r.log.Info("standing in a chat changed", "chat", m.Chat.Type, "now", m.New.Status)
	}
	e, ok := meaning(u, r.me)
	if !ok {
		return to
	}
	if e.message != nil {
		e.message.Received = now
	}
	return append(to, e)
}

// deliver hands events to the gateway in their order, neighbouring messages
// together. After an error it returns those that must be offered again.
func (r *receiver) deliver(ctx context.Context, events []event) (left []event, err error) {
	for len(events) > 0 {
		messages := leading(events)
		done := max(len(messages), 1)
		switch e := events[0]; {
		case e.message != nil:
			err = r.host.Receive(ctx, messages)
		case e.press != nil:
			err = r.press(ctx, e.press)
		default:
			err = r.move(ctx, *e.move)
		}
		if err != nil {
			return events, &storeError{err}
		}
		events = events[done:]
	}
	return nil, nil
}

// leading are the messages with which events begin.
func leading(events []event) []nacre.Message {
	var messages []nacre.Message
	for _, e := range events {
		if e.message == nil {
			break
		}
		messages = append(messages, *e.message)
	}
	return messages
}

// move tells the gateway of a move. Like press it returns only errors after
// which it must be told again.
func (r *receiver) move(ctx context.Context, m move) error {
	err := r.host.Move(ctx, m.from, m.to)
	if again(ctx, err) {
		return err
	}
	if err != nil {
		r.log.Error("chat not moved", "from", m.from.ID, "to", m.to.ID, "err", err)
	}
	return nil
}

// again reports whether what failed with err must be offered again.
func again(ctx context.Context, err error) bool {
	return err != nil && (ctx.Err() != nil || nacre.KindOf(err) == nacre.Transient)
}

// storeError is trouble on our side of the channel.
type storeError struct{ err error }

func (e *storeError) Error() string { return "messages could not be stored: " + e.err.Error() }
func (e *storeError) Unwrap() error { return e.err }
