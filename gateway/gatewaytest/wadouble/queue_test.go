package wadouble

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"go.mau.fi/whatsmeow/types/events"
)

// reads lists the words of the messages that came, in order, once nothing happens
// any more.
func (b *bot) reads() string {
	synctest.Wait()
	var list []string
	for {
		select {
		case e := <-b.events:
			if m, ok := e.(*events.Message); ok && words(m.RawMessage).text != "" {
				list = append(list, words(m.RawMessage).text)
			}
		default:
			return strings.Join(list, " ")
		}
	}
}

// again connects anew, and forgets the events so far.
func (b *bot) again() {
	b.Helper()
	settle()
	b.Disconnect()
	b.reads()
	if err := b.Connect(); err != nil {
		b.Fatal(err)
	}
}

func TestOfflineQueue(t *testing.T) {
	inBubble(t, func(b *bot) {
		me, ann := b.server.Account("15550000000"), b.server.Account("15550000001")
		group := b.server.Group("Party", ann, me)
		settle()
		b.Disconnect()
		for i := range 3 {
			ann.Say(me.LID(), fmt.Sprint("m", i))
		}
		ann.Say(group, "g")
		if n := me.Unacked(); n != 4 {
			b.Errorf("%d messages wait, want 4", n)
		}
		b.again()
		if preview := await(b, func(*events.OfflineSyncPreview) bool { return true }); preview.Messages != 4 {
			b.Errorf("the preview is %+v", preview)
		}
		if got := b.reads(); got != "m0 m1 m2 g" {
			b.Errorf("read %q", got)
		}
		if n := me.Unacked(); n != 0 {
			b.Errorf("%d messages wait in the end", n)
		}
		b.again()
		if got := b.reads(); got != "" {
			b.Errorf("after another connection again %q", got)
		}
	})
}

func TestUnhandledComesAgain(t *testing.T) {
	inBubble(t, func(b *bot) {
		me, ann := b.server.Account("15550000000"), b.server.Account("15550000001")
		b.SynchronousAck, b.EnableDecryptedEventBuffer = true, true
		var fails atomic.Bool
		fails.Store(true)
		b.AddEventHandlerWithSuccessStatus(func(e any) bool {
			_, message := e.(*events.Message)
			return !message || !fails.Load()
		})
		ann.Say(me.LID(), "one")
		ann.Say(me.LID(), "two")
		if got := b.reads(); got != "one two" || me.Unacked() != 2 {
			b.Errorf("read %q, %d messages wait", got, me.Unacked())
		}
		fails.Store(false)
		b.again()
		if got := b.reads(); got != "one two" || me.Unacked() != 0 {
			b.Errorf("again read %q, %d messages wait", got, me.Unacked())
		}
	})
}

func TestDuplicates(t *testing.T) {
	inBubble(t, func(b *bot) {
		me, ann := b.server.Account("15550000000"), b.server.Account("15550000001")
		b.SynchronousAck, b.EnableDecryptedEventBuffer = true, true
		ann.Send(me.LID(), Text("twice"), Opts{Times: 2})
		ann.Send(me.LID(), Text("same id"), Opts{ID: "3A77"})
		ann.Send(me.LID(), Text("same id"), Opts{ID: "3A77"})
		if got := b.reads(); got != "twice same id same id" || me.Unacked() != 0 {
			b.Errorf("read %q, %d messages wait", got, me.Unacked())
		}
		if shown := ann.Shown(me.PN()); len(shown) != 2 {
			b.Errorf("the phone shows %+v", shown)
		}
	})
}

func TestReplaced(t *testing.T) {
	inBubble(t, func(b *bot) {
		me, ann := b.server.Account("15550000000"), b.server.Account("15550000001")
		other := newClient(b.T, b.server, b.Store, b.server.Transport())
		if err := other.Connect(); err != nil {
			b.Fatal(err)
		}
		await(b, func(*events.StreamReplaced) bool { return true })
		ann.Say(me.LID(), "to the other")
		synctest.Wait()
		if b.IsLoggedIn() || !other.IsLoggedIn() || me.Unacked() != 0 {
			b.Errorf("logged in: %v and %v, %d messages wait", b.IsLoggedIn(), other.IsLoggedIn(), me.Unacked())
		}
	})
}
