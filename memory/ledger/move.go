package ledger

import (
	"context"

	"nacre"
)

// Steps of MoveChat; ?1 is the new id, ?2 the channel and ?3 the old id.
var moving = []string{
	"UPDATE OR IGNORE chats SET id = ?1 WHERE channel = ?2 AND id = ?3",

	// A private chat is known by another name, and its messages by the same ones: a
	// message that comes again, or is edited, is found under the new id. A group may
	// begin to count anew.
	"UPDATE OR IGNORE inbox SET chat = ?1 WHERE channel = ?2 AND chat = ?3 AND session IN (SELECT id FROM sessions WHERE private = 1)",

	"UPDATE OR IGNORE sessions SET chat = ?1 WHERE channel = ?2 AND chat = ?3",
	`UPDATE sessions AS o SET successor = n.id FROM sessions n
		WHERE n.owner = o.owner AND n.channel = o.channel AND n.thread = o.thread AND n.chat = ?1 AND o.channel = ?2 AND o.chat = ?3`,
	"UPDATE sessions SET successor = NULL WHERE chat = ?1 AND channel = ?2 AND successor IS NOT NULL",

	"UPDATE jobs SET session = o.successor FROM sessions o WHERE o.id = session AND o.channel = ?2 AND o.chat = ?3 AND o.successor IS NOT NULL",
	"UPDATE OR IGNORE asks SET session = o.successor FROM sessions o WHERE o.id = session AND o.channel = ?2 AND o.chat = ?3 AND o.successor IS NOT NULL",
	// What no turn is made for waits for the next one in the chat.
	"UPDATE inbox SET session = o.successor FROM sessions o WHERE o.id = session AND o.channel = ?2 AND o.chat = ?3 AND o.successor IS NOT NULL AND state = 0 AND quiet = 1",

	"UPDATE outbox SET chat = ?1 WHERE channel = ?2 AND chat = ?3 AND state < 2",
	"UPDATE outbox SET chat = ?1 WHERE channel = ?2 AND chat = ?3 AND keep_until_ms IS NOT NULL",
	"UPDATE questions SET chat = ?1 WHERE channel = ?2 AND chat = ?3",
}

// MoveChat gives what belongs to a chat to the id under which it goes on: its
// owner, its sessions, its jobs, what waits to be sent there or is kept of what
// was, and its questions. What the new id has already stays: then the old session
// keeps what was said in it, and what waits there to be answered, and everything
// new goes to the new one. It may be called again and again.
func (l *Ledger) MoveChat(ctx context.Context, from, to nacre.Chat) error {
	if from.ID == to.ID {
		return nil
	}
	err := l.writer.do(ctx, func(t *tx) error {
		for _, query := range moving {
			if _, err := t.exec(query, to.ID, from.Channel, from.ID); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.sessions)
	return nil
}

// follow sends what a turn says to where its session's chat goes on, if that moved
// while the turn was made.
func (t *tx) follow(session nacre.SessionID, parts []outPart, questions []sealedQuestion) error {
	var chat nacre.ChatID
	err := t.row("SELECT coalesce(n.chat, s.chat) FROM sessions s LEFT JOIN sessions n ON n.id = s.successor WHERE s.id = ?", []any{session}, &chat)
	if err != nil {
		return err
	}
	for i := range parts {
		parts[i].Chat.ID = chat
	}
	for i := range questions {
		questions[i].Chat.ID = chat
	}
	return nil
}
