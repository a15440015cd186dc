package telegram

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"nacre"
)

// Person is somebody who wrote to a bot, as they call themselves on Telegram.
type Person struct {
	Address nacre.Address
	Name    string // may be empty
	User    string // without the "@"; empty if they have none
}

// lookAgain is how often what waits is looked at, where all of it is known.
const lookAgain = time.Second

// First waits for a private message of somebody who is not among others. It confirms
// nothing: what it saw waits on, and a Channel of the bot receives and answers it. It
// must not run beside one. The error is a sentence for the operator, or that of ctx.
func First(ctx context.Context, o Options, others ...nacre.Address) (Person, error) {
	a := newAPI(o)
	defer a.client.CloseIdleConnections()
	for {
		var updates []json.RawMessage
		err := a.call(ctx, "getUpdates", params{"timeout": "50", "limit": pollLimit, "allowed_updates": allowedUpdates}, &updates)
		if ctx.Err() != nil {
			return Person{}, ctx.Err()
		}
		if err != nil {
			return Person{}, unreached(err)
		}
		for _, raw := range updates {
			if p, ok := writer(raw); ok && !slices.Contains(others, p.Address) {
				return p, nil
			}
		}
		if len(updates) > 0 { // else Telegram itself has waited
			select {
			case <-time.After(lookAgain):
			case <-ctx.Done():
				return Person{}, ctx.Err()
			}
		}
	}
}

// writer is who wrote a private message; false for any other update.
func writer(raw json.RawMessage) (Person, bool) {
	var u struct {
		Message *struct {
			From struct {
				user
				First string `json:"first_name"`
				Last  string `json:"last_name"`
			} `json:"from"`
			Chat chat `json:"chat"`
		} `json:"message"`
	}
	if json.Unmarshal(raw, &u) != nil || u.Message == nil || u.Message.Chat.Type != "private" || u.Message.From.IsBot || u.Message.From.ID == 0 {
		return Person{}, false
	}
	from := u.Message.From
	name := from.First
	if from.Last != "" {
		name += " " + from.Last
	}
	return Person{Address: nacre.Address{Channel: nacre.Telegram, ID: itoa(from.ID)}, Name: name, User: from.Username}, true
}
