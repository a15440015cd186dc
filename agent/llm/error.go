package llm

import (
	"errors"
	"fmt"
	"time"
)

// Cause says what kind of thing went wrong with a provider.
type Cause string

// The causes. Overloaded and Network may pass by themselves.
const (
	Overloaded Cause = "overloaded"  // 429, 5xx, 529, or an overload inside a stream
	Network    Cause = "network"     // no connection, cut stream, timeout
	Refused    Cause = "credentials" // 401, some 403: key wrong or not allowed
	Flagged    Cause = "declined"    // a filter of the provider refuses what was said; another's may not
	Billing    Cause = "billing"     // 402, quota used up
	TooLong    Cause = "too long"    // the prompt exceeds the window
	BadRequest Cause = "bad request" // other 4xx: retrying the same is useless
	BadAnswer  Cause = "bad answer"  // the provider's bytes made no sense
	Spent      Cause = "budget"      // our own budget is used up; the provider was not asked
)

// Error is a failed completion. Its text names the provider, the cause and the
// status, and the provider's own words where they cannot quote the prompt.
type Error struct {
	Cause    Cause
	Provider string
	Status   int           // HTTP status, 0 if none
	Message  string        // the provider's words, cut at 300 characters, without the key
	After    time.Duration // retry-after, 0 if not said
	Streamed bool          // visible text had been emitted before it failed
	Err      error
}

func (e *Error) Error() string {
	s := fmt.Sprintf("%s: %s", e.Provider, e.Cause)
	if e.Status != 0 {
		s += fmt.Sprintf(" (%d)", e.Status)
	}
	if e.Message != "" && !e.mayQuote() {
		s += ": " + e.Message
	}
	return s
}

// mayQuote reports whether the provider complains about what it was sent, and
// so may repeat it. A 404 is about the model's name.
func (e *Error) mayQuote() bool {
	switch e.Cause {
	case BadRequest:
		return e.Status != 404
	case TooLong, BadAnswer, Flagged:
		return true
	}
	return false
}

func (e *Error) Unwrap() error { return e.Err }

// Passing reports whether err may go away by itself, so that trying again
// makes sense.
func Passing(err error) bool {
	var e *Error
	return errors.As(err, &e) && (e.Cause == Overloaded || e.Cause == Network || e.Cause == BadAnswer)
}
