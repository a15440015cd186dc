package llm_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
)

func overloaded(after time.Duration) llmtest.Step {
	return llmtest.Step{Err: &llm.Error{Cause: llm.Overloaded, Provider: "double", After: after}}
}

func failing(c llm.Cause) llmtest.Step {
	return llmtest.Step{Err: &llm.Error{Cause: c, Provider: "double"}}
}

var ask = llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hello"}}}

func TestRetry(t *testing.T) {
	answer := llmtest.Step{Text: "done"}
	streamed := llmtest.Step{Err: &llm.Error{Cause: llm.Network, Streamed: true}}
	partial := failing(llm.Network)
	partial.Text = "half an "

	tests := []struct {
		name     string
		steps    []llmtest.Step
		policy   llm.Policy
		calls    int
		want     llm.Cause // empty means the answer
		min, max time.Duration
	}{
		{"first try", []llmtest.Step{answer}, llm.Policy{}, 1, "", 0, 0},
		{"second try", []llmtest.Step{overloaded(0), answer}, llm.Policy{}, 2, "", 0, 500 * time.Millisecond},
		{"network", []llmtest.Step{failing(llm.Network), answer}, llm.Policy{}, 2, "", 0, 500 * time.Millisecond},
		{"bad answer", []llmtest.Step{failing(llm.BadAnswer), answer}, llm.Policy{}, 2, "", 0, 500 * time.Millisecond},
		{"fourth try", []llmtest.Step{overloaded(0), overloaded(0), overloaded(0), answer}, llm.Policy{}, 4, "", 0, 3500 * time.Millisecond},
		{"never", []llmtest.Step{overloaded(0), overloaded(0), overloaded(0), overloaded(0), answer}, llm.Policy{}, 4, llm.Overloaded, 0, 3500 * time.Millisecond},
		{"fewer tries", []llmtest.Step{overloaded(0), overloaded(0), answer}, llm.Policy{Tries: 2}, 2, llm.Overloaded, 0, 500 * time.Millisecond},
		{"bounded wait", []llmtest.Step{overloaded(0), overloaded(0), answer}, llm.Policy{Base: time.Minute, Max: time.Second}, 3, "", 0, 2 * time.Second},
		{"asked to wait", []llmtest.Step{overloaded(20 * time.Second), answer}, llm.Policy{}, 2, "", 20 * time.Second, 20500 * time.Millisecond},
		{"asked to wait as long as we would", []llmtest.Step{overloaded(30 * time.Second), answer}, llm.Policy{}, 2, "", 30 * time.Second, 30 * time.Second},
		{"asked to wait too long", []llmtest.Step{overloaded(time.Hour), answer}, llm.Policy{}, 1, llm.Overloaded, 0, 0},
		{"refused", []llmtest.Step{failing(llm.Refused), answer}, llm.Policy{}, 1, llm.Refused, 0, 0},
		{"billing", []llmtest.Step{failing(llm.Billing), answer}, llm.Policy{}, 1, llm.Billing, 0, 0},
		{"too long", []llmtest.Step{failing(llm.TooLong), answer}, llm.Policy{}, 1, llm.TooLong, 0, 0},
		{"bad request", []llmtest.Step{failing(llm.BadRequest), answer}, llm.Policy{}, 1, llm.BadRequest, 0, 0},
		{"after text", []llmtest.Step{partial, answer}, llm.Policy{}, 1, llm.Network, 0, 0},
		{"after text by its own word", []llmtest.Step{streamed, answer}, llm.Policy{}, 1, llm.Network, 0, 0},
		{"the last failure decides", []llmtest.Step{overloaded(0), failing(llm.Billing), answer}, llm.Policy{}, 2, llm.Billing, 0, 500 * time.Millisecond},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				double := llmtest.NewModel(tt.steps...)
				start := time.Now()
				resp, err := llm.Retry(double, tt.policy).Complete(t.Context(), ask, func(string) {})
				took := time.Since(start)

				var e *llm.Error
				switch {
				case tt.want == "" && (err != nil || resp.Text != "done"):
					t.Errorf("got %q, %v; want the answer", resp.Text, err)
				case tt.want != "" && (!errors.As(err, &e) || e.Cause != tt.want):
					t.Errorf("got error %v; want %s", err, tt.want)
				}
				if got := len(double.Requests()); got != tt.calls {
					t.Errorf("%d completions; want %d", got, tt.calls)
				}
				if took < tt.min || took > tt.max {
					t.Errorf("took %v; want %v to %v", took, tt.min, tt.max)
				}
			})
		})
	}
}

// Text that nobody sees may be made again.
func TestRetryUnseenText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		partial := failing(llm.Network)
		partial.Text = "half an "
		double := llmtest.NewModel(partial, llmtest.Step{Text: "done"})
		resp, err := llm.Retry(double, llm.Policy{}).Complete(t.Context(), ask, nil)
		if err != nil || resp.Text != "done" {
			t.Errorf("got %q, %v; want the second answer", resp.Text, err)
		}
	})
}

// The waits are spread over their whole range, so that clients which failed
// together do not come back together.
func TestRetryJitter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var low, high bool
		for range 100 {
			start := time.Now()
			double := llmtest.NewModel(overloaded(0), llmtest.Step{Text: "done"})
			if _, err := llm.Retry(double, llm.Policy{Base: time.Second}).Complete(t.Context(), ask, nil); err != nil {
				t.Fatal(err)
			}
			took := time.Since(start)
			low = low || took < 500*time.Millisecond
			high = high || took > 500*time.Millisecond
		}
		if !low || !high {
			t.Errorf("of 100 waits some were short: %t, some were long: %t; want both", low, high)
		}
	})
}

func TestRetryDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		double := llmtest.NewModel(overloaded(6*time.Second), llmtest.Step{Text: "done"})
		start := time.Now()
		_, err := llm.Retry(double, llm.Policy{}).Complete(ctx, ask, nil)
		if !llm.Passing(err) || time.Since(start) != 0 {
			t.Errorf("got %v after %v; want the provider's error at once", err, time.Since(start))
		}
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 7*time.Second)
		defer cancel()
		double := llmtest.NewModel(overloaded(6*time.Second), llmtest.Step{Text: "done"})
		resp, err := llm.Retry(double, llm.Policy{}).Complete(ctx, ask, nil)
		if err != nil || resp.Text != "done" {
			t.Errorf("got %q, %v; want the answer, because the deadline is later", resp.Text, err)
		}
	})
}

func TestRetryCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(3*time.Second, cancel)
		double := llmtest.NewModel(overloaded(20*time.Second), llmtest.Step{Text: "done"})
		start := time.Now()
		_, err := llm.Retry(double, llm.Policy{}).Complete(ctx, ask, nil)
		if !errors.Is(err, context.Canceled) || time.Since(start) != 3*time.Second {
			t.Errorf("got %v after %v; want the cancellation after 3s", err, time.Since(start))
		}
		if got := len(double.Requests()); got != 1 {
			t.Errorf("%d completions; want 1", got)
		}
	})
}
