package gateway

import (
	"testing"
	"time"
)

func TestPacerForgetsWhoRests(t *testing.T) {
	p := pacer[int]{burst: 2, every: time.Second}
	now := time.Now()
	for who := range 10_000 {
		p.take(who, now)
		now = now.Add(time.Second / 10)
	}
	if len(p.whole) > 64 {
		t.Errorf("%d are remembered, of whom %d did something in the last second", len(p.whole), 10)
	}
	now = now.Add(time.Minute)
	for i, want := range []time.Duration{0, 0, time.Second, time.Second} {
		if wait := p.take(-1, now); wait != want {
			t.Errorf("try %d waits for %v, want %v", i+1, wait, want)
		}
	}
}
