package gatewaytest

import (
	"errors"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
)

func TestPipeNet(t *testing.T) {
	inBubble(t, func(t *testing.T, b *bot) {
		if r := b.call("getMe", ""); !r.OK {
			t.Fatalf("getMe: %+v", r)
		}
		if r := b.call("getMe", ""); !r.OK || b.net.Dials() != 1 {
			t.Errorf("getMe: %+v, over %d connections", r, b.net.Dials())
		}
		b.net.Refuse(true)
		if r := b.call("getMe", ""); !r.OK {
			t.Errorf("the open connection does not work any more: %+v", r)
		}
		b.net.Cut()
		synctest.Wait()
		if _, _, err := b.post(t.Context(), "getMe", ""); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("a refused connection gave %v", err)
		}
		b.net.Refuse(false)
		if r := b.call("getMe", ""); !r.OK {
			t.Errorf("afterwards getMe: %+v", r)
		}
	})
}

func TestCutEndsWhatIsInFlight(t *testing.T) {
	inBubble(t, func(t *testing.T, b *bot) {
		ended := make(chan error)
		go func() {
			_, _, err := b.post(t.Context(), "getUpdates", "timeout=50")
			ended <- err
		}()
		time.Sleep(time.Second)
		b.net.Cut()
		if err := <-ended; err == nil {
			t.Error("a poll over a cut connection was answered")
		}
	})
}

func TestHost(t *testing.T) {
	h := NewHost()
	one := nacre.Message{External: "1"}
	edit := nacre.Message{External: "1", Revision: 5}
	two := nacre.Message{External: "2"}
	errFull := errors.New("full")
	h.Fail(errFull)
	if err := h.Receive(t.Context(), []nacre.Message{one}); err != errFull || len(h.Messages()) != 0 {
		t.Errorf("Receive = %v, kept %v", err, h.Messages())
	}
	h.Fail(nil)
	for range 2 {
		if err := h.Receive(t.Context(), []nacre.Message{one, edit, two}); err != nil {
			t.Error(err)
		}
	}
	got, err := h.Wait(t.Context(), 3)
	if err != nil || len(got) != 3 || got[1].Revision != 5 || got[2].External != "2" {
		t.Errorf("kept %v, %v", got, err)
	}
	if h.Offers() != 3 {
		t.Errorf("%d offers, want 3", h.Offers())
	}
	h.Flush(nacre.Chat{ID: "5"})
	if got := h.Flushed(); len(got) != 1 || got[0].ID != "5" {
		t.Errorf("flushed %v", got)
	}
}
