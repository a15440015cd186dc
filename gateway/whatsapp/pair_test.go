package whatsapp

import (
	"testing"
	"testing/synctest"
	"time"

	"go.mau.fi/whatsmeow/types/events"
)

// TestPairingIsDoneInEitherOrder holds because the library says the two things from
// two goroutines.
func TestPairingIsDoneInEitherOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, order := range [][]any{
			{&events.PairSuccess{}, &events.ManualLoginReconnect{}},
			{&events.ManualLoginReconnect{}, &events.PairSuccess{}},
		} {
			p := &pairing{timer: time.NewTimer(time.Hour)}
			for i, event := range order {
				if done, err := p.take(event); done != (i == 1) || err != nil {
					t.Errorf("after %T: done %v, error %v", event, done, err)
				}
			}
		}
	})
}

func TestDialable(t *testing.T) {
	for _, c := range []struct{ phone, want string }{
		{"", ""},
		{"+1 (555) 000-0001", "15550000001"},
		{"15550000001", "15550000001"},
		{"+49.30/555 0001", "49305550001"},
	} {
		if got, err := dialable(c.phone); got != c.want || err != nil {
			t.Errorf("dialable(%q) = %q, %v; want %q", c.phone, got, err, c.want)
		}
	}
	for _, phone := range []string{"+", " ", "0555000001", "123456", "1234567890123456", "+1 555 CALL ME", "１２３４５６７８"} {
		if got, err := dialable(phone); err == nil {
			t.Errorf("dialable(%q) = %q, want an error", phone, got)
		}
	}
}
