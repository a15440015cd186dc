package ledger_test

import (
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
)

func TestAskWaitsForItsAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		l := open(t, dir)
		o := owners(t, l, "1001")[0]
		s := put(t, l, message(o, "1001", "1", "hello"))[0].Session
		elsewhere := message(o, "1001", "1", "hello")
		elsewhere.Message.Chat.ID = "1002"
		other := put(t, l, elsewhere)[0].Session
		asked := func(want string) {
			t.Helper()
			got, err := l.Asked(ctx, s)
			if string(got) != want || (want == "") != (nacre.KindOf(err) == nacre.NotFound) {
				t.Errorf("got %s, %v; want %q", got, err, want)
			}
		}
		ask := func(to nacre.SessionInfo, content string, lasts time.Duration) {
			t.Helper()
			if err := l.PutAsk(ctx, to, json.RawMessage(content), time.Now().Add(lasts)); err != nil {
				t.Fatal(err)
			}
		}
		asked("")
		ask(other, `{"q":0}`, time.Hour)
		asked("")
		ask(s, `{"q":1}`, time.Hour)
		asked(`{"q":1}`)
		ask(s, `{"q":2}`, time.Minute)
		asked(`{"q":2}`)
		l.Close()
		l = open(t, dir)
		asked(`{"q":2}`)
		time.Sleep(time.Minute)
		asked("")
		ask(s, `{"q":3}`, time.Minute)
		for range 2 {
			if err := l.DropAsk(ctx, s); err != nil {
				t.Fatal(err)
			}
			asked("")
		}
		if got, err := l.Asked(ctx, other); err != nil || string(got) != `{"q":0}` {
			t.Errorf("the other session's: %s, %v", got, err)
		}
		l.Close()
	})
}
