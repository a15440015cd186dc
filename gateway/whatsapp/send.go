package whatsapp

import (
	"context"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"

	"nacre"
	"nacre/gateway"
)

// Render implements gateway.Channel.
func (c *Channel) Render(r nacre.Reply) []nacre.Part { panic("not yet") }

// Send implements gateway.Channel.
func (c *Channel) Send(ctx context.Context, d nacre.Delivery, repeat bool) (nacre.ExternalID, error) {
	panic("not yet")
}

// Typing implements gateway.Typer.
func (c *Channel) Typing(ctx context.Context, chat nacre.Chat) error { panic("not yet") }

// Stream implements gateway.Streamer.
func (c *Channel) Stream(ctx context.Context, b gateway.Bubble, text string) (nacre.ExternalID, error) {
	panic("not yet")
}

// again is the message that a phone could not decrypt, made anew from the outbox;
// nil if its words are gone.
func (l *line) again(requester, to types.JID, id types.MessageID) *waE2E.Message { panic("not yet") }

// follow takes a receipt of something that we sent.
func (l *line) follow(e *events.Receipt) { panic("not yet") }

// locked takes the news that WhatsApp lets the account write to nobody new.
func (l *line) locked(e *events.NotifyAccountReachoutTimelock) { panic("not yet") }
