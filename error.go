package nacre

import (
	"errors"
	"fmt"
	"time"
)

// Kind sorts errors by what the outermost layer should do about them.
type Kind int

// The kinds. Errors without one are Internal.
const (
	Internal  Kind = iota // a fault of ours or of the machine
	Invalid               // the input is wrong; say how to mend it
	Denied                // not allowed, or credentials refused
	NotFound              // no such thing
	Conflict              // someone else changed or holds it
	Transient             // may work later; see RetryAfter
)

func (k Kind) String() string {
	return [...]string{"internal", "invalid", "denied", "not found", "conflict", "transient"}[k]
}

// Error is an error with a kind. Its text is a sentence or phrase that may be
// shown to the person it concerns: no secret, no message text.
type Error struct {
	Kind  Kind
	Text  string
	After time.Duration // Transient: not before this long; 0 means unknown
	Err   error         // the cause, whose words Text already holds; may be nil
}

func (e *Error) Error() string { return e.Text }
func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an Error of the given kind. A %w verb sets its cause.
func Errorf(k Kind, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &Error{Kind: k, Text: err.Error(), Err: errors.Unwrap(err)}
}

// KindOf returns the kind of the outermost Error in err's chain.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}

// RetryAfter returns how long a Transient error asked us to wait, 0 if it did
// not say.
func RetryAfter(err error) time.Duration {
	var e *Error
	if errors.As(err, &e) {
		return e.After
	}
	return 0
}
