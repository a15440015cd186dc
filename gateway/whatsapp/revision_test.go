package whatsapp

import (
	"testing"
	"time"

	"go.mau.fi/whatsmeow/types/events"

	"nacre/gateway/gatewaytest/wadouble"
)

func TestRevisions(t *testing.T) {
	message := revised{external: "ID"}
	tests := []struct {
		name    string
		message revised
		edit    string
		natural int64
		want    int64
	}{
		{"the first", message, "A", 10, 10},
		{"again", message, "A", 10, 10},
		{"in the same second", message, "B", 10, 11},
		{"again", message, "B", 10, 11},
		{"in the next", message, "C", 11, 12},
		{"later", message, "D", 20, 20},
		{"an older one, which comes late", message, "E", 15, 15},
		{"of another message", revised{external: "OTHER"}, "F", 20, 20},
		{"of another chat's", revised{chatOf(adaLID), "ID"}, "G", 20, 20},
	}
	var all revisions
	for _, tt := range tests {
		if got := all.of(tt.message, tt.edit, tt.natural); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

// Of what happens to a message within a second nothing vanishes.
func TestEditsInASecond(t *testing.T) {
	l := newListener(t, false)
	now := time.Now()
	for _, e := range []*events.Message{
		from(bobLID, bobPN, "ID", say("one")), from(bobLID, bobPN, "A", wadouble.Edit("ID", say("two"))),
		from(bobLID, bobPN, "B", wadouble.Edit("ID", say("three"))), from(bobLID, bobPN, "C", wadouble.Revoke("ID")),
	} {
		e.RawMessage, e.Info.Timestamp = e.Message, now
		l.hears(t, e.UnwrapRaw())
	}
	if got := l.texts(); got != "one|two|three|"+takenBack {
		t.Errorf("stored %q", got)
	}
	last := int64(-1)
	for _, m := range l.host.Messages() {
		if m.Revision <= last {
			t.Errorf("revision %d after %d", m.Revision, last)
		}
		last = m.Revision
	}
}
