package llm

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// Policy says how Retry tries again. Zero fields take the defaults.
type Policy struct {
	Tries int           // completions in all; 4
	Base  time.Duration // bound of the first wait, doubled for each further one; 500 ms
	Max   time.Duration // longest wait, also of one that the provider asks for; 30 s
}

// Retry returns a Model that tries m again when it fails with a Passing error.
// It waits a random time below a bound that doubles ("full jitter",
// https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/),
// after what the provider asked for, p.Max in all. It returns the error at once
//
//   - when text was emitted, which a second try would repeat,
//   - when the provider asks for a longer wait than p.Max, because another
//     provider or a person can decide better,
//   - when the wait would outlast ctx.
//
// A ctx that ends during a wait gives ctx.Err().
func Retry(m Model, p Policy) Model {
	return &retry{model: m, policy: Policy{
		Tries: cmp.Or(p.Tries, 4),
		Base:  cmp.Or(p.Base, 500*time.Millisecond),
		Max:   cmp.Or(p.Max, 30*time.Second),
	}}
}

type retry struct {
	model  Model
	policy Policy
}

func (r *retry) Complete(ctx context.Context, req Request, emit func(string)) (Response, error) {
	shown, watched := watch(emit)
	for try := 1; ; try++ {
		resp, err := r.model.Complete(ctx, req, watched)
		if err == nil || *shown || try >= r.policy.Tries || !Passing(err) {
			return resp, err
		}
		wait, ok := r.policy.wait(try, err)
		if !ok || outlasts(ctx, wait) {
			return resp, err
		}
		if err := sleep(ctx, wait); err != nil {
			return resp, err
		}
	}
}

// watch returns an emit, nil if emit is, that notes whether it was called with
// any text.
func watch(emit func(string)) (shown *bool, watched func(string)) {
	shown = new(bool)
	if emit == nil {
		return shown, nil
	}
	return shown, func(text string) {
		*shown = *shown || text != ""
		emit(text)
	}
}

// wait returns how long to wait after the try of that number failed with err,
// and false where a further try is ruled out by the error itself.
func (p Policy) wait(try int, err error) (time.Duration, bool) {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Streamed || e.After > p.Max {
		return 0, false
	}
	bound := min(p.Base, p.Max)
	for range try - 1 {
		bound = min(2*bound, p.Max)
	}
	return min(e.After+rand.N(bound+1), p.Max), true
}

func outlasts(ctx context.Context, wait time.Duration) bool {
	end, ok := ctx.Deadline()
	return ok && time.Until(end) <= wait
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
