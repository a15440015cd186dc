package whatsapp

import (
	"context"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/types/events"

	"nacre/gateway"
)

// line is one client of the linked account while it is connected.
type line struct {
	*Channel
	client *whatsmeow.Client
	host   gateway.Host
	life   context.Context // ends with the connection
}

// handle takes an event of the library. False means that it is not handled: the
// network keeps it and brings it again after a new connection. The library takes a
// handler that panics for one that succeeded, so none may.
func (l *line) handle(event any) (handled bool) {
	switch e := event.(type) {
	case *events.Message:
		return l.receive(e)
	case *events.UndecryptableMessage:
		l.undecryptable(e)
	case *events.MediaRetry:
		l.mediaRetried(e)
	case *events.Receipt:
		l.follow(e)
	case *events.NotifyAccountReachoutTimelock:
		l.locked(e)
	}
	return true
}
