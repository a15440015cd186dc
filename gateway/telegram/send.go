package telegram

import (
	"context"
	"errors"
	"fmt"
	"html"
	"strings"
	"time"

	"nacre"
	"nacre/gateway"
)

// general is the topic that every forum has. Telegram counts it as thread 1
// but knows no such thread when something is sent.
const general = "1"

const noPreview = `{"is_disabled":true}`

// Send hands one part to Telegram. While Telegram asks for a pause in the chat
// it is Transient and nothing is asked for.
func (c *Channel) Send(ctx context.Context, d nacre.Delivery, repeat bool) (nacre.ExternalID, error) {
	if err := c.limits.send(d.Chat.ID); err != nil {
		return "", err
	}
	limit := callTime
	if d.Part.File != nil {
		limit = uploadTime
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	chat := d.Chat
	if d.Bubble == "" {
		return c.sendPart(ctx, &chat, d.Part, repeat)
	}
	return c.finish(ctx, &chat, d, repeat)
}

// finish puts a part in the place of the bubble that showed it while it was
// made. Where that cannot be, it becomes a message of its own. What was shown
// last may be the same as the part; it is asked for all the same, since the
// person may have deleted the bubble.
func (c *Channel) finish(ctx context.Context, chat *nacre.Chat, d nacre.Delivery, repeat bool) (nacre.ExternalID, error) {
	if d.Part.File == nil {
		err := c.edit(ctx, chat, d.Bubble, newPost(d.Part))
		if nacre.KindOf(err) != nacre.Invalid {
			return d.Bubble, err
		}
	}
	id, err := c.sendPart(ctx, chat, d.Part, repeat)
	if err == nil && d.Part.File != nil {
		c.remove(ctx, *chat, d.Bubble)
	}
	return id, err
}

// sendPart sends a part as a message. A label that finds no room in it goes
// ahead as a message of its own.
func (c *Channel) sendPart(ctx context.Context, chat *nacre.Chat, p nacre.Part, repeat bool) (nacre.ExternalID, error) {
	if repeat {
		labelled, fits := repeated(p)
		if !fits {
			if _, err := c.send(ctx, chat, newPost(nacre.Part{Text: strings.TrimSpace(gateway.RepeatLabel)})); err != nil {
				return "", err
			}
			labelled = p
		}
		p = labelled
	}
	return c.send(ctx, chat, newPost(p))
}

// repeated puts the words for a possible repeat in front of a part. It returns
// false if that makes it too long.
func repeated(p nacre.Part) (nacre.Part, bool) {
	if p.Plain == "" {
		p.Text = gateway.RepeatLabel + p.Text
	} else {
		p.Text = html.EscapeString(gateway.RepeatLabel) + p.Text
		p.Plain = gateway.RepeatLabel + p.Plain
	}
	limit := textLimit
	if p.File != nil {
		limit = captionLimit
	}
	return p, length(p) <= limit
}

// send makes a post a new message and returns its id.
func (c *Channel) send(ctx context.Context, chat *nacre.Chat, p *post) (nacre.ExternalID, error) {
	var sent struct {
		ID int64 `json:"message_id"`
	}
	if err := c.ask(ctx, chat, p, &sent); err != nil {
		return "", err
	}
	return nacre.ExternalID(itoa(sent.ID)), nil
}

// edit makes a post what a message shows. Doing it twice does no harm, so an
// unknown outcome is one to be tried again.
func (c *Channel) edit(ctx context.Context, chat *nacre.Chat, id nacre.ExternalID, p *post) error {
	p.method, p.params["message_id"] = "editMessageText", string(id)
	var done any
	err := c.ask(ctx, chat, p, &done)
	if refused(err, "message is not modified") {
		return nil
	}
	return repeatable(err)
}

// remove deletes a message that something better has replaced. If that fails
// it stays, and the person sees the same twice.
func (c *Channel) remove(ctx context.Context, chat nacre.Chat, id nacre.ExternalID) {
	var done bool
	err := c.api.call(ctx, "deleteMessage", params{"chat_id": string(chat.ID), "message_id": string(id)}, &done)
	if err != nil {
		c.log.Info("bubble not removed", "err", err)
	}
}

// ask carries a post to a chat, and again with what Telegram refuses of it
// changed. If the chat has moved, so has chat afterwards. An error is one for
// the gateway.
func (c *Channel) ask(ctx context.Context, chat *nacre.Chat, p *post, result any) error {
	p.address(*chat)
	for {
		err := p.call(ctx, c.api, result)
		f, ok := errors.AsType[*failure](err)
		switch {
		case !ok:
			return err
		case f.moved != 0 && !p.moved:
			if err := c.follow(ctx, chat, f.moved); err != nil {
				return err
			}
			p.moved, p.params["chat_id"] = true, string(chat.ID)
		case !p.amend(f):
			return c.failed(chat.ID, f)
		}
	}
}

// follow tells the gateway that a group became a supergroup, which is another
// chat to Telegram.
func (c *Channel) follow(ctx context.Context, chat *nacre.Chat, id int64) error {
	host := c.currentHost()
	if host == nil {
		return nacre.Errorf(nacre.Transient, "the group has moved, and the channel is not running yet")
	}
	from := nacre.Chat{Channel: nacre.Telegram, ID: chat.ID}
	to := nacre.Chat{Channel: nacre.Telegram, ID: nacre.ChatID(itoa(id))}
	if err := host.Move(ctx, from, to); err != nil {
		return nacre.Errorf(nacre.Transient, "the group has moved: %w", err)
	}
	c.log.Info("a group became a supergroup")
	chat.ID = to.ID
	return nil
}

// refused reports whether Telegram refused a call with one of some phrases,
// which are in lower case.
func refused(err error, phrases ...string) bool {
	f, ok := errors.AsType[*failure](err)
	if !ok || f.code != 400 {
		return false
	}
	for _, phrase := range phrases {
		if f.says(phrase) {
			return true
		}
	}
	return false
}

// failed remembers a pause that Telegram asked for, and turns the failure of a
// call into an error for the gateway.
func (c *Channel) failed(chat nacre.ChatID, f *failure) error {
	if f.code == 429 {
		c.limits.pause(chat, max(f.after, time.Second))
	}
	return f.verdict()
}

// repeatable is the error of a call that may be made again whatever became of
// it.
func repeatable(err error) error {
	if errors.Is(err, gateway.ErrUnsure) {
		return &nacre.Error{Kind: nacre.Transient, Text: err.Error()}
	}
	return err
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
	case f.code == 0 && (f.status == 502 || f.status == 503):
		// The server in front of Telegram answered: most likely it passed
		// nothing on, and it may go on like that for long.
		return &nacre.Error{Kind: nacre.Transient, Text: f.Error(), Err: fmt.Errorf("%w: %w", gateway.ErrUnsure, f)}
	default:
		return fmt.Errorf("%w: %w", gateway.ErrUnsure, f)
	}
}
