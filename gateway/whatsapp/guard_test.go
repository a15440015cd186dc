package whatsapp

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"nacre"
	"nacre/gateway/gatewaytest"
)

// stumbler is a Host that panics over a text.
type stumbler struct {
	*gatewaytest.Host
	over string
	most int32 // how often; less than 0: always
	done atomic.Int32
}

func (s *stumbler) Receive(ctx context.Context, messages []nacre.Message) error {
	for _, m := range messages {
		if m.Text() == s.over && (s.most < 0 || s.done.Load() < s.most) {
			s.done.Add(1)
			panic("over " + m.Text())
		}
	}
	return s.Host.Receive(ctx, messages)
}

func TestPanicBringsTheMessageAgain(t *testing.T) {
	for _, c := range []struct {
		name  string
		most  int32
		times int32
		want  []string
	}{
		{"once", 1, 1, []string{"one", "two 4711", "three"}},
		{"twice", 2, 2, []string{"one", "two 4711", "three"}},
		{"always", -1, mostPanics, []string{"one", "three"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(r *rig) {
				r.link()
				host := &stumbler{Host: r.host, over: "two 4711", most: c.most}
				r.runOn(host)
				r.after(5 * time.Second)
				for _, text := range []string{"one", "two 4711", "three"} {
					r.ann.Say(r.us.LID(), text)
				}
				r.after(time.Minute)
				r.wantTexts(c.want...)
				if n := host.done.Load(); n != c.times {
					t.Errorf("panicked %d times, want %d", n, c.times)
				}
				if n := r.us.Unacked(); n != 0 {
					t.Errorf("%d messages are not acknowledged", n)
				}
				log := r.log.String()
				if n := strings.Count(log, "handling an event panicked"); n != int(c.times) {
					t.Errorf("logged %d times", n)
				}
				if strings.Contains(log, "4711") {
					t.Error("the text is in the log")
				}
			})
		})
	}
}

func TestWhatCannotBeStoredComesAgainInOrder(t *testing.T) {
	connected(t, func(r *rig) {
		r.host.Fail(nacre.Errorf(nacre.Transient, "the disk is full"))
		for _, text := range []string{"one", "two", "three"} {
			r.ann.Say(r.us.LID(), text)
		}
		r.after(10 * time.Minute)
		if n := r.us.Unacked(); n != 3 {
			t.Errorf("%d messages are not acknowledged, want 3", n)
		}
		r.host.Fail(nil)
		r.ann.Say(r.us.LID(), "four")
		r.after(10 * time.Minute)
		r.wantTexts("one", "two", "three", "four")
		if n := r.us.Unacked(); n != 0 {
			t.Errorf("%d messages are not acknowledged", n)
		}
	})
}
