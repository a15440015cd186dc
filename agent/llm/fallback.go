package llm

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Member is one Model of a Fallback, with its rest. It may belong to several
// Fallbacks, which then pass it over together. Make it with NewMember.
type Member struct {
	name  string
	model Model
	log   *slog.Logger

	mu       sync.Mutex // guards what follows
	until    time.Time  // it rests until then
	since    time.Time  // the rest began then
	failures int        // in a row
}

// NewMember returns a Member that asks m. The name, "provider/model", is what
// errors call it. What makes it rest is logged, because nobody else may notice
// while others answer; log may be nil.
func NewMember(name string, m Model, log *slog.Logger) *Member {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Member{name: name, model: m, log: log}
}

// How long a member that failed is passed over.
const (
	firstRest = 15 * time.Second // doubled while it keeps failing
	mostRest  = 2 * time.Minute
	mostAsked = 10 * time.Minute // of what a provider asks for, which may be wrong by hours
	brokeRest = time.Hour        // until a person has paid, or mended the key
)

// Fallback returns a Model that asks its members, one or more, in order until
// one answers. It goes on to the next where another provider can do better: on
// all errors but Spent and TooLong, and when a deadline of the member's own ends.
// TooLong is for the caller, who can make the request shorter; from a member
// that is not asked first it means that it cannot stand in. Nor does it go on
// when ctx has ended, nor once text was emitted, which the next one would repeat.
//
// A member that failed rests, unless it was the request that it could not take:
// as long as it asked for, at most ten minutes, else 15 s, doubled to at most
// two minutes while it keeps failing, and one hour for Billing and Refused. An
// answer ends the rest. Resting members are passed over; if nobody else answers,
// the one whose rest ends first is asked anyway, because a person waits.
//
// The error is that of the member asked first. Only where it is a Network or a
// BadAnswer error, which say little about what to do, a later one that says more
// stands for it. Its text adds what the others said.
//
// A member may have a Retry inside, but must not wait long in it while others
// could answer: Policy{Tries: 2, Max: 3 * time.Second} is for members, the
// default Policy for a Model alone. A Message.Blob of one provider is left out
// by the others.
func Fallback(members ...*Member) Model { return fallback(members) }

type fallback []*Member

func (f fallback) Complete(ctx context.Context, req Request, emit func(string)) (Response, error) {
	shown, watched := watch(emit)
	var failed []failure
	var short error // the prompt is too long for a member that stands in for one that rests
	for _, m := range f.order(time.Now()) {
		began := time.Now()
		resp, err := m.model.Complete(ctx, req, watched)
		if err == nil {
			m.wake()
			return resp, nil
		}
		ours := aboutRequest(err)
		if tooLong(err) && len(failed) == 0 && m != f[0] {
			short = err // the usual one may take it whole
		}
		if ctx.Err() != nil || short == nil && !another(err) && !(ours && len(failed) > 0) {
			return resp, err
		}
		if !ours {
			m.rest(ctx, began, time.Now(), err)
		}
		if *shown || streamed(err) {
			return resp, err
		}
		failed = append(failed, failure{m.name, resp, err})
	}
	if short != nil {
		return failed[0].resp, short
	}
	return outcome(failed)
}

func tooLong(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Cause == TooLong
}

// order lists the members that do not rest, and last the one that wakes first.
func (f fallback) order(now time.Time) []*Member {
	var ready []*Member
	var next *Member
	var wakes time.Time
	for _, m := range f {
		switch end := m.end(); {
		case !end.After(now):
			ready = append(ready, m)
		case next == nil || end.Before(wakes):
			next, wakes = m, end
		}
	}
	if next != nil {
		ready = append(ready, next)
	}
	return ready
}

// failure is what became of one member's try.
type failure struct {
	name string
	resp Response
	err  error
}

// outcome is what a Fallback returns when all that were asked have failed.
func outcome(failed []failure) (Response, error) {
	telling := max(0, slices.IndexFunc(failed, func(f failure) bool { return !vague(f.err) }))
	resp, err := failed[telling].resp, failed[telling].err
	for i, f := range failed {
		if i != telling {
			err = fmt.Errorf("%w; %s: %s", err, f.name, f.err)
		}
	}
	return resp, err
}

func (m *Member) end() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.until
}

func (m *Member) wake() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.until, m.failures = time.Time{}, 0
}

// rest takes in a failure of a call that began and failed at these times. Calls
// that ran at once and fail together are one failure, not many.
func (m *Member) rest(ctx context.Context, began, now time.Time, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failures == 0 || !began.Before(m.since) {
		m.failures++
	}
	m.since = now
	rest := restAfter(err, m.failures)
	if until := now.Add(rest); until.After(m.until) {
		m.until = until
		m.log.WarnContext(ctx, "a model failed and rests", "model", m.name, "rest", rest, "err", err)
	}
}

// restAfter is how long to rest after so many failures, the last being err.
func restAfter(err error, failures int) time.Duration {
	var e *Error
	if errors.As(err, &e) {
		switch {
		case e.Cause == Billing || e.Cause == Refused:
			return brokeRest
		case e.After > 0:
			return min(e.After, mostAsked)
		}
	}
	return min(firstRest<<min(failures-1, 10), mostRest)
}

// another reports whether another member may do better after err.
func another(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return errors.Is(err, context.DeadlineExceeded)
	}
	switch e.Cause {
	case Overloaded, Network, BadAnswer, Billing, Refused, Flagged, BadRequest:
		return true
	}
	return false
}

// aboutRequest reports whether a provider that is well failed with err because
// of what it was sent: a limit of its own, such as its window or taking no
// images, or its filter.
func aboutRequest(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Cause {
	case TooLong, Flagged:
		return true
	case BadRequest:
		return e.Status != http.StatusNotFound
	}
	return false
}

// vague reports that err does not say what to do about it, or says it of a
// member that could not have stood in.
func vague(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return true
	}
	switch e.Cause {
	case Network, BadAnswer, TooLong, BadRequest:
		return e.Status != http.StatusNotFound
	}
	return false
}

func streamed(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Streamed
}
