package gmail

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"golang.org/x/oauth2"
	"google.golang.org/api/googleapi"

	"nacre"
)

// Trouble is why Gmail could not be read, last time; empty if it could. The owner is
// told once of each stretch of it.
type Trouble string

// The troubles.
const (
	Revoked Trouble = "revoked" // the owner took their consent back, or it ran out
	Limited Trouble = "limited" // a quota is spent
	Down    Trouble = "down"    // Google does not answer, or not properly
)

// TroubleOf is what kind of trouble an error is; empty for none.
func TroubleOf(err error) Trouble {
	f, _ := errors.AsType[failure](err)
	return f.trouble
}

// failure is what Google did, without a word of what it said: that could repeat a
// token, an address or a mail. It is the cause of this package's errors.
type failure struct {
	trouble Trouble
	status  int    // of HTTP, 0 if there was none; tooLarge
	code    string // OAuth's, of those in codes
	again   bool   // it may be better in a moment
}

// tooLarge is the status of an answer that is longer than we read.
const tooLarge = http.StatusRequestEntityTooLarge

// codes are the errors of OAuth that are told apart.
var codes = []string{"invalid_grant", "invalid_client", "unauthorized_client", "deleted_client", "redirect_uri_mismatch"}

// Error implements error.
func (f failure) Error() string { return "google: " + string(f.trouble) + " " + strconv.Itoa(f.status) }

// The sentences.
const (
	sayRevoked = "Google says that your consent for Gmail is gone. Connect Gmail again on the page under Settings, or with nacre gmail connect."
	sayOff     = "The Gmail API is switched off in your project at Google. Switch it on there, then connect Gmail again."
	sayLimited = "Google gives nothing more of Gmail for now, because a limit is reached. Please try again later."
	sayDown    = "Google does not answer as it should. Please try again later."
	sayMissing = "Gmail has no such thing any more."
)

// judge makes of what a call of Google came to an error for people. The end of ctx
// stays what it is.
func judge(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errTooLarge):
		return judged(nacre.Transient, sayDown, failure{trouble: Down, status: tooLarge}, 0)
	}
	if e, ok := errors.AsType[*googleapi.Error](err); ok {
		return judgeMail(e)
	}
	if e, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		return judgeToken(e)
	}
	return judged(nacre.Transient, sayDown, failure{trouble: Down, again: true}, 0)
}

// judged is an error for people.
func judged(k nacre.Kind, text string, f failure, after time.Duration) error {
	return &nacre.Error{Kind: k, Text: text, After: after, Err: f}
}

// judgeMail judges a refusal of Gmail's.
func judgeMail(e *googleapi.Error) error {
	f, after := failure{status: e.Code}, pause(e.Header)
	switch {
	case e.Code == http.StatusTooManyRequests, e.Code == http.StatusForbidden && because(e, "rateLimitExceeded", "userRateLimitExceeded"):
		f.trouble, f.again = Limited, true
		return judged(nacre.Transient, sayLimited, f, after)
	case e.Code == http.StatusForbidden && because(e, "dailyLimitExceeded", "quotaExceeded"):
		f.trouble = Limited
		return judged(nacre.Transient, sayLimited, f, after)
	case e.Code == http.StatusForbidden && because(e, "accessNotConfigured"):
		f.trouble = Revoked
		return judged(nacre.Denied, sayOff, f, 0)
	case e.Code == http.StatusUnauthorized, e.Code == http.StatusForbidden:
		f.trouble = Revoked
		return judged(nacre.Denied, sayRevoked, f, 0)
	case e.Code == http.StatusNotFound:
		return judged(nacre.NotFound, sayMissing, f, 0)
	}
	f.trouble, f.again = Down, e.Code >= 500
	return judged(nacre.Transient, sayDown, f, after)
}

// because reports whether Google gives one of some reasons.
func because(e *googleapi.Error, reasons ...string) bool {
	return slices.ContainsFunc(e.Errors, func(i googleapi.ErrorItem) bool { return slices.Contains(reasons, i.Reason) })
}

// judgeToken judges a refusal of the token endpoint's.
func judgeToken(e *oauth2.RetrieveError) error {
	f, after := failure{status: e.Response.StatusCode}, pause(e.Response.Header)
	if slices.Contains(codes, e.ErrorCode) {
		f.code = e.ErrorCode
	}
	switch {
	case f.status == http.StatusTooManyRequests:
		f.trouble, f.again = Limited, true
		return judged(nacre.Transient, sayLimited, f, after)
	case f.status >= 500:
		f.trouble, f.again = Down, true
		return judged(nacre.Transient, sayDown, f, after)
	case e.ErrorCode != "":
		f.trouble = Revoked
		return judged(nacre.Denied, sayRevoked, f, 0)
	}
	f.trouble = Down
	return judged(nacre.Transient, sayDown, f, after)
}

// pause is how long Google wants to be left alone, as the header Retry-After has it.
func pause(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(n) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}
