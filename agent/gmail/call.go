package gmail

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"

	api "google.golang.org/api/gmail/v1"

	"nacre"
)

// How a request is tried again. Each wait is a random time between half its bound and
// its bound, which doubles; or what Google asks for, if that is not too long.
const (
	maxTries = 4 // in all
	firstTry = time.Second
	maxPause = 60 * time.Second
)

// call asks Gmail something for an owner, and again where that may help. ask may run
// several times. An access token that Google refuses is renewed once.
func call[T any](ctx context.Context, g *Gmail, owner nacre.OwnerID, ask func(context.Context, *api.Service) (T, error)) (T, error) {
	service, err := g.service()
	if err != nil {
		var none T
		return none, err
	}
	answer, err := persist(ctx, func() (T, error) { return once(ctx, g, owner, service, ask) })
	if f, ok := errors.AsType[failure](err); ok && f.trouble != "" {
		g.opts.Log.WarnContext(ctx, "Gmail cannot be used", "owner", owner, "trouble", f.trouble, "status", f.status)
	}
	return answer, err
}

// once asks once, and once more with a new access token.
func once[T any](ctx context.Context, g *Gmail, owner nacre.OwnerID, service *api.Service, ask func(context.Context, *api.Service) (T, error)) (T, error) {
	var none T
	token, err := g.access(ctx, owner, "")
	if err != nil {
		return none, err
	}
	answer, err := ask(context.WithValue(ctx, bearer{}, token), service)
	err = judge(ctx, err)
	if f, ok := errors.AsType[failure](err); !ok || f.status != http.StatusUnauthorized {
		return answer, err
	}
	if token, err = g.access(ctx, owner, token); err != nil {
		return none, err
	}
	answer, err = ask(context.WithValue(ctx, bearer{}, token), service)
	return answer, judge(ctx, err)
}

// persist tries something until it succeeds, cannot, or was tried often enough. It does
// not wait longer than ctx lasts.
func persist[T any](ctx context.Context, try func() (T, error)) (T, error) {
	for n := 1; ; n++ {
		answer, err := try()
		f, ok := errors.AsType[failure](err)
		if !ok || !f.again || n == maxTries {
			return answer, err
		}
		wait := delay(n, nacre.RetryAfter(err))
		if end, ok := ctx.Deadline(); wait > maxPause || ok && time.Until(end) <= wait {
			return answer, err
		}
		if stopped := sleep(ctx, wait); stopped != nil {
			return answer, stopped
		}
	}
}

// delay is how long to wait after the try of a number.
func delay(n int, asked time.Duration) time.Duration {
	half := firstTry << (n - 1) / 2
	return max(asked, half+rand.N(half))
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
