package wadouble

import (
	"testing"
	"testing/synctest"
	"time"

	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"
)

func TestTimelock(t *testing.T) {
	inBubble(t, func(b *bot) {
		until := time.Now().Add(time.Hour)
		b.server.Account("15550000000").Timelock(until)
		e := await(b, func(*events.NotifyAccountReachoutTimelock) bool { return true })
		if !e.IsActive || !e.TimeEnforcementEnds.Equal(until) {
			b.Errorf("got %+v", e)
		}
		b.server.Account("15550000000").Timelock(time.Time{})
		await(b, func(e *events.NotifyAccountReachoutTimelock) bool { return !e.IsActive })
	})
}

func TestReceiptsAndTyping(t *testing.T) {
	inBubble(t, func(b *bot) {
		me, ann := b.server.Account("15550000000"), b.server.Account("15550000001")
		id := ann.Say(me.LID(), "hello")
		got := b.message(id).Info
		synctest.Wait()
		if err := b.MarkRead(b.Context(), []types.MessageID{id}, time.Now(), got.Chat, got.Sender); err != nil {
			b.Fatal(err)
		}
		if err := b.SendChatPresence(b.Context(), got.Chat, types.ChatPresenceComposing, ""); err != nil {
			b.Fatal(err)
		}
		synctest.Wait()
		receipts, typings := ann.Receipts(), ann.Typings()
		if len(receipts) != 2 || receipts[0].Type != "inactive" || receipts[1].Type != "read" || receipts[1].Chat != me.LID() || receipts[1].IDs[0] != id {
			b.Errorf("receipts %+v", receipts)
		}
		if len(typings) != 1 || typings[0].State != "composing" || typings[0].Chat != me.LID() {
			b.Errorf("typings %+v", typings)
		}
		answer := b.send(ann.LID(), Text("hi"))
		await(b, func(r *events.Receipt) bool { return r.Type == types.ReceiptTypeDelivered && r.MessageIDs[0] == answer })
		ann.Read(me.LID(), answer)
		await(b, func(r *events.Receipt) bool { return r.Type == types.ReceiptTypeRead && r.MessageIDs[0] == answer })
	})
}

// The account's own phone asks too, for what its companion sent to others.
func TestOwnPhoneAsksAgain(t *testing.T) {
	inBubble(t, func(b *bot) {
		me, ann := b.server.Account("15550000000"), b.server.Account("15550000001")
		b.shown(me, ann.LID(), b.send(ann.LID(), Text("before")))
		me.Forget()
		answer := b.send(ann.LID(), Text("after"))
		if got := b.shown(me, ann.LID(), answer); got.Text != "after" {
			b.Errorf("shown %+v", got)
		}
		await(b, func(r *events.Receipt) bool {
			return r.Type == types.ReceiptTypeRetry && r.MessageIDs[0] == answer && r.IsFromMe
		})
	})
}
