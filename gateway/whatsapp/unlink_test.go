package whatsapp

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre/gateway/gatewaytest/wadouble"
)

// TestUnlinkWhileItWaits logs in once for the farewell, although the channel itself
// must not: the person wants the device gone from the phone, and from the other program
// that uses its keys.
func TestUnlinkWhileItWaits(t *testing.T) {
	for _, c := range []struct {
		name, says string
		spoil      func(r *rig)
	}{
		{"replaced", "another program uses", func(r *rig) {
			r.wa.Fail(wadouble.Fault{Kind: wadouble.StreamError, Words: wadouble.Replaced})
		}},
		{"misused", "this account was linked as", func(r *rig) {
			r.own = true
			r.restart()
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			connected(t, func(r *rig) {
				c.spoil(r)
				r.after(time.Minute)
				r.wantState(false, c.says)
				r.wantLogins(1)
				if err := r.c.Unlink(r.Context()); err != nil {
					t.Fatalf("Unlink = %v", err)
				}
				if r.us.Linked() {
					t.Error("the phone still lists the device")
				}
				r.wantLogins(2)
				r.wantNoFile()
			})
		})
	}
}

// TestUnlinkOfAnEndedAccount makes no login where the keys are known to be worth
// nothing, even if they could not be erased.
func TestUnlinkOfAnEndedAccount(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.link()
		r.c.file.busy = 20
		r.run()
		r.after(time.Minute)
		unlock := lockFile(r.T, r.c.file)
		r.us.Unlink()
		r.after(time.Minute)
		r.wantState(false, "was unlinked on the phone")
		unlock()
		if !r.c.Linked() {
			t.Fatal("the file could be erased")
		}
		if err := r.c.Unlink(r.Context()); err != nil {
			t.Fatalf("Unlink = %v", err)
		}
		r.wantLogins(1)
		r.wantNoFile()
	})
}

// stuck is a network that swallows everything.
type stuck struct{}

func (stuck) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// TestUnlinkTakesItsTime and no more.
func TestUnlinkTakesItsTime(t *testing.T) {
	connected(t, func(r *rig) {
		r.own = true
		r.restart()
		r.after(time.Minute)
		r.c.opts.Transport = stuck{}
		began := time.Now()
		if err := r.c.Unlink(r.Context()); err != nil {
			t.Fatalf("Unlink = %v", err)
		}
		if took := time.Since(began); took > logoutTime+time.Second {
			t.Errorf("it took %v", took)
		}
		if !strings.Contains(r.log.String(), "it can be removed on the phone") {
			t.Error("it is not logged that the phone still lists the device")
		}
		r.wantNoFile()
	})
}

// An account that could not be erased keeps its purpose, whoever wanted it gone.
func TestUnlinkThatFailsKeepsThePurpose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, true)
		r.link()
		r.c.file.busy = 20
		unlock := lock(t, r.c.file)
		if err := r.c.Unlink(r.Context()); err == nil {
			t.Fatal("Unlink of a locked file = nil")
		}
		unlock()
		r.own = false
		r.restart()
		r.after(time.Minute)
		r.wantState(false, "this account was linked as your own number")
		r.wantLogins(0)
		if err := r.c.Unlink(r.Context()); err != nil {
			t.Errorf("Unlink = %v", err)
		}
		r.wantNoFile()
	})
}
