package whatsapp

import (
	"context"

	"go.mau.fi/whatsmeow/types/events"
)

// receive stores a message. False means that it could not be stored.
func (l *line) receive(e *events.Message) (stored bool) { panic("not yet") }

func (l *line) undecryptable(e *events.UndecryptableMessage) { panic("not yet") }

func (l *line) mediaRetried(e *events.MediaRetry) { panic("not yet") }

// Fetch implements gateway.Fetcher.
func (c *Channel) Fetch(ctx context.Context, ref string, most int64) ([]byte, error) {
	panic("not yet")
}
