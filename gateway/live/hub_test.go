package live

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/gateway"
	"nacre/gateway/gatewaytest"
)

var (
	ours   = nacre.Chat{Channel: nacre.Web, ID: "ours"}
	theirs = nacre.Chat{Channel: nacre.Web, ID: "theirs"}
)

// running is a Hub that runs, with the parts that are being sent.
type running struct {
	*Hub[string]
	t    *testing.T
	host *gatewaytest.Host
	stop func() // ends Run and waits for that
}

func run(t *testing.T) *running {
	h := &running{NewHub("guest", "ready", slog.New(slog.DiscardHandler)), t, gatewaytest.NewHost(), nil}
	h.stop = h.start(h.host)
	t.Cleanup(h.stop)
	synctest.Wait()
	return h
}

func (h *running) start(host gateway.Host) (stop func()) {
	ctx, cancel := context.WithCancel(h.t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := h.Run(ctx, host); err != nil {
			h.t.Errorf("Run returned %v", err)
		}
	}()
	return func() { cancel(); <-ended }
}

// guest is a client whose connection is in the test's hands.
type guest struct {
	*Client[string]
	t    *testing.T
	hung chan struct{} // closed when the connection is
	got  chan string   // closed when the client is served no more
}

func (g *guest) Close() error { close(g.hung); return nil }

// open attaches a guest and takes its first frame.
func (h *running) open(chat nacre.Chat, login string) *guest {
	h.t.Helper()
	g := &guest{t: h.t, hung: make(chan struct{}), got: make(chan string, 2*Queue)}
	c, err := h.Attach(chat, login, g)
	if err != nil {
		h.t.Fatal(err)
	}
	g.Client = c
	go func() {
		defer close(g.got)
		c.Serve(func() error { <-g.hung; return nil }, g.write)
	}()
	g.want("ready")
	return g
}

func (g *guest) write() {
	for {
		select {
		case f := <-g.Out():
			g.got <- f
		case <-g.Gone():
			return
		}
	}
}

func (g *guest) want(want string) {
	g.t.Helper()
	if got, ok := <-g.got; got != want {
		g.t.Fatalf("got the frame %q (attached: %v), want %q", got, ok, want)
	}
}

// wantNone checks that no frame comes, and that the guest is there to get one.
func (g *guest) wantNone() {
	g.t.Helper()
	synctest.Wait()
	select {
	case f, ok := <-g.got:
		g.t.Fatalf("got the frame %q (attached: %v), want none", f, ok)
	default:
	}
}

func (g *guest) wantEnd() {
	g.t.Helper()
	if f, ok := <-g.got; ok {
		g.t.Fatalf("got the frame %q, want the end", f)
	}
}

// leave ends the connection from the guest's side.
func (g *guest) leave() { g.drop() }

// send begins to send a part to our chat.
func (h *running) send(ctx context.Context, id nacre.DeliveryID) <-chan error {
	sent := make(chan error, 1)
	go func() {
		got, err := h.Send(ctx, nacre.Delivery{ID: id, Chat: ours}, "part "+string(id), ShowWait)
		if err == nil && string(got) != string(id) {
			h.t.Errorf("Send returned the id %q for %q", got, id)
		}
		sent <- err
	}()
	synctest.Wait()
	return sent
}

func bubble(t *testing.T, test func(*testing.T, *running)) {
	synctest.Test(t, func(t *testing.T) { test(t, run(t)) })
}

func TestTheFirstToShowCounts(t *testing.T) {
	bubble(t, func(t *testing.T, h *running) {
		one, two, other := h.open(ours, ""), h.open(ours, ""), h.open(theirs, "")
		synctest.Wait()
		if got := h.host.Flushed(); !slices.Equal(got, []nacre.Chat{ours, ours, theirs}) {
			t.Errorf("flushed %v, want each chat when somebody comes", got)
		}
		sent := h.send(t.Context(), "1")
		one.want("part 1")
		two.want("part 1")
		other.Shown("1")
		two.Shown("2")
		synctest.Wait()
		if len(sent) > 0 {
			t.Fatalf("Send returned %v before the part was shown", <-sent)
		}
		two.Shown("1")
		if err := <-sent; err != nil {
			t.Errorf("Send: %v", err)
		}
		one.Shown("1") // late, and no harm
		other.wantNone()
	})
}

func TestSendFindsWhoComesMeanwhile(t *testing.T) {
	bubble(t, func(t *testing.T, h *running) {
		h.open(ours, "")
		sent := h.send(t.Context(), "1")
		other, late := h.open(theirs, ""), h.open(ours, "")
		late.want("part 1")
		late.Shown("1")
		if err := <-sent; err != nil {
			t.Errorf("Send: %v", err)
		}
		other.wantNone()
		h.open(ours, "").wantNone() // it is no longer on its way
	})
}

func TestSendIsAwayWhenAllLeave(t *testing.T) {
	bubble(t, func(t *testing.T, h *running) {
		if err := <-h.send(t.Context(), "1"); !errors.Is(err, gateway.ErrAway) {
			t.Errorf("Send to nobody returned %v", err)
		}
		one, two := h.open(ours, ""), h.open(ours, "")
		h.open(theirs, "")
		sent := h.send(t.Context(), "1")
		one.leave()
		synctest.Wait()
		if len(sent) > 0 {
			t.Fatalf("Send returned %v while somebody was there", <-sent)
		}
		two.leave()
		if err := <-sent; !errors.Is(err, gateway.ErrAway) {
			t.Errorf("Send to guests who left returned %v", err)
		}
		begin := time.Now()
		if err := <-h.send(t.Context(), "2"); !errors.Is(err, gateway.ErrAway) || time.Since(begin) > 0 {
			t.Errorf("Send when all had left returned %v after %v", err, time.Since(begin))
		}
	})
}

