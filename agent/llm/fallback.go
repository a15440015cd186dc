package llm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Member is one Model of a Fallback.
type Member struct {
	Name  string // "provider/model", as errors say it
	Model Model
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
// Overloaded, Network, BadAnswer, Billing and Refused, on a model that does not
// exist (404), and when a deadline of the member's own ends. It does not on
// other errors, which are about the request or about us, though a BadRequest
// counts only of the first asked; nor when ctx has ended; nor once text was
// emitted, which the next one would repeat.
//
// A member that failed so rests: as long as it asked for, at most ten minutes,
// else 15 s, doubled to at most two minutes while it keeps failing, and one hour
// for Billing and Refused. An answer ends the rest. Resting members are passed
// over; if nobody else answers, the one whose rest ends first is asked anyway,
// because a person waits.
//
// The error is that of the member asked first. Only where it is a Network or a
// BadAnswer error, which say little about what to do, a later one of another
// cause stands for it. Its text adds what the others said.
//
// A member may have a Retry inside, but must not wait long in it while others
// could answer: Policy{Tries: 2, Max: 3 * time.Second} is for members, the
// default Policy for a Model alone. A Message.Blob of one provider is left out
// by the others.
func Fallback(members ...Member) Model {
	f := &fallback{}
	for _, m := range members {
		f.members = append(f.members, &member{Member: m})
	}
	return f
}

type fallback struct{ members []*member }

func (f *fallback) Complete(ctx context.Context, req Request, emit func(string)) (Response, error) {
	shown, watched := watch(emit)
	var failed []failure
	for _, m := range f.order(time.Now()) {
		began := time.Now()
		resp, err := m.Model.Complete(ctx, req, watched)
		if err == nil {
			m.wake()
			return resp, nil
		}
		if ctx.Err() != nil || !another(err, len(failed) > 0) {
			return resp, err
		}
		m.rest(began, time.Now(), err)
		if *shown || streamed(err) {
			return resp, err
		}
		failed = append(failed, failure{m.Name, resp, err})
	}
	return outcome(failed)
}

// order lists the members that do not rest, and last the one that wakes first.
func (f *fallback) order(now time.Time) []*member {
	var ready []*member
	var next *member
	var wakes time.Time
	for _, m := range f.members {
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

// member is a Member and its rest.
type member struct {
	Member

	mu       sync.Mutex // guards what follows
	until    time.Time  // it rests until then
	since    time.Time  // the rest began then
	failures int        // in a row
}

func (m *member) end() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.until
}

func (m *member) wake() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.until, m.failures = time.Time{}, 0
}

// rest takes in a failure of a call that began and failed at these times. Calls
// that ran at once and fail together are one failure, not many.
func (m *member) rest(began, now time.Time, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failures == 0 || !began.Before(m.since) {
		m.failures++
	}
	m.since = now
	if until := now.Add(restAfter(err, m.failures)); until.After(m.until) {
		m.until = until
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

// another reports whether another member may do better after err. What a later
// one calls a bad request may be its own limit, such as taking no images.
func another(err error, later bool) bool {
	var e *Error
	if !errors.As(err, &e) {
		return errors.Is(err, context.DeadlineExceeded)
	}
	switch e.Cause {
	case Overloaded, Network, BadAnswer, Billing, Refused:
		return true
	case BadRequest:
		return later || e.Status == http.StatusNotFound
	}
	return false
}

// vague reports that err does not say what to do about it.
func vague(err error) bool {
	var e *Error
	return !errors.As(err, &e) || e.Cause == Network || e.Cause == BadAnswer
}

func streamed(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Streamed
}
