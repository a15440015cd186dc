package web

import (
	"bytes"
	"context"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
)

// Two requests with files are taken in at a time. Others wait for one of them, or are
// told to come back; those without files never wait.
func TestIntake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := talkRoute(nil, plainDesk{}, nil).serve.(intake)
		enter := func(ctx context.Context, size int64) (func(), time.Duration, error) {
			r := httptest.NewRequestWithContext(ctx, "POST", "/api/chat", nil)
			r.ContentLength = size
			begin := time.Now()
			leave, err := in.enter(httptest.NewRecorder(), r)
			return leave, time.Since(begin), err
		}
		leave, _, err := enter(t.Context(), longestChat)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := enter(t.Context(), -1); err != nil { // of unknown length
			t.Fatal(err)
		}
		if _, took, err := enter(t.Context(), maxRequest); err != nil || took != 0 {
			t.Errorf("one without files waited %v, %v", took, err)
		}
		if _, took, err := enter(t.Context(), maxRequest+1); nacre.KindOf(err) != nacre.Transient || took != intakeWait {
			t.Errorf("the third waited %v, %v", took, err)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, _, err := enter(gone, longestChat); err == nil {
			t.Error("one who is gone was let in")
		}
		time.AfterFunc(time.Second, func() { leave(); leave() })
		if _, took, err := enter(t.Context(), longestChat); err != nil || took != time.Second {
			t.Errorf("the next waited %v, %v", took, err)
		}
		if _, _, err := enter(t.Context(), longestChat); nacre.KindOf(err) != nacre.Transient {
			t.Errorf("one who left twice made room for two: %v", err)
		}
	})
}

// Who waits for the answer to a message with files keeps nobody out.
func TestIntakeEndsWhenAMessageIsStored(t *testing.T) {
	chatting(t, func(t *testing.T, r chatRoom) {
		body := `{"wait":300,` + files64(t, enclosed{"a", bytes.Repeat([]byte("a"), maxRequest)}) + `}`
		begin := time.Now()
		var asking sync.WaitGroup
		for range 2 * mostInside {
			asking.Go(func() {
				if status, got := r.ask(body); status != 200 {
					t.Errorf("the script got %d %s", status, got)
				}
			})
		}
		if _, err := r.host.Wait(t.Context(), 2*mostInside); err != nil || time.Since(begin) != 0 {
			t.Errorf("all were stored after %v, %v", time.Since(begin), err)
		}
		asking.Wait()
	})
}
