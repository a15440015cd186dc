package whatsapp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/socket"

	"nacre"
	"nacre/gateway"
)

func TestFailed(t *testing.T) {
	ack := func(code int) error { return fmt.Errorf("%w %d", whatsmeow.ErrServerReturnedError, code) }
	query := func(err error) error {
		return fmt.Errorf("failed to get device list: failed to send usync query: %w", err)
	}
	write := func(err error) error { return fmt.Errorf("failed to send message node: %w", err) }
	tests := []struct {
		name   string
		err    error
		kind   nacre.Kind
		unsure bool
		after  time.Duration
	}{
		{"too much", ack(429), nacre.Transient, false, time.Minute},
		{"too many queries", query(&whatsmeow.IQError{Code: 429, Text: "rate-overlimit"}), nacre.Transient, false, time.Minute},
		{"no opening", ack(463), nacre.Transient, false, time.Hour},
		{"forbidden", ack(403), nacre.NotFound, false, 0},
		{"not found", ack(404), nacre.NotFound, false, 0},
		{"no such number", errors.New("no LID found for 15550000009@s.whatsapp.net from server"), nacre.NotFound, false, 0},
		{"not in the group", fmt.Errorf("failed to get group members: %w", whatsmeow.ErrNotInGroup), nacre.NotFound, false, 0},
		{"banned for a time", ack(402), nacre.Transient, false, time.Hour},
		{"too slow", ack(408), nacre.Transient, false, 0},
		{"not now", ack(420), nacre.Transient, false, 0},
		{"malformed", ack(479), nacre.Transient, false, 0},
		{"bad request", ack(400), nacre.Invalid, false, 0},
		{"server's own failure", ack(500), nacre.Transient, false, 0},
		{"query failed", query(&whatsmeow.IQError{Code: 503, Text: "service-unavailable"}), nacre.Transient, false, 0},
		{"query dropped", query(&whatsmeow.DisconnectedError{Action: "info query"}), nacre.Transient, false, 0},
		{"query unanswered", query(whatsmeow.ErrIQTimedOut), nacre.Transient, false, 0},
		{"no connection", write(whatsmeow.ErrNotConnected), nacre.Transient, false, 0},
		{"closed before", write(socket.ErrSocketClosed), nacre.Transient, false, 0},
		{"not logged in", whatsmeow.ErrNotLoggedIn, nacre.Transient, false, 0},
		{"cut off while writing", write(context.Canceled), nacre.Transient, true, 0},
		{"dropped", &whatsmeow.DisconnectedError{Action: "message send"}, nacre.Transient, true, 0},
		{"no connection for a second try", whatsmeow.ErrNotConnected, nacre.Transient, true, 0},
		{"no answer", whatsmeow.ErrMessageTimedOut, nacre.Transient, true, 0},
		{"no time for an answer", context.DeadlineExceeded, nacre.Transient, true, 0},
		{"something else", errors.New("who knows"), nacre.Transient, true, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := &line{Channel: New(Options{})}
			err := l.failed(t.Context(), lidOf("1"), tt.err)
			if nacre.KindOf(err) != tt.kind || errors.Is(err, gateway.ErrUnsure) != tt.unsure || nacre.RetryAfter(err).Round(time.Second) != tt.after {
				t.Errorf("%q: kind %v, unsure %v, after %v", err, nacre.KindOf(err), errors.Is(err, gateway.ErrUnsure), nacre.RetryAfter(err))
			}
			if !errors.Is(err, tt.err) || strings.Contains(err.Error(), "1555") {
				t.Errorf("%q has lost its cause or tells a number", err)
			}
		})
	}
}
