package gatewaytest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"
)

// queryLife is how long a press of a button can be answered.
const queryLife = 15 * time.Second

// toastLimit is the length of an answer to a press, in characters.
const toastLimit = 200

// Press queues a press of a button, which carries data, under a message of the
// bot, and returns the id of the callback query.
func (b *BotAPI) Press(user, chat, message int64, data string) string {
	kind := "private"
	if chat < 0 {
		kind = "supergroup"
	}
	id := fmt.Sprint(b.newMessageID())
	update, err := json.Marshal(map[string]any{"callback_query": map[string]any{
		"id":   id,
		"from": map[string]any{"id": user, "is_bot": false, "first_name": "Ann", "language_code": "en"},
		"data": data,
		"message": map[string]any{
			"message_id": message, "date": time.Now().Unix(), "text": "?", "from": b.me(),
			"chat": map[string]any{"id": chat, "type": kind},
		},
	}})
	if err != nil {
		panic(err)
	}
	b.Inject(string(update))
	return id
}

// learnQuery notes a press that can be answered from now on.
func (b *BotAPI) learnQuery(fields map[string]json.RawMessage) {
	var query struct{ ID string }
	if json.Unmarshal(fields["callback_query"], &query) != nil || query.ID == "" {
		return
	}
	if b.queries == nil {
		b.queries = map[string]time.Time{}
	}
	b.queries[query.ID] = time.Now()
}

// Toast is what somebody saw after pressing a button.
type Toast struct {
	Query string
	Text  string
	Alert bool // it had to be closed
}

// Toasts returns the answers to presses, in order.
func (b *BotAPI) Toasts() []Toast {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]Toast(nil), b.toasts...)
}

func (b *BotAPI) answerCallbackQuery(args Params) answer {
	id := args["callback_query_id"]
	pressed, ok := b.queries[id]
	switch {
	case !ok || time.Since(pressed) > queryLife:
		return badRequest("query is too old and response timeout expired or query ID is invalid")
	case utf8.RuneCountInString(args["text"]) > toastLimit:
		return badRequest("MESSAGE_TOO_LONG")
	}
	b.toasts = append(b.toasts, Toast{Query: id, Text: args["text"], Alert: args["show_alert"] == "true"})
	return result(true)
}

// editMessageReplyMarkup changes only the buttons of a message.
func (b *BotAPI) editMessageReplyMarkup(args Params) answer {
	s := b.find(args)
	if s == nil {
		return badRequest("message to edit not found")
	}
	rows, refused := buttons(args)
	if refused != "" {
		return badRequest(refused)
	}
	if reflect.DeepEqual(rows, s.Buttons) {
		return badRequest("message is not modified")
	}
	shown := s.look[:strings.LastIndexByte(s.look, '\n')+1]
	s.Buttons, s.look = rows, shown+args["reply_markup"]
	return result(s.object(b.me()))
}
