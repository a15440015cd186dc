package gateway

import (
	"testing"
	"time"
)

func TestBackoffGrowsToItsCap(t *testing.T) {
	b := Backoff{First: time.Second, Most: 8 * time.Second}
	for i, want := range []time.Duration{1, 2, 4, 8, 8, 8} {
		want *= time.Second
		if got := b.Wait(); got < want || got > want*5/4 {
			t.Errorf("wait %d is %v, want %v and at most a quarter more", i, got, want)
		}
	}
	b.Reset()
	if got := b.Wait(); got > 1250*time.Millisecond {
		t.Errorf("after a success the wait is %v", got)
	}
}
