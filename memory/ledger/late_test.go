package ledger_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"nacre"
	"nacre/memory/ledger"
)

// late is a message of a private chat that came 20 hours after it was sent.
func late(o nacre.OwnerID, external string) nacre.Inbound {
	m := message(o, "1001", external, "call the plumber")
	m.Message.Late, m.Message.Quiet, m.Message.Sent = true, true, time.Now().Add(-20*time.Hour)
	return m
}

// saidOfLate is what is said now of late messages: how many, for each chat.
func saidOfLate(t *testing.T, l *ledger.Ledger) (said []string) {
	t.Helper()
	ds, err := l.SpeakOfLate(ctx, func(s nacre.SessionInfo, count int, first, last time.Time) nacre.RenderedReply {
		text := fmt.Sprintf("%s: %d within %v", s.Chat.ID, count, last.Sub(first).Round(time.Hour))
		return nacre.RenderedReply{ID: nacre.ReplyID(nacre.NewID(time.Now())), Chat: s.Chat, Parts: []nacre.Part{{Text: text}}}
	})
	must(t, err)
	for _, d := range ds {
		said = append(said, d.Part.Text)
	}
	return said
}

// Late messages are spoken of once, whichever process does it, and the line waits to
// be sent from then on.
func TestLateMessagesAreSpokenOfOnce(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	o := owners(t, l, "1001", "1002")
	earlier, other := late(o[0], "2"), late(o[1], "3")
	earlier.Message.Sent = earlier.Message.Sent.Add(-4 * time.Hour)
	other.Message.Chat.ID = "1002"
	put(t, l, late(o[0], "1"), earlier, late(o[0], "1"), other)
	l = open(t, killed(t, dir))
	if got, want := saidOfLate(t, l), []string{"1001: 2 within 4h0m0s", "1002: 1 within 0s"}; !slices.Equal(slices.Sorted(slices.Values(got)), want) {
		t.Errorf("said %q, want %q", got, want)
	}
	if left, err := l.Undelivered(ctx); err != nil || len(left) != 2 {
		t.Errorf("waiting to be sent: %+v, %v", left, err)
	}
	put(t, l, late(o[0], "2")) // the network offers it again
	if got := saidOfLate(t, l); len(got) != 0 {
		t.Errorf("said again: %q", got)
	}
	put(t, l, late(o[0], "9"))
	if got := saidOfLate(t, l); !slices.Equal(got, []string{"1001: 1 within 0s"}) {
		t.Errorf("of one more is said %q", got)
	}
}

func TestWhatIsNotSaidOfLateMessagesIsLeft(t *testing.T) {
	l := open(t, t.TempDir())
	put(t, l, late(owners(t, l, "1001")[0], "1"))
	ds, err := l.SpeakOfLate(ctx, func(s nacre.SessionInfo, _ int, _, _ time.Time) nacre.RenderedReply {
		return nacre.RenderedReply{Chat: s.Chat} // the channel is not running
	})
	if err != nil || len(ds) != 0 {
		t.Errorf("said %+v, %v", ds, err)
	}
	if got := saidOfLate(t, l); len(got) != 1 {
		t.Errorf("afterwards is said %q", got)
	}
}

// The line goes to where the chat goes on.
func TestLateMessagesMoveWithTheirChat(t *testing.T) {
	for _, known := range []bool{false, true} {
		l := open(t, t.TempDir())
		o := owners(t, l, "1001")[0]
		m := late(o, "1")
		m.Message.Chat = byNumber
		put(t, l, m)
		if known {
			put(t, l, in(o, byLID, "2", "hello"))
		}
		must(t, l.MoveChat(ctx, byNumber, byLID))
		if got := saidOfLate(t, l); !slices.Equal(got, []string{string(byLID.ID) + ": 1 within 0s"}) {
			t.Errorf("known before %v: said %q", known, got)
		}
	}
}
