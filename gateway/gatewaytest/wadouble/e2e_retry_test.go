package wadouble

import (
	"slices"
	"testing"
	"testing/synctest"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"
)

// asks is how often the bot asked for a message again.
func asks(of *Account, id types.MessageID) (n int) {
	for _, r := range of.Receipts() {
		if r.Type == "retry" && slices.Contains(r.IDs, id) {
			n++
		}
	}
	return n
}

// What the bot cannot decrypt comes again, once.
func TestRetryOfTheBot(t *testing.T) {
	inBubble(t, func(b *bot) {
		anna, to := b.server.Account("15550000001"), b.server.Account("15550000000").LID()
		for _, first := range []bool{true, false} {
			id := anna.Send(to, Text("garbled"), Opts{Garble: true})
			await(b, func(e *events.UndecryptableMessage) bool { return e.Info.ID == id })
			if got := words(b.message(id).RawMessage).text; got != "garbled" {
				b.Errorf("first is %v: the bot reads %q", first, got)
			}
			if n := asks(anna, id); n != 1 {
				b.Errorf("first is %v: the bot asked %d times; want once", first, n)
			}
			whole := anna.Say(to, "whole")
			if got := words(b.message(whole).RawMessage).text; got != "whole" || asks(anna, whole) != 0 {
				b.Errorf("first is %v: the bot reads %q and asked %d times", first, got, asks(anna, whole))
			}
		}
		synctest.Wait()
		if n := b.server.Account("15550000000").Unacked(); n != 0 {
			b.Errorf("%d messages are not acknowledged", n)
		}
	})
}

// A phone that has lost its sessions asks for what it cannot decrypt, and shows it
// once.
func TestRetryOfAPhone(t *testing.T) {
	inBubble(t, func(b *bot) {
		anna, chat := b.server.Account("15550000001"), b.server.Account("15550000000").LID()
		b.shown(anna, chat, b.send(anna.LID(), Text("before")))
		anna.Forget()
		id := b.send(anna.LID(), Text("lost and found"))
		if got := b.shown(anna, chat, id); got.Text != "lost and found" {
			b.Errorf("anna is shown %+v", got)
		}
		b.message(anna.Say(chat, "thanks"))
		b.shown(anna, chat, b.send(anna.LID(), Text("after")))
		if got := anna.Shown(chat); len(got) != 4 {
			b.Errorf("anna is shown %+v; want four messages", got)
		}
	})
}

// After a restart a client can give again only what its program remembers.
func TestRetryAfterARestart(t *testing.T) {
	for _, test := range []struct {
		name  string
		again *waE2E.Message
		shown int
	}{{"remembered", Text("words"), 1}, {"forgotten", nil, 0}} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(b *bot) {
				anna, chat := b.server.Account("15550000001"), b.server.Account("15550000000").LID()
				id := b.send(anna.LID(), Text("words"))
				b.shown(anna, chat, id)
				b = b.restarted()
				asked := make(chan types.MessageID, 1)
				b.GetMessageForRetry = func(_, _ types.JID, of types.MessageID) *waE2E.Message {
					asked <- of
					return test.again
				}
				anna.Lose(chat, id)
				if of := <-asked; of != id {
					b.Errorf("the phone asks for %s; want %s", of, id)
				}
				settle()
				if got := anna.Shown(chat); len(got) != test.shown {
					b.Errorf("anna is shown %+v; want %d messages", got, test.shown)
				}
				b.shown(anna, chat, b.send(anna.LID(), Text("next")))
			})
		})
	}
}
