package telegram

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"nacre"
	"nacre/gateway"
)

const (
	// answerTime is how long the calls that follow a press may take. Telegram
	// takes no answer later than some seconds after the press.
	answerTime = 10 * time.Second

	// toastLimit is the length of what is shown to whoever pressed, in
	// characters. Telegram allows 200; the screen holds less.
	toastLimit = 120
)

// notOurs answers presses that mean nothing to us.
const notOurs = "This button is no longer in use."

// callbackData is what the button of an option carries. Telegram gives it back
// when somebody presses; it may be 64 bytes long. See parseCallbackData.
func callbackData(question nacre.ReplyID, option int) string {
	return "a/" + string(question) + "/" + strconv.Itoa(option)
}

// parseCallbackData reads what callbackData wrote. Any other text, which may
// be a button's of an earlier program or made up, gives false.
func parseCallbackData(data string) (question nacre.ReplyID, option int, ok bool) {
	rest, ours := strings.CutPrefix(data, "a/")
	cut := strings.LastIndexByte(rest, '/')
	if !ours || cut <= 0 {
		return "", 0, false
	}
	question = nacre.ReplyID(rest[:cut])
	option, err := strconv.Atoi(rest[cut+1:])
	if err != nil || option < 0 || callbackData(question, option) != data {
		return "", 0, false
	}
	return question, option, true
}

// callback is a press of a button with what is needed to answer it.
type callback struct {
	query   string // its id
	message int64  // that the button is under
	ours    bool   // a person pressed a button that we made; else press is zero
	press   nacre.Press
}

// pressed reads a callback query. The author is who pressed, never who wrote
// the message, which is the bot itself.
func pressed(q *callbackQuery) *callback {
	cb := &callback{query: q.ID}
	m := q.Message
	question, option, ok := parseCallbackData(q.Data)
	who := person(q.From)
	if !ok || m == nil || !talk(m.Chat.Type) || who == (nacre.Address{}) {
		return cb
	}
	cb.message, cb.ours = m.ID, true
	cb.press = nacre.Press{
		Author:   who,
		Chat:     place(m),
		Private:  m.Chat.Type == "private",
		Question: question,
		Option:   option,
	}
	return cb
}

// press hands a press to the gateway. An error means that it must be offered
// again; whoever pressed sees that the app waits. All other outcomes are shown
// to them, which the next update does not wait for.
func (r *receiver) press(ctx context.Context, cb *callback) error {
	if !cb.ours {
		r.busy.Go(func() { r.toast(cb, notOurs, false) })
		return nil
	}
	option, err := r.host.Press(ctx, cb.press)
	if again(ctx, err) {
		return err
	}
	r.busy.Go(func() { r.answer(cb, option, err) })
	return nil
}

// answer shows what became of a press, and takes the buttons away once the
// question is settled.
func (r *receiver) answer(cb *callback, option string, err error) {
	if err == nil {
		r.toast(cb, "✓ "+option, false)
		r.removeButtons(cb)
		return
	}
	sentence, known := errors.AsType[*nacre.Error](err)
	if !known || sentence.Kind == nacre.Internal {
		r.log.Error("press not taken", "err", err)
		r.toast(cb, "That did not work. Please write your answer instead.", false)
		return
	}
	r.toast(cb, sentence.Text, sentence.Kind == nacre.Denied)
}

// toast answers a callback query with a line that disappears, or with an alert
// that must be closed. Without an answer the button would look busy for long.
func (r *receiver) toast(cb *callback, text string, alert bool) {
	p := params{"callback_query_id": cb.query, "text": shorten(text, toastLimit)}
	if alert {
		p["show_alert"] = "true"
	}
	r.courtesy("answerCallbackQuery", p)
}

// removeButtons takes its turn among what else is shown in the chat.
func (r *receiver) removeButtons(cb *callback) {
	ctx, cancel := context.WithTimeout(r.life, answerTime)
	defer cancel()
	chat := cb.press.Chat.ID
	for err := r.limits.show(chat, editEvery); err != nil; err = r.limits.show(chat, editEvery) {
		if gateway.Sleep(ctx, nacre.RetryAfter(err)); ctx.Err() != nil {
			return
		}
	}
	err := r.courtesy("editMessageReplyMarkup", params{"chat_id": string(chat), "message_id": itoa(cb.message)})
	if f, ok := errors.AsType[*failure](err); ok {
		r.failed(chat, f) // which remembers a pause
	}
}

// courtesy makes a call that nothing depends on.
func (r *receiver) courtesy(method string, p params) error {
	ctx, cancel := context.WithTimeout(r.life, answerTime)
	defer cancel()
	var result any
	err := r.api.call(ctx, method, p, &result)
	if err != nil {
		r.log.Info("press not answered", "err", err)
	}
	return err
}

// shorten cuts a text to at most that many characters.
func shorten(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
