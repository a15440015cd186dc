package whatsapp

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/socket"
	"go.mau.fi/whatsmeow/types"

	"nacre"
	"nacre/gateway"
)

// Codes with which WhatsApp refuses messages and queries. None is documented; see
// https://github.com/tulir/whatsmeow/issues/1074 and #379 there.
const (
	suspended = 402 // the account is banned for a time
	timedOut  = 408
	calmDown  = 420 // of unknown meaning; passes
	tooMuch   = 429
	noOpening = 463 // the account may not begin a chat with this person
	malformed = 479 // the message is malformed; seen of good ones while keys are exchanged
)

// errMalformed marks a message that WhatsApp calls malformed.
var errMalformed = errors.New("malformed")

// failed is the error for the gateway of a send that failed, and holds back what
// would be refused too. The library's words are not in it, since they name people.
func (l *line) failed(ctx context.Context, to types.JID, err error) error {
	switch code := ackCode(err); {
	case code == suspended, queryCode(err) == suspended:
		l.notice(ctx, suspendedNotice)
		return &nacre.Error{Kind: nacre.Transient, Text: "WhatsApp: the account is banned for a time", After: l.brakes.suspend(), Err: err}
	case code == tooMuch, queryCode(err) == tooMuch:
		l.notice(ctx, tooMuchNotice)
		return &nacre.Error{Kind: nacre.Transient, Text: "WhatsApp: the account sends too much", After: l.brakes.pauseAll(), Err: err}
	case code == noOpening:
		l.notice(ctx, noOpeningNotice)
		return &nacre.Error{Kind: nacre.Transient, Text: "WhatsApp: the account may not write to this person now", After: l.brakes.pauseChat(to), Err: err}
	case code == 401, code == 403, code == 404, unknown(err):
		return &nacre.Error{Kind: nacre.NotFound, Text: "WhatsApp: there is no such chat for this account", Err: err}
	case code == malformed:
		return &nacre.Error{Kind: nacre.Transient, Text: "WhatsApp: the message was refused, code 479", Err: fmt.Errorf("%w: %w", errMalformed, err)}
	case code == timedOut, code == calmDown:
		return &nacre.Error{Kind: nacre.Transient, Text: fmt.Sprintf("WhatsApp: the message was not taken now, code %d", code), Err: err}
	case code >= 400 && code < 500:
		return &nacre.Error{Kind: nacre.Invalid, Text: fmt.Sprintf("WhatsApp: the message was refused, code %d", code), Err: err}
	case code != 0, unwritten(err):
		return &nacre.Error{Kind: nacre.Transient, Text: "WhatsApp: the message was not taken", Err: err}
	}
	return unsure(err)
}

// unsure is a send whose outcome is not known. It is tried again for as long as that
// lasts, since the phones show a message with the same id once.
func unsure(err error) error {
	return &nacre.Error{Kind: nacre.Transient, Text: "WhatsApp: " + gateway.ErrUnsure.Error(), Err: fmt.Errorf("%w: %w", gateway.ErrUnsure, err)}
}

// notUploaded is the error for the gateway of an upload that failed.
func (l *line) notUploaded(ctx context.Context, err error) error {
	if queryCode(err) == tooMuch {
		return l.failed(ctx, types.EmptyJID, err)
	}
	return &nacre.Error{Kind: nacre.Transient, Text: "WhatsApp: the file was not uploaded", Err: err}
}

// ackCode is the code with which the server refused a message; 0 if it did not. The
// library tells it in words only.
func ackCode(err error) int {
	if !errors.Is(err, whatsmeow.ErrServerReturnedError) {
		return 0
	}
	words := err.Error()
	code, _ := strconv.Atoi(words[strings.LastIndexByte(words, ' ')+1:])
	return code
}

// queryCode is the code with which the server refused a query that goes before a
// message; 0 if it did not.
func queryCode(err error) int {
	if refused, ok := errors.AsType[*whatsmeow.IQError](err); ok {
		return refused.Code
	}
	return 0
}

// unknown reports whether a send failed because WhatsApp knows no such person, or no
// such group with us in it.
func unknown(err error) bool {
	return errors.Is(err, whatsmeow.ErrGroupNotFound) || errors.Is(err, whatsmeow.ErrNotInGroup) ||
		errors.Is(err, whatsmeow.ErrUnknownServer) || strings.Contains(err.Error(), "no LID found")
}

// unwritten reports whether it is certain that a message was not written to the
// server: a query that goes before it failed, or there was no connection.
func unwritten(err error) bool {
	if queryCode(err) != 0 {
		return true
	}
	for _, before := range []error{whatsmeow.ErrIQTimedOut, whatsmeow.ErrIQDisconnected, whatsmeow.ErrNotLoggedIn} {
		if errors.Is(err, before) {
			return true
		}
	}
	for _, closed := range []error{whatsmeow.ErrNotConnected, socket.ErrSocketClosed} {
		if errors.Is(err, closed) {
			return err != closed // bare, it is about the library's second try of what it had written
		}
	}
	return false
}