func TestSendEndsWithItsContext(t *testing.T) {
	bubble(t, func(t *testing.T, h *running) {
		g := h.open(ours, "")
		ctx, cancel := context.WithCancel(t.Context())
		sent := h.send(ctx, "1")
		g.want("part 1")
		if len(sent) > 0 {
			t.Fatalf("Send returned %v before its context ended", <-sent)
		}
		cancel()
		if err := <-sent; nacre.KindOf(err) != nacre.Transient || !errors.Is(err, context.Canceled) {
			t.Errorf("Send returned %v, want a Transient error", err)
		}
		g.wantNone() // it was not dropped for that
	})
}

func TestWhoShowsNothingIsDropped(t *testing.T) {
	bubble(t, func(t *testing.T, h *running) {
		g, other := h.open(ours, ""), h.open(theirs, "")
		begin, sent := time.Now(), h.send(t.Context(), "1")
		g.want("part 1")
		if err := <-sent; !errors.Is(err, gateway.ErrAway) || time.Since(begin) != ShowWait {
			t.Errorf("Send returned %v after %v, want %v", err, time.Since(begin), ShowWait)
		}
		g.wantEnd()
		other.wantNone()
	})
}

func TestTold(t *testing.T) {
	bubble(t, func(t *testing.T, h *running) {
		one, two, other := h.open(ours, ""), h.open(ours, ""), h.open(theirs, "")
		one.Tell("to both")
		one.TellOthers("to the other")
		h.Tell(ours, "from outside")
		h.Hint(ours, "hint")
		for _, want := range []string{"to both", "from outside", "hint"} {
			one.want(want)
		}
		for _, want := range []string{"to both", "to the other", "from outside", "hint"} {
			two.want(want)
		}
		other.wantNone()
	})
}

func TestLogoutDropsWhoCameWithTheLogin(t *testing.T) {
	bubble(t, func(t *testing.T, h *running) {
		one, two, stays := h.open(ours, "a"), h.open(theirs, "a"), h.open(ours, "b")
		h.Logout("a")
		one.wantEnd()
		two.wantEnd()
		stays.wantNone()
	})
}

func TestState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		want := func(h *Hub[string], wantOK bool, want string) {
			t.Helper()
			synctest.Wait()
			if ok, words := h.State(); ok != wantOK || words != want {
				t.Errorf("State says %v %q, want %v %q", ok, words, wantOK, want)
			}
		}
		want(NewHub("guest", "", slog.New(slog.DiscardHandler)), false, "not started")
		h := run(t)
		want(h.Hub, true, "no guest is open")
		one := h.open(ours, "")
		want(h.Hub, true, "1 guest is open")
		h.open(theirs, "")
		want(h.Hub, true, "2 guests are open")
		one.leave()
		want(h.Hub, true, "1 guest is open")
		h.stop()
		want(h.Hub, false, "stopped")
	})
}

func TestAttachWaitsForRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := NewHub("guest", "ready", slog.New(slog.DiscardHandler))
		begin := time.Now()
		_, err := h.Attach(ours, "", nil)
		wantRefused(t, err, "Nacre is still starting; try again in a moment.")
		if got := time.Since(begin); got != StartWait {
			t.Errorf("refused after %v, want %v", got, StartWait)
		}
		r := &running{Hub: h, t: t}
		time.AfterFunc(StartWait-time.Second, func() { h.Run(t.Context(), gatewaytest.NewHost()) })
		g := r.open(ours, "")
		g.leave()
		g.wantEnd()
	})
}

func TestNobodyAttachesAfterRun(t *testing.T) {
	bubble(t, func(t *testing.T, h *running) {
		g := h.open(ours, "")
		h.stop()
		g.wantEnd()
		_, err := h.Attach(ours, "", nil)
		wantRefused(t, err, "Nacre is stopping; try again when it has started anew.")
	})
}

func wantRefused(t *testing.T, err error, text string) {
	t.Helper()
	if nacre.KindOf(err) != nacre.Transient || err.Error() != text {
		t.Errorf("Attach returned %v, want a Transient error: %s", err, text)
	}
}

// Somebody who is no client uses the host as clients do: when it is there, and Run
// waits until they have done.
func TestCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		early := NewHub("guest", "", slog.New(slog.DiscardHandler))
		begin := time.Now()
		err := early.Call(func(gateway.Host) error { t.Error("called without a host"); return nil })
		wantRefused(t, err, "Nacre is still starting; try again in a moment.")
		if got := time.Since(begin); got != StartWait {
			t.Errorf("refused after %v, want %v", got, StartWait)
		}

		h := run(t)
		for _, want := range []error{nil, errors.New("why")} {
			if got := h.Call(func(host gateway.Host) error {
				if host != h.host {
					t.Error("another host is called")
				}
				return want
			}); got != want {
				t.Errorf("Call returned %v, want %v", got, want)
			}
		}
		begin, done := time.Now(), false
		go h.Call(func(gateway.Host) error { time.Sleep(time.Minute); done = true; return nil })
		synctest.Wait()
		h.stop()
		if got := time.Since(begin); got != time.Minute || !done {
			t.Errorf("Run ended after %v, want it to wait for the call", got)
		}
		wantRefused(t, h.Call(func(gateway.Host) error { return nil }), "Nacre is stopping; try again when it has started anew.")
	})
}
