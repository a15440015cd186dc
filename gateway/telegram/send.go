package telegram

import (
	"context"
	"errors"
	"fmt"
	"time"

	"nacre"
	"nacre/gateway"
)

// general is the topic that every forum has. Telegram counts it as thread 1
// but knows no such thread when something is sent.
const general = "1"

const noPreview = `{"is_disabled":true}`

// Send hands one part to Telegram. A part that grew beyond the limit by its
// label goes out as two messages; the id is that of the first.
func (c *Channel) Send(ctx context.Context, to nacre.Delivery, repeat bool) (nacre.ExternalID, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	texts := []string{to.Part.Text}
	if repeat {
		texts = split(gateway.RepeatLabel+to.Part.Text, textLimit)
	}
	var first nacre.ExternalID
	for _, text := range texts {
		id, err := c.sendText(ctx, to.Chat, text)
		if err != nil {
			return "", err
		}
		if first == "" {
			first = id
		}
	}
	return first, nil
}

// sendText sends one message. If its topic is gone it goes to the chat itself.
func (c *Channel) sendText(ctx context.Context, chat nacre.Chat, text string) (nacre.ExternalID, error) {
	p := params{"chat_id": string(chat.ID), "text": text, "link_preview_options": noPreview}
	if chat.Thread != "" && chat.Thread != general {
		p["message_thread_id"] = string(chat.Thread)
	}
	var sent struct {
		ID int64 `json:"message_id"`
	}
	err := c.api.call(ctx, "sendMessage", p, &sent)
	if p["message_thread_id"] != "" && threadGone(err) {
		delete(p, "message_thread_id")
		err = c.api.call(ctx, "sendMessage", p, &sent)
	}
	if err != nil {
		return "", c.failed(chat.ID, err)
	}
	return nacre.ExternalID(itoa(sent.ID)), nil
}

func threadGone(err error) bool {
	f, ok := errors.AsType[*failure](err)
	return ok && f.says("message thread not found")
}

// failed remembers a pause that Telegram asked for, and turns the error of a
// call into one for the gateway.
func (c *Channel) failed(chat nacre.ChatID, err error) error {
	f, ok := errors.AsType[*failure](err)
	if !ok {
		return err
	}
	if f.code == 429 {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.quiet[chat] = time.Now().Add(f.after)
	}
	return f.verdict()
}

// verdict is what the gateway should do about a send that failed. The message
// is certainly not there if the request never left, or if Telegram itself said
// so in its own form. It may be there if the answer never came, was cut, or
// was made by some server in between that had passed the request on.
func (f *failure) verdict() error {
	switch {
	case !f.asked, f.code >= 500 && f.code != 504:
		return &nacre.Error{Kind: nacre.Transient, Text: f.Error(), Err: f}
	case f.code == 429:
		return &nacre.Error{Kind: nacre.Transient, Text: f.Error(), After: max(f.after, time.Second), Err: f}
	case f.code == 401, f.code == 404:
		return &nacre.Error{Kind: nacre.Denied, Text: f.Error(), Err: f}
	case f.code == 403, f.code == 400 && f.says("chat not found"):
		return &nacre.Error{Kind: nacre.NotFound, Text: f.Error(), Err: f}
	case f.code >= 400 && f.code < 500:
		return &nacre.Error{Kind: nacre.Invalid, Text: f.Error(), Err: f}
	case f.code == 0 && f.status >= 300 && f.status < 500:
		return &nacre.Error{Kind: nacre.Transient, Text: f.Error(), Err: f} // turned away before Telegram
	default:
		return fmt.Errorf("%w: %w", gateway.ErrUnsure, f)
	}
}

// Typing shows that an answer is being made. While Telegram asks for a pause
// in the chat it does nothing, because each call would prolong the pause.
func (c *Channel) Typing(ctx context.Context, chat nacre.Chat) error {
	if c.paused(chat.ID) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	p := params{"chat_id": string(chat.ID), "action": "typing"}
	if chat.Thread != "" {
		p["message_thread_id"] = string(chat.Thread)
	}
	var done bool
	if err := c.api.call(ctx, "sendChatAction", p, &done); err != nil {
		return c.failed(chat.ID, err)
	}
	return nil
}

// paused reports whether a chat's pause still lasts, and forgets one that is
// over.
func (c *Channel) paused(chat nacre.ChatID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	until, ok := c.quiet[chat]
	if ok && !time.Now().Before(until) {
		delete(c.quiet, chat)
		ok = false
	}
	return ok
}
