package whatsapp

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestBrakesDouble(t *testing.T) {
	tests := []struct {
		name string
		hold func(*brakes) time.Duration
		want []time.Duration
	}{
		{"account", (*brakes).pauseAll,
			[]time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 16 * time.Minute, 32 * time.Minute, time.Hour, time.Hour}},
		{"banned account", (*brakes).suspend,
			[]time.Duration{time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour, 16 * time.Hour, 24 * time.Hour, 24 * time.Hour}},
		{"chat", func(b *brakes) time.Duration { return b.pauseChat(lidOf("1")) },
			[]time.Duration{time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour, 16 * time.Hour, 24 * time.Hour, 24 * time.Hour}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var b brakes
				for i, want := range tt.want {
					if got := tt.hold(&b); got != want || b.left(lidOf("1")) != want {
						t.Errorf("hold %d is %v, left %v; want %v", i+1, got, b.left(lidOf("1")), want)
					}
					time.Sleep(want / 2)
					if got := tt.hold(&b); got != want/2 {
						t.Errorf("a refusal within hold %d made it %v, want %v", i+1, got, want/2)
					}
					time.Sleep(want / 2)
					if left := b.left(lidOf("1")); left != 0 {
						t.Errorf("after hold %d, %v are left", i+1, left)
					}
				}
				b.release(lidOf("1"))
				if got := tt.hold(&b); got != tt.want[0] {
					t.Errorf("after a success the hold is %v, want %v", got, tt.want[0])
				}
			})
		})
	}
}

func TestBrakesOfAChat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b brakes
		b.pauseChat(lidOf("1"))
		if left := b.left(lidOf("2")); left != 0 {
			t.Errorf("another chat is held back for %v", left)
		}
		if left := b.left(lidOf("1")); left != time.Hour {
			t.Errorf("the chat is held back for %v, want an hour", left)
		}
	})
}

func TestBrakesTellSeldom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b brakes
		if !b.tells("one") || b.tells("one") || !b.tells("two") {
			t.Error("want each notice once")
		}
		time.Sleep(tellEvery)
		if !b.tells("one") {
			t.Error("want the notice again after a day")
		}
	})
}
