package whatsapp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"syscall"
	"testing"

	waBinary "go.mau.fi/whatsmeow/binary"
	"go.mau.fi/whatsmeow/types"
)

func TestLibraryLogKeepsOnlyTheForm(t *testing.T) {
	person := types.NewJID("15550000002", types.DefaultUserServer)
	node := &waBinary.Node{Tag: "message", Content: "the gate code is 4711"}
	for _, c := range []struct {
		name string
		tell func(libraryLog)
		want string // empty if nothing is to be logged
	}{
		{"error", func(l libraryLog) { l.Errorf("Failed to store %s: %v", person, fmt.Errorf("no %s", person)) }, `level=WARN msg="the WhatsApp library reports" what="Failed to store …: …" cause=""`},
		{"fault of the system", func(l libraryLog) {
			l.Errorf("Error reading: %v", fmt.Errorf("from %s: %w", person, syscall.ECONNRESET))
		}, `cause="connection reset by peer"`},
		{"end that we made", func(l libraryLog) { l.Errorf("Error reading: %v", context.Canceled) }, `level=DEBUG`},
		{"warning", func(l libraryLog) { l.Warnf("Unknown %s from %-20s, %03d times", node, person, 7) }, `level=INFO msg="the WhatsApp library reports" what="Unknown … from …, … times"`},
		{"news", func(l libraryLog) { l.Infof("Paired %s", person) }, `level=DEBUG msg="the WhatsApp library reports" what="Paired …"`},
		{"stanza", func(l libraryLog) { l.Sub("Recv").Debugf("%s", node) }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			c.tell(libraryLog{slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))})
			if !strings.Contains(out.String(), c.want) || c.want == "" && out.Len() > 0 {
				t.Errorf("logged %q, want %q", out.String(), c.want)
			}
			for _, secret := range []string{"15550000002", "4711", "s.whatsapp.net"} {
				if strings.Contains(out.String(), secret) {
					t.Errorf("%s is in the log: %s", secret, out.String())
				}
			}
		})
	}
}

func TestCauseHoldsOnlyCodes(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("for 15550000002: %w", context.DeadlineExceeded), "timeout"},
		{fmt.Errorf("dial 15550000002: %w", syscall.ECONNREFUSED), "connection refused"},
		{errors.New("15550000002 is unknown"), ""},
		{nil, ""},
	} {
		if got := causeOf(c.err); got != c.want {
			t.Errorf("causeOf(%v) = %q, want %q", c.err, got, c.want)
		}
	}
}
