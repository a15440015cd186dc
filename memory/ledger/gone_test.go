package ledger_test

import (
	"testing"
	"time"

	"nacre"
	"nacre/memory/ledger"
)

// sent commits an answer to a message and settles it.
func sent(t testing.TB, l *ledger.Ledger, in nacre.Inbound, state nacre.DeliveryState, reason string) {
	t.Helper()
	d := commit(t, l, turnOver([]nacre.Inbound{in}, "an answer"))[0]
	d.State = state
	settle(t, l, d, "1", reason)
}

func TestGone(t *testing.T) {
	refused := nacre.NotFound.String()
	for name, c := range map[string]struct {
		state  nacre.DeliveryState
		reason string
		then   func(*testing.T, *ledger.Ledger, nacre.SessionInfo)
		want   bool
		once   bool // only the newest was refused
	}{
		"refused":   {state: nacre.Dead, reason: refused, want: true},
		"one alone": {state: nacre.Dead, reason: refused, once: true},
		"sent":      {state: nacre.Sent},
		"waiting":   {state: nacre.Waiting},
		"given up":  {state: nacre.Dead, reason: "given up"},
		"too long":  {state: nacre.Dead, reason: nacre.Invalid.String()},
		"forgotten": {state: nacre.Dead, reason: "forgotten"},
		"refused, then sent": {nacre.Dead, refused, func(t *testing.T, l *ledger.Ledger, s nacre.SessionInfo) {
			sent(t, l, spoke(t, l, s, "x"), nacre.Sent, "")
		}, false, false},
		"refused, then the person wrote": {nacre.Dead, refused, func(t *testing.T, l *ledger.Ledger, s nacre.SessionInfo) {
			back := message(s.Owner, "1001", "back", "I am back")
			back.Message.Received = time.Now().Add(time.Second)
			put(t, l, back)
		}, false, false},
		"refused, then a job spoke": {nacre.Dead, refused, func(t *testing.T, l *ledger.Ledger, s nacre.SessionInfo) { spoke(t, l, s, "x") }, true, false},
		"refused, then they wrote elsewhere": {nacre.Dead, refused, func(t *testing.T, l *ledger.Ledger, s nacre.SessionInfo) {
			there := message(s.Owner, "2001", "there", "I am here")
			there.Message.Received = time.Now().Add(time.Second)
			put(t, l, there)
		}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			l := open(t, t.TempDir())
			in := put(t, l, message(owners(t, l, "1001")[0], "1001", "1", "hello"))[0]
			if !c.once {
				sent(t, l, in, c.state, c.reason)
				in = spoke(t, l, in.Session, "y")
			}
			sent(t, l, in, c.state, c.reason)
			if c.then != nil {
				c.then(t, l, in.Session)
			}
			if gone, err := l.Gone(ctx, in.Session.Chat); err != nil || gone != c.want {
				t.Errorf("gone: %v, %v", gone, err)
			}
			if gone, err := l.Gone(ctx, nacre.Chat{Channel: nacre.Telegram, ID: "1001", Thread: "7"}); err != nil || gone {
				t.Errorf("another thread is gone: %v, %v", gone, err)
			}
		})
	}
}

func TestToldOncePerDay(t *testing.T) {
	l := open(t, t.TempDir())
	all := owners(t, l, "1001", "1002")
	for i, c := range []struct {
		owner     nacre.OwnerID
		what, day string
		before    bool
	}{
		{all[0], "failing", "2026-12-01", false}, {all[0], "failing", "2026-12-01", true}, {all[1], "failing", "2026-12-01", false},
		{all[0], "gone", "2026-12-01", false}, {all[0], "failing", "2026-12-02", false}, {all[0], "failing", "2026-12-02", true},
	} {
		if before, err := l.Told(ctx, c.owner, c.what, c.day); err != nil || before != c.before {
			t.Errorf("%d: told before: %v, %v", i, before, err)
		}
	}
}
