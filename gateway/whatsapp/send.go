package whatsapp

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"

	"nacre"
	"nacre/gateway"
)

// Deadlines. All of a send together stay below that of the gateway.
const (
	uploadTime = time.Minute      // of a file
	sendTime   = 45 * time.Second // of a message, with what has to be asked before
	ackTime    = 10 * time.Second // of the answer to it, for which all other sends wait; one that is later costs a repeat of the same message
)

// mostUnsure is how often a part is tried of which no outcome is ever known: for more
// than an hour, by the gateway's waits.
const mostUnsure = 20

// mostMalformed is how often a message is tried that WhatsApp calls malformed: for about
// half a minute.
const mostMalformed = 5

// Send hands one part to WhatsApp under an id of its own. A repeat is the same message,
// and needs the label only where the account was linked anew since, because the ids come
// from a secret of the account. While sending is paused nothing is asked for.
func (c *Channel) Send(ctx context.Context, d nacre.Delivery, repeat bool) (nacre.ExternalID, error) {
	l, to, err := c.open(ctx, d.Chat)
	if err != nil {
		return "", err
	}
	if repeat && nacre.Minted(string(d.ID)).Before(l.memo.linked()) {
		d.Part.Text = gateway.RepeatLabel + d.Part.Text
	}
	send := l.post
	if d.Bubble != "" {
		send = l.finish
	}
	id, err := send(ctx, to, d)
	switch {
	case err == nil:
		l.bubbles.close(types.MessageID(d.Bubble))
		return id, nil
	case d.Attempts >= mostUnsure && errors.Is(err, gateway.ErrUnsure):
		return "", gateway.ErrUnsure
	case d.Attempts >= mostMalformed && errors.Is(err, errMalformed):
		return "", nacre.Errorf(nacre.Invalid, "%w", err)
	}
	return "", err
}

// open is the connection and whom a chat is with, if something may be sent there
// now. Its errors are for the gateway.
func (c *Channel) open(ctx context.Context, chat nacre.Chat) (*line, types.JID, error) {
	l, err := c.current()
	if err != nil {
		return nil, types.EmptyJID, err
	}
	to, err := l.recipient(chat)
	if err != nil {
		return nil, types.EmptyJID, err
	}
	return l, to, l.mayAsk(ctx, to)
}

// recipient is whom a chat is with. Nobody but the operator is ever written to in
// their own name; such a chat is NotFound.
func (l *line) recipient(chat nacre.Chat) (types.JID, error) {
	to, ok := jidOf(chat)
	switch {
	case !ok || !talk(to):
		return types.EmptyJID, nacre.Errorf(nacre.NotFound, "WhatsApp has no such chat")
	case l.opts.Own && !l.me().is(to):
		return types.EmptyJID, nacre.Errorf(nacre.NotFound, "with your own number, WhatsApp messages go to nobody but you")
	}
	return folded(to), nil
}

// finish puts a part in the place of the bubble that showed it while it was made. Where
// that cannot be, it becomes a message of its own and the bubble is taken back.
func (l *line) finish(ctx context.Context, to types.JID, d nacre.Delivery) (nacre.ExternalID, error) {
	bubble := types.MessageID(d.Bubble)
	seen, ok := l.bubbles.look(bubble)
	switch {
	case !ok || d.Part.File != nil || !l.ids.made(bubble): // the bubble may be of an account that was linked before
		id, err := l.post(ctx, to, d)
		if err == nil {
			l.takeBack(ctx, to, bubble)
		}
		return id, err
	case seen.words == sha256.Sum256([]byte(d.Part.Text)):
		return d.Bubble, nil
	}
	if err := l.await(ctx, to); err != nil {
		return "", err
	}
	if err := l.stillAsked(ctx, d.ID); err != nil {
		return "", err
	}
	return d.Bubble, l.edit(ctx, to, bubble, l.ids.counterpart(bubble), d.Part.Text)
}

// stillAsked is NotFound for a part that was forgotten while it waited for its turn.
func (l *line) stillAsked(ctx context.Context, id nacre.DeliveryID) error {
	wanted, err := l.opts.Sent.Wanted(ctx, id)
	switch {
	case err != nil:
		return nacre.Errorf(nacre.Transient, "WhatsApp: it is not known whether the part is still to be sent (%w)", err)
	case !wanted:
		return nacre.Errorf(nacre.NotFound, "the part was taken back before it was sent")
	}
	return nil
}

// post sends a part as a message.
func (l *line) post(ctx context.Context, to types.JID, d nacre.Delivery) (nacre.ExternalID, error) {
	id := l.ids.id(string(d.ID))
	if l.outcomes.arrived(id) {
		return nacre.ExternalID(id), nil
	}
	if err := l.await(ctx, to); err != nil {
		return "", err
	}
	m, err := l.message(ctx, d)
	if err == nil {
		err = l.stillAsked(ctx, d.ID)
	}
	if err != nil {
		return "", err
	}
	return nacre.ExternalID(id), l.deliver(ctx, to, id, m)
}

// message is what a part is to WhatsApp; its file is sent ahead.
func (l *line) message(ctx context.Context, d nacre.Delivery) (*waE2E.Message, error) {
	expiry := l.memo.timer(d.Chat.ID)
	if d.Part.File != nil {
		return l.upload(ctx, &d.Part, expiry)
	}
	return textMessage(d.Part.Text, expiry), nil
}

// deliver sends a message and waits until WhatsApp has it. A receipt is as good as
// its answer. The error is for the gateway.
func (l *line) deliver(ctx context.Context, to types.JID, id types.MessageID, m *waE2E.Message) error {
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	defer l.hand.take(id)()
	l.outcomes.begin(id)
	l.remember(id, m)
	_, err := l.client.SendMessage(ctx, to, m, whatsmeow.SendRequestExtra{ID: id, Timeout: ackTime})
	if err == nil || l.outcomes.arrived(id) {
		l.outcomes.end(id)
		l.brakes.release(to)
		return nil
	}
	return l.failed(ctx, to, err)
}

// takeBack deletes a message that something better has replaced. If that fails it
// stays, and the person sees the same twice.
func (l *line) takeBack(ctx context.Context, to types.JID, id types.MessageID) {
	m := l.client.BuildRevoke(to, types.EmptyJID, id)
	if err := l.deliver(ctx, to, l.ids.id("take back "+id), m); err != nil {
		l.log.Info("bubble not removed", "err", err)
	}
}
