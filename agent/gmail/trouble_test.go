package gmail_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/agent/gmail"
	"nacre/agent/gmail/gmailtest"
)

// Each way to fail is tried again as often as may help, and then told for what it is.
func TestTroubles(t *testing.T) {
	for _, tc := range []struct {
		fault   gmailtest.Fault
		tries   int
		kind    nacre.Kind
		trouble gmail.Trouble
		after   time.Duration
	}{
		{gmailtest.Fault{Status: 403, Reason: "rateLimitExceeded"}, 4, nacre.Transient, gmail.Limited, 0},
		{gmailtest.Fault{Status: 403, Reason: "userRateLimitExceeded"}, 4, nacre.Transient, gmail.Limited, 0},
		{gmailtest.Fault{Status: 403, Reason: "dailyLimitExceeded"}, 1, nacre.Transient, gmail.Limited, 0},
		{gmailtest.Fault{Status: 403, Reason: "insufficientPermissions"}, 1, nacre.Denied, gmail.Revoked, 0},
		{gmailtest.Fault{Status: 403, Reason: "accessNotConfigured"}, 1, nacre.Denied, gmail.Revoked, 0},
		{gmailtest.Fault{Status: 429, Reason: "rateLimitExceeded"}, 4, nacre.Transient, gmail.Limited, 0},
		{gmailtest.Fault{Status: 429, Body: "<html>"}, 4, nacre.Transient, gmail.Limited, 0},
		{gmailtest.Fault{Status: 429, RetryAfter: "30"}, 4, nacre.Transient, gmail.Limited, 30 * time.Second},
		{gmailtest.Fault{Status: 429, RetryAfter: "61"}, 1, nacre.Transient, gmail.Limited, 61 * time.Second},
		{gmailtest.Fault{Status: 429, RetryAfter: "Sat, 01 Jan 2000 06:00:00 GMT"}, 1, nacre.Transient, gmail.Limited, 6 * time.Hour},
		{gmailtest.Fault{Status: 429, RetryAfter: "soon"}, 4, nacre.Transient, gmail.Limited, 0},
		{gmailtest.Fault{Status: 500, Reason: "backendError"}, 4, nacre.Transient, gmail.Down, 0},
		{gmailtest.Fault{Status: 503, RetryAfter: "10"}, 4, nacre.Transient, gmail.Down, 10 * time.Second},
		{gmailtest.Fault{Status: 502, Body: "<html>ann@example.org</html>"}, 4, nacre.Transient, gmail.Down, 0},
		{gmailtest.Fault{Status: 400, Reason: "failedPrecondition"}, 1, nacre.Transient, gmail.Down, 0},
		{gmailtest.Fault{Status: 200, Body: "<html>"}, 4, nacre.Transient, gmail.Down, 0},
		{gmailtest.Fault{Status: 200, Body: `{"historyId":[]}`}, 4, nacre.Transient, gmail.Down, 0},
		{gmailtest.Fault{Status: 200, Body: `{"emailAddress":"` + strings.Repeat("x", 9<<20)}, 1, nacre.Transient, gmail.Down, 0},
		{gmailtest.Fault{Cut: true}, 4, nacre.Transient, gmail.Down, 0},
		{gmailtest.Fault{Slow: time.Hour}, 4, nacre.Transient, gmail.Down, 0},
	} {
		in(t, func(w *world) {
			tc.fault.Path, tc.fault.Times = profile, -1
			name := fmt.Sprintf("%d %s%.20s cut %v slow %s", tc.fault.Status, tc.fault.Reason, tc.fault.Body, tc.fault.Cut, tc.fault.Slow)
			w.connect(ann, false)
			before := len(w.google.Requests(profile))
			w.google.Break(tc.fault)
			err := w.fresh()
			w.is(name, err, tc.kind, tc.trouble)
			asked := w.google.Requests(profile)[before:]
			if tc.fault.Cut {
				asked = asked[1:] // over the old connection, which net/http tries again by itself
			}
			if len(asked) != tc.tries || nacre.RetryAfter(err).Round(time.Second) != tc.after {
				w.t.Errorf("%s: %d tries and %s, want %d and %s", name, len(asked), nacre.RetryAfter(err), tc.tries, tc.after)
			}
			for i := 1; i < len(asked); i++ {
				if wait := asked[i].At.Sub(asked[i-1].At); wait < max(tc.after, 500*time.Millisecond<<(i-1)) {
					w.t.Errorf("%s: try %d came after %s", name, i+1, wait)
				}
			}
			w.google.Heal()
			w.must(w.fresh())
		})
	}
}

