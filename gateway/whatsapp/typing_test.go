package whatsapp

import (
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
)

func TestTyping(t *testing.T) {
	play(t, false, func(p *scene) {
		chat := chatOf(p.ann.LID())
		if err := p.c.Typing(p.Context(), chat); err != nil {
			p.Fatalf("Typing = %v", err)
		}
		p.after(time.Second)
		if err := p.c.Typing(p.Context(), chat); nacre.KindOf(err) != nacre.Transient || nacre.RetryAfter(err) != typingEvery-time.Second {
			p.Errorf("a second later, Typing = %v, after %v", err, nacre.RetryAfter(err))
		}
		p.after(typingEvery)
		if err := p.c.Typing(p.Context(), chat); err != nil {
			p.Errorf("Typing = %v", err)
		}
		p.after(time.Second)
		got := p.ann.Typings()
		if len(got) != 2 || got[0].State != "composing" || got[0].From.User != p.us.LID().User {
			p.Errorf("ann was told %+v, want two signs", got)
		}
	})
}

func TestTypingWithOwnNumberShowsNothing(t *testing.T) {
	play(t, true, func(p *scene) {
		if err := p.c.Typing(p.Context(), chatOf(p.us.LID())); err != nil {
			p.Errorf("Typing = %v", err)
		}
		p.after(time.Minute)
		if got := p.us.Typings(); len(got) != 0 {
			p.Errorf("the phone was told %+v", got)
		}
	})
}

// TestTypesBeforeAPause has two messages, of which the second has to wait.
func TestTypesBeforeAPause(t *testing.T) {
	play(t, false, func(p *scene) {
		p.say("one", "one")
		p.after(0)
		if got := p.ann.Typings(); len(got) != 0 {
			p.Errorf("before the first message ann was told %+v", got)
		}
		began := time.Now()
		p.say("two", "two")
		if took := time.Since(began); took < leastGap || took >= mostGap {
			p.Errorf("the second message took %v", took)
		}
		if got := p.ann.Typings(); len(got) != 1 || got[0].At.Sub(began) >= leastGap {
			p.Errorf("before the second message ann was told %+v, want a sign at once", got)
		}
	})
}

func TestOnline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p presence
		said, left := 0, atomic.Int32{}
		for range 30 { // typing for four minutes
			if p.appear(func() { left.Add(1) }) {
				said++
			}
			time.Sleep(typingEvery)
		}
		if said != 4 || left.Load() != 0 {
			t.Errorf("in four minutes of typing said %d times to be online, and %d times not", said, left.Load())
		}
		time.Sleep(offlineTime)
		synctest.Wait()
		if left.Load() != 1 {
			t.Errorf("two minutes later, said %d times to be offline", left.Load())
		}
	})
}

// TestOnlineWhileTyping tells by the receipts for ann's messages what others see: who
// is not online takes them without being active.
func TestOnlineWhileTyping(t *testing.T) {
	play(t, false, func(p *scene) {
		p.online().client.Store.PushName = "Nacre"
		receipt := func() string {
			id := p.ann.Say(p.us.LID(), "hello")
			p.after(time.Second)
			for _, r := range p.ann.Receipts() {
				if slices.Contains(r.IDs, id) && r.Type != "read" {
					return "receipt " + r.Type
				}
			}
			return "none"
		}
		if got := receipt(); got != "receipt inactive" {
			p.Errorf("before typing, %q", got)
		}
		if err := p.c.Typing(p.Context(), chatOf(p.ann.LID())); err != nil {
			p.Fatalf("Typing = %v", err)
		}
		if got := receipt(); got != "receipt " {
			p.Errorf("while typing, %q", got)
		}
		p.after(offlineTime)
		if got := receipt(); got != "receipt inactive" {
			p.Errorf("after typing, %q", got)
		}
	})
}
