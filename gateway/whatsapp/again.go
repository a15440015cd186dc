package whatsapp

import (
	"context"
	"time"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"

	"nacre"
)

const againTime = 10 * time.Second // for looking up what was sent

// again is the message that a phone could not decrypt, made anew from the outbox;
// nil if its words are gone, or it held a file, whose key is. Who asks knows the id
// and so was sent the message.
func (l *line) again(requester, to types.JID, id types.MessageID) *waE2E.Message {
	ctx, cancel := context.WithTimeout(l.life, againTime)
	defer cancel()
	chat := chatOf(to)
	if _, err := l.recipient(chat); err != nil {
		return nil
	}
	part, edited, err := l.sent(ctx, id)
	switch {
	case err != nil:
		l.log.Info("a phone asks for a message again that is not kept", "message", id, "err", err)
		return nil
	case part.File != nil:
		l.log.Info("a phone asks for a file again", "message", id)
		return nil
	}
	m := textMessage(part.Text, l.expiry.of(chat))
	if edited != "" {
		m = l.client.BuildEdit(to, edited, m)
	}
	return m
}

// sent is the part that was sent under an id of ours. If it was sent as the edit of a
// message, edited is that one; the outbox knows the part by it.
func (l *line) sent(ctx context.Context, id types.MessageID) (part nacre.Part, edited types.MessageID, err error) {
	part, err = l.opts.Sent.SentPart(ctx, nacre.WhatsApp, nacre.ExternalID(id))
	original := counterpart(id)
	if nacre.KindOf(err) != nacre.NotFound || original == "" {
		return part, "", err
	}
	part, err = l.opts.Sent.SentPart(ctx, nacre.WhatsApp, nacre.ExternalID(original))
	return part, original, err
}
