package gmail

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
)

// What a model wants drafted is not kept for longer than it can be answered, nor without
// end.
func TestQuestionsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(Options{Now: time.Now})
		ask := func(session string) {
			g.confirm(nacre.Caller{Owner: "ann", Session: nacre.SessionID(session)}, letter{Body: session}, "id")
			time.Sleep(time.Second)
		}
		open := func() int {
			g.mu.Lock()
			defer g.mu.Unlock()
			return len(g.asks)
		}
		for i := range maxAsks + 5 {
			ask(fmt.Sprint(i))
		}
		if n := open(); n != maxAsks || g.asks["4"] != nil || g.asks["5"] == nil {
			t.Errorf("%d questions are open, the oldest of which are %v and %v", n, g.asks["4"], g.asks["5"])
		}
		time.Sleep(maxWait / 2)
		ask("5")
		time.Sleep(maxWait / 2)
		if n := open(); n != 1 {
			t.Errorf("a day later %d are open, want the one that was asked anew", n)
		}
		time.Sleep(maxWait / 2)
		if n := open(); n != 0 {
			t.Errorf("in the end %d are open", n)
		}
	})
}
