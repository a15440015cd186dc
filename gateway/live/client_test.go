package live

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/gateway"
)

// ask has a guest ask for something that the host says later, by a call.
func (g *guest) ask(name string, call func() error) {
	g.t.Helper()
	if !g.Ask(func() bool {
		err, ok := g.Insist(func(context.Context, gateway.Host) error { return call() })
		switch {
		case !ok:
		case err != nil:
			g.Send(Refusal(err, "the log says why"))
		default:
			g.Send("stored " + name)
		}
		return ok
	}) {
		g.t.Fatalf("%s was not asked, the guest is gone", name)
	}
}

func TestUnableHostIsAskedAgain(t *testing.T) {
	bubble(t, func(t *testing.T, h *running) {
		g := h.open(ours, "")
		begin := time.Now()
		var pauses []time.Duration
		g.ask("1", func() error {
			pauses = append(pauses, time.Since(begin))
			begin = time.Now()
			switch n := len(pauses); {
			case n == 9:
				return &nacre.Error{Kind: nacre.Transient, Text: "the disk is full", After: time.Minute}
			case n < 9:
				return nacre.Errorf(nacre.Transient, "the disk is full")
			}
			return nil
		})
		g.ask("2", func() error { return nil })
		g.want("stored 1")
		g.want("stored 2")
		var want []time.Duration
		for _, n := range []int{0, 1, 2, 4, 8, 16, 32, 50, 50, 600} {
			want = append(want, time.Duration(n)*firstRetry)
		}
		if !slices.Equal(pauses, want) {
			t.Errorf("the pauses were %v, want %v", pauses, want)
		}
	})
}

func TestRefusalsAreSentences(t *testing.T) {
	bubble(t, func(t *testing.T, h *running) {
		g := h.open(ours, "")
		for _, c := range []struct {
			name string
			err  error
			want string
		}{
			{"for a reason", errors.Join(errors.New("admit"), nacre.Errorf(nacre.Denied, "Not you.")), "Not you."},
			{"by a fault", errors.New("row 7: secret words"), "the log says why"},
			{"by a fault with a kind", nacre.Errorf(nacre.Internal, "row 7"), "the log says why"},
		} {
			calls := 0
			g.ask(c.name, func() error { calls++; return c.err })
			g.want(c.want)
			if calls != 1 {
				t.Errorf("%s: the host was asked %d times, want once", c.name, calls)
			}
		}
	})
}

func TestNothingOvertakesWhatCouldNotBeDone(t *testing.T) {
	bubble(t, func(t *testing.T, h *running) {
		g, other := h.open(ours, ""), h.open(ours, "")
		var done []string
		g.ask("1", func() error { return nacre.Errorf(nacre.Transient, "the disk is full") })
		g.ask("2", func() error { done = append(done, "2"); return nil })
		g.leave()
		g.wantEnd()
		other.ask("3", func() error { done = append(done, "3"); return nil })
		other.want("stored 3")
		if !slices.Equal(done, []string{"3"}) {
			t.Errorf("done: %q", done)
		}
	})
}

func TestLastWordsCount(t *testing.T) {
	bubble(t, func(t *testing.T, h *running) {
		g := h.open(ours, "")
		done := 0
		for range 3 {
			g.ask("", func() error { time.Sleep(time.Second); done++; return nil })
		}
		g.leave()
		g.wantEnd()
		if done != 3 {
			t.Errorf("%d of 3 requests of a guest who left were carried out", done)
		}
	})
}

func TestRunOutlastsTheUseOfItsHost(t *testing.T) {
	bubble(t, func(t *testing.T, h *running) {
		begin, done := time.Now(), false
		g := h.open(ours, "")
		g.ask("1", func() error { time.Sleep(time.Minute); done = true; return nil })
		synctest.Wait()
		h.stop()
		if got := time.Since(begin); got != time.Minute || !done {
			t.Errorf("Run returned after %v, want it to wait for the call", got)
		}
	})
}

func TestRunEndsInsisting(t *testing.T) {
	bubble(t, func(t *testing.T, h *running) {
		g := h.open(ours, "")
		calls := 0
		g.ask("1", func() error { calls++; return nacre.Errorf(nacre.Transient, "the disk is full") })
		synctest.Wait()
		begin := time.Now()
		h.stop()
		g.wantEnd()
		if time.Since(begin) > 0 || calls != 1 {
			t.Errorf("Run ended after %v and %d calls", time.Since(begin), calls)
		}
	})
}

func TestSlowGuestIsDroppedAndOthersAreNot(t *testing.T) {
	bubble(t, func(t *testing.T, h *running) {
		hung := make(chan struct{})
		slow, err := h.Attach(ours, "", closer(hung)) // and served by nobody who writes
		if err != nil {
			t.Fatal(err)
		}
		go slow.Serve(func() error { <-hung; return nil }, func() { <-slow.Gone() })
		quick := h.open(ours, "")
		for range 2 * Queue {
			h.Hint(ours, "hint") // nobody is dropped for what it missed
			quick.want("hint")
		}
		if _, words := h.State(); words != "2 guests are open" {
			t.Errorf("State says %q after hints", words)
		}
		quick.Tell("news")
		quick.want("news")
		<-hung
		synctest.Wait()
		if _, words := h.State(); words != "1 guest is open" {
			t.Errorf("State says %q, want the quick guest alone", words)
		}
	})
}

func TestWhoTakesNoFramesIsDropped(t *testing.T) {
	bubble(t, func(t *testing.T, h *running) {
		hung := make(chan struct{})
		broken, err := h.Attach(ours, "", closer(hung))
		if err != nil {
			t.Fatal(err)
		}
		if err := broken.Serve(func() error { <-hung; return errors.New("why") }, func() {}); err == nil || err.Error() != "why" {
			t.Errorf("Serve returned %v, want what read did", err)
		}
	})
}

type closer chan struct{}

func (c closer) Close() error { close(c); return nil }
