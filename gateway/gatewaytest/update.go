package gatewaytest

import (
	"context"
	"encoding/json"
	"fmt"
	"sort"
	"time"
)

// queued is an update that waits to be confirmed.
type queued struct {
	id  int64
	raw json.RawMessage
}

// Inject queues an update, given as a JSON object, and returns its id: the one
// it has, else the next in order. It is delivered whatever kinds the bot asked
// for. The chats that it names exist from now on.
func (b *BotAPI) Inject(update string) int64 {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(update), &fields); err != nil {
		panic(fmt.Sprintf("gatewaytest: an update must be a JSON object: %v", err))
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	id := b.nextUpdate
	if raw, ok := fields["update_id"]; ok && json.Unmarshal(raw, &id) != nil {
		panic("gatewaytest: update_id must be a number")
	}
	b.nextUpdate = id + 1
	fields["update_id"] = json.RawMessage(fmt.Sprint(id))
	raw, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	b.learnChats(fields)
	b.learnQuery(fields)
	b.updates = append(b.updates, queued{id, raw})
	b.change()
	return id
}

func (b *BotAPI) learnChats(fields map[string]json.RawMessage) {
	for _, raw := range fields {
		var object struct {
			Chat struct{ ID int64 }
		}
		if json.Unmarshal(raw, &object) == nil && object.Chat.ID != 0 {
			b.chats[object.Chat.ID] = true
		}
	}
}

// Text queues a private text message of a user and returns its update's id.
func (b *BotAPI) Text(user int64, text string) int64 {
	who := map[string]any{"id": user, "is_bot": false, "first_name": "Ann", "language_code": "en"}
	update, err := json.Marshal(map[string]any{"message": map[string]any{
		"message_id": b.newMessageID(),
		"date":       time.Now().Unix(),
		"from":       who,
		"chat":       map[string]any{"id": user, "type": "private", "first_name": "Ann"},
		"text":       text,
	}})
	if err != nil {
		panic(err)
	}
	return b.Inject(string(update))
}

func (b *BotAPI) newMessageID() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.nextMessage++
	return b.nextMessage
}

// Pending is the number of updates that are not confirmed.
func (b *BotAPI) Pending() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.updates)
}

// longestPoll is the most seconds that the server holds a poll.
const longestPoll = 50

// getUpdates confirms what the offset passes and waits for something to give.
// Only the newest poll is in force; it ends the one before.
func (b *BotAPI) getUpdates(ctx context.Context, args Params) (answer, bool) {
	if b.webhook != "" {
		return refusal(409, "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"), true
	}
	b.endPoll("terminated by other getUpdates request; make sure that only one bot instance is running")
	mine := b.poll
	b.confirm(args.int("offset"))
	seconds := min(max(args.int("timeout"), 0), longestPoll)
	over := time.NewTimer(time.Duration(seconds) * time.Second)
	defer over.Stop()
	for waiting := true; waiting && len(b.updates) == 0; {
		changed := b.changed
		b.mu.Unlock()
		select {
		case <-changed:
		case <-over.C:
			waiting = false
		case <-ctx.Done():
		}
		b.mu.Lock()
		if ctx.Err() != nil {
			return answer{}, false
		}
		if b.poll != mine {
			return refusal(409, "Conflict: "+b.pollEnded), true
		}
	}
	return result(b.firstUpdates(args.int("limit"))), true
}

// endPoll takes a waiting poll out of force.
func (b *BotAPI) endPoll(why string) {
	b.poll++
	b.pollEnded = why
	b.change()
}

// confirm forgets the updates before offset, or all but the last -offset. An
// offset far beyond the newest update is not believed, as the bot may have it
// from another server, and confirms nothing.
func (b *BotAPI) confirm(offset int64) {
	const believed = 10
	n := sort.Search(len(b.updates), func(i int) bool { return b.updates[i].id >= offset })
	if offset < 0 {
		n = max(0, len(b.updates)+int(offset))
	}
	if offset > b.nextUpdate+believed {
		n = 0
	}
	for _, u := range b.updates[:n] {
		b.confirmed[u.id] = true
	}
	b.updates = b.updates[n:]
	b.change()
}

func (b *BotAPI) firstUpdates(limit int64) []json.RawMessage {
	if limit < 1 || limit > 100 {
		limit = 100
	}
	given := []json.RawMessage{}
	for _, u := range b.updates[:min(int(limit), len(b.updates))] {
		given = append(given, u.raw)
	}
	return given
}

// SetWebhook sets a webhook as if another program had called the method; an
// empty URL takes it away.
func (b *BotAPI) SetWebhook(url string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.setWebhook(Params{"url": url})
}

func (b *BotAPI) setWebhook(args Params) answer {
	b.webhook = args["url"]
	if b.webhook != "" {
		b.endPoll("terminated by setWebhook request")
	}
	return result(true)
}

func (b *BotAPI) deleteWebhook(args Params) answer {
	b.webhook = ""
	if args["drop_pending_updates"] == "true" {
		b.updates = nil
	}
	return result(true)
}
