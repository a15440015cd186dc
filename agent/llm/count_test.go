package llm_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"nacre/agent/llm"
)

// metered is a Model whose every call uses the same, at a price or at none.
func metered(price llm.Price, used llm.Usage, err error) llm.Model {
	return llm.Meter(modelFunc(func() (llm.Response, error) { return llm.Response{Usage: used}, err }), "m", price, &book{})
}

func TestCounting(t *testing.T) {
	price := llm.Price{Input: 1, Output: 2, CacheRead: 0.1, CacheWrite: 1.25, Known: true}
	used := llm.Usage{Input: 100, Output: 10, CacheRead: 50, CacheWrite: 20}
	counting, counted := llm.Counting(t.Context())
	call(counting, t, metered(price, used, nil), nil)
	call(counting, t, metered(llm.Price{}, used, nil), nil)
	broken := errors.New("broken")
	call(counting, t, metered(price, llm.Usage{Input: 1}, broken), broken) // it had begun
	call(counting, t, metered(price, llm.Usage{}, broken), broken)         // it had not
	call(t.Context(), t, metered(price, used, nil), nil)                   // nobody counts there
	want := llm.Total{Calls: 3, Input: 201, Output: 20, CacheRead: 100, CacheWrite: 40, Cost: 30*1000 + 50*100 + 20*1250 + 10*2000 + 1000, Unpriced: 110}
	if got := counted.Total(); got != want {
		t.Errorf("counted %+v, want %+v", got, want)
	}
}

// What is counted inside is counted outside as well, and not the other way round.
func TestCountingInCounting(t *testing.T) {
	m := metered(llm.Price{}, llm.Usage{Input: 1}, nil)
	outer, all := llm.Counting(t.Context())
	inner, some := llm.Counting(outer)
	_, beside := llm.Counting(outer)
	call(outer, t, m, nil)
	call(inner, t, m, nil)
	if all.Total().Calls != 2 || some.Total().Calls != 1 || beside.Total().Calls != 0 {
		t.Errorf("%d calls outside, %d inside, %d beside; want 2, 1, 0", all.Total().Calls, some.Total().Calls, beside.Total().Calls)
	}
}

func TestCountingIsSafe(t *testing.T) {
	ctx, counted := llm.Counting(t.Context())
	m := metered(llm.Price{}, llm.Usage{Input: 2}, nil)
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			call(ctx, t, m, nil)
			counted.Total()
		})
	}
	wg.Wait()
	if got := counted.Total(); got.Calls != 50 || got.Input != 100 {
		t.Errorf("counted %+v, want 50 calls", got)
	}
}

func call(ctx context.Context, t *testing.T, m llm.Model, want error) {
	if _, err := m.Complete(ctx, llm.Request{}, nil); err != want {
		t.Errorf("the call ends with %v, want %v", err, want)
	}
}
