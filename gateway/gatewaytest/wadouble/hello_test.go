package wadouble

import (
	"testing"

	"go.mau.fi/whatsmeow/types/events"
)

func TestHello(t *testing.T) {
	inBubble(t, func(b *bot) {
		me, ann := b.server.Account("15550000000"), b.server.Account("15550000001")
		ann.Named("Ann")
		id := ann.Say(me.PN(), "hello")
		got := b.message(id)
		if got.Message.GetConversation() != "hello" || got.Info.Chat != ann.LID() || got.Info.SenderAlt.User != ann.PN().User || got.Info.PushName != "Ann" {
			b.Errorf("got %q from %+v", got.Message.GetConversation(), got.Info)
		}
		answer := b.send(got.Info.Chat, Text("hi"))
		if shown := b.shown(ann, me.LID(), answer); shown.Text != "hi" || shown.From != me.LID() {
			b.Errorf("Ann is shown %+v", shown)
		}
		b.shown(me, ann.LID(), answer)
		await(b, func(r *events.Receipt) bool { return r.MessageIDs[0] == answer })
		settle()
		if n := me.Unacked(); n != 0 {
			b.Errorf("%d messages are not acknowledged", n)
		}
	})
}
