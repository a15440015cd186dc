package whatsapp

import (
	"testing"
	"testing/synctest"
	"time"

	"go.mau.fi/whatsmeow/types"
)

// sendAt takes slots one after the other, as sends in one chat do, and returns when
// each went.
func sendAt(p *pacer, to types.JID, n int) []time.Duration {
	began := time.Now()
	var at []time.Duration
	for range n {
		wait, _ := p.slot(to, time.Hour)
		time.Sleep(wait)
		at = append(at, time.Since(began))
	}
	return at
}

func TestPaceOfAChat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p pacer
		at := sendAt(&p, lidOf("1"), burst)
		if at[0] != 0 {
			t.Errorf("the first message waited %v", at[0])
		}
		gaps := map[time.Duration]bool{}
		for i := 1; i < len(at); i++ {
			gap := at[i] - at[i-1]
			gaps[gap] = true
			if gap < leastGap || gap >= mostGap {
				t.Errorf("%v between two messages of a burst", gap)
			}
		}
		if len(gaps) < 4 {
			t.Errorf("the gaps are alike: %v", gaps)
		}
		time.Sleep(time.Minute)
		if again := sendAt(&p, lidOf("1"), 1); again[0] != 0 {
			t.Errorf("after quiet a message waited %v", again[0])
		}
	})
}

func TestPaceOfTheAccount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p pacer
		began := time.Now()
		for i := range 68 {
			wait, _ := p.slot(lidOf(string(rune('a'+i))), time.Hour)
			if i < burst && wait != 0 {
				t.Errorf("message %d to another chat waited %v", i+1, wait)
			}
			time.Sleep(wait)
		}
		if took := time.Since(began); took != 60*messageEvery {
			t.Errorf("8 messages and 60 more took %v, want %v", took, 60*messageEvery)
		}
		if len(p.chats) > 64 {
			t.Errorf("%d chats are remembered", len(p.chats))
		}
	})
}

func TestPaceRefusesLongWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p pacer
		for range burst {
			p.slot(lidOf("1"), time.Hour)
		}
		full := p.full
		if wait, taken := p.slot(lidOf("2"), time.Second); taken || wait != messageEvery {
			t.Errorf("a slot in %v, taken %v; want it left", wait, taken)
		}
		if p.full != full {
			t.Error("a slot that was not taken counts")
		}
		if wait, taken := p.slot(lidOf("2"), messageEvery); !taken || wait != messageEvery {
			t.Errorf("a slot in %v, taken %v; want it taken", wait, taken)
		}
	})
}

func TestPaceKeepsHalfForMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p pacer
		shown := 0
		for i := range burst {
			if p.spare(lidOf(string(rune('a'+i)))) == 0 {
				shown++
			}
		}
		if shown < burst/2 || shown > burst/2+1 {
			t.Errorf("%d answers in the making were shown", shown)
		}
		if wait, _ := p.slot(lidOf("z"), 0); wait != 0 {
			t.Errorf("a message waited %v for answers in the making", wait)
		}
	})
}