// What was a trouble at first and is none any more is nobody's business.
func TestPassing(t *testing.T) {
	in(t, func(w *world) {
		w.connect(ann, false)
		w.google.Fail(profile, 3, 503, "backendError")
		w.must(w.fresh())
		time.Sleep(2 * time.Hour)
		w.google.Fail("/token", 3, 503, "backendError")
		w.must(w.fresh())
	})
}

// Waiting ends with whoever waits, and does not begin where it could not end in time.
func TestWaitingEnds(t *testing.T) {
	in(t, func(w *world) {
		w.connect(ann, false)
		w.google.Break(gmailtest.Fault{Path: profile, Times: -1, Status: 429, RetryAfter: "30"})
		ctx, cancel := context.WithCancel(w.t.Context())
		time.AfterFunc(10*time.Second, cancel)
		began := time.Now()
		if _, _, err := w.gmail.Fresh(ctx, ann); !errors.Is(err, context.Canceled) || time.Since(began) != 10*time.Second {
			w.t.Errorf("stopped: %v after %s", err, time.Since(began))
		}
		ctx, cancel = context.WithTimeout(w.t.Context(), 20*time.Second)
		defer cancel()
		began = time.Now()
		_, _, err := w.gmail.Fresh(ctx, ann)
		w.is("too late", err, nacre.Transient, gmail.Limited)
		if time.Since(began) > time.Second {
			w.t.Errorf("it was waited for %s in vain", time.Since(began))
		}
	})
}

// A stretch of trouble is told once, and once more if it becomes one that its owner has
// to end.
func TestNote(t *testing.T) {
	in(t, func(w *world) {
		w.connect(ann, false)
		w.must(w.gmail.Read(w.t.Context(), ann, "1234"))
		for i, step := range []struct {
			trouble gmail.Trouble
			told    bool
		}{
			{"", false}, {gmail.Down, true}, {gmail.Down, false}, {gmail.Limited, false}, {gmail.Revoked, true}, {gmail.Revoked, false},
			{gmail.Down, false}, {"", false}, {gmail.Limited, true}, {"", false}, {gmail.Revoked, true},
		} {
			told, err := w.gmail.Note(w.t.Context(), ann, step.trouble)
			state, _ := w.gmail.State(w.t.Context(), ann)
			if told != step.told || err != nil || state.Trouble != step.trouble {
				w.t.Errorf("step %d, %q: told %v, %v, now %q", i, step.trouble, told, err, state.Trouble)
			}
		}
		if w.account(ann).UpTo != "1234" {
			w.t.Error("the point is lost")
		}
		keeps := w.store.keeps
		w.gmail.Note(w.t.Context(), ann, gmail.Revoked)
		if w.store.keeps != keeps {
			w.t.Error("what is as it was is kept anew")
		}
		w.must(w.gmail.Read(w.t.Context(), ann, "1235"))
		if a := w.account(ann); a.Trouble != "" || a.UpTo != "1235" || !a.Learned.Equal(time.Now()) {
			w.t.Errorf("after reading: %+v", a)
		}
	})
}

func TestTroubleOf(t *testing.T) {
	for _, err := range []error{nil, errors.New("x"), context.Canceled, nacre.Errorf(nacre.Transient, "Later.")} {
		if got := gmail.TroubleOf(err); got != "" {
			t.Errorf("%v is trouble %q", err, got)
		}
	}
}
