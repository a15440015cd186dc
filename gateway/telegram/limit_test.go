package telegram

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
)

func TestLimiter(t *testing.T) {
	type step struct {
		after time.Duration // since the step before
		do    string        // draft, edit, typing, send or pause
		wait  time.Duration // how long it is too early
	}
	const s, ms = time.Second, time.Millisecond
	tests := []struct {
		name  string
		chat  nacre.ChatID
		steps []step
	}{
		{"drafts", "5", []step{{0, "draft", 0}, {100 * ms, "draft", 400 * ms}, {400 * ms, "draft", 0}}},
		{"edits", "5", []step{{0, "edit", 0}, {s, "edit", 500 * ms}, {500 * ms, "edit", 0}}},
		{"typing", "5", []step{{0, "typing", 0}, {3 * s, "typing", s}, {s, "typing", 0}}},
		{"one budget", "5", []step{{0, "typing", 0}, {s, "edit", 500 * ms}, {500 * ms, "edit", 0}, {s, "typing", 3 * s}, {0, "draft", 0}}},
		{"refused ones cost nothing", "5", []step{{0, "edit", 0}, {s, "edit", 500 * ms}, {400 * ms, "edit", 100 * ms}, {100 * ms, "edit", 0}}},
		{"messages go at once", "5", []step{{0, "edit", 0}, {0, "send", 0}, {0, "send", 0}}},
		{"messages are noticed", "5", []step{{0, "send", 0}, {s, "edit", 500 * ms}, {0, "draft", 0}}},
		{"typing begins anew after a message", "5", []step{{0, "typing", 0}, {s, "send", 0}, {s, "typing", 500 * ms}, {500 * ms, "typing", 0}}},
		{"group", "-5", []step{{0, "edit", 0}, {2 * s, "edit", s}, {s, "edit", 0}, {2 * s, "send", 0}, {2 * s, "typing", s}, {s, "typing", 0}}},
		{"pause", "5", []step{{0, "pause", 0}, {s, "send", 8 * s}, {0, "typing", 8 * s}, {8 * s, "send", 0}}},
	}
	every := map[string]time.Duration{"draft": draftEvery, "edit": editEvery, "typing": typingEvery}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var l limiter
				for i, step := range test.steps {
					time.Sleep(step.after)
					var err error
					switch step.do {
					case "send":
						err = l.send(test.chat)
					case "pause":
						l.pause(test.chat, 9*s)
					default:
						err = l.show(test.chat, every[step.do])
					}
					if got := nacre.RetryAfter(err); got != step.wait || (err != nil) != (step.wait > 0) {
						t.Errorf("step %d, %s: %v, %v early, want %v", i, step.do, err, got, step.wait)
					}
					if err != nil && nacre.KindOf(err) != nacre.Transient {
						t.Errorf("step %d: %v is %v", i, err, nacre.KindOf(err))
					}
				}
			})
		})
	}
}

func TestLimiterForgetsChatsAtRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l limiter
		l.pause("busy", 24*time.Hour)
		for i := range 10000 {
			l.show(nacre.ChatID(fmt.Sprint(i)), typingEvery)
			time.Sleep(time.Second)
		}
		if n := len(l.chats); n > 100 {
			t.Errorf("%d chats are kept", n)
		}
		if err := l.send("busy"); err == nil {
			t.Error("a pause was forgotten")
		}
	})
}

func BenchmarkLimiter(b *testing.B) {
	var l limiter
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if l.send(nacre.ChatID([]string{"1001", "1002", "1003"}[i%3])) != nil {
			b.Fatal("held up")
		}
	}
}
