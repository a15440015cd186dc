package wadouble

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"
)

func TestNames(t *testing.T) {
	tests := []struct {
		name        string
		o           Opts
		sender, alt func(ann *Account) types.JID
	}{
		{"by LID", Opts{}, (*Account).LID, (*Account).PN},
		{"by LID alone", Opts{NoAlt: true}, (*Account).LID, nobody},
		{"by number", Opts{ByNumber: true}, (*Account).PN, (*Account).LID},
		{"by number alone", Opts{ByNumber: true, NoAlt: true}, (*Account).PN, nobody},
		{"another device", Opts{Device: 7},
			func(a *Account) types.JID { return withDevice(a.LID(), 7) },
			func(a *Account) types.JID { return withDevice(a.PN(), 7) }},
	}
	inBubble(t, func(b *bot) {
		me := b.server.Account("15550000000")
		for i, test := range tests {
			ann := b.server.Account(fmt.Sprint(15550000001 + i)) // whose identities are not known yet
			got := b.message(ann.Send(me.PN(), Text("hello"), test.o)).Info
			if got.Sender != test.sender(ann) || got.SenderAlt != test.alt(ann) || got.IsFromMe || got.IsGroup {
				b.Errorf("%s: got %+v", test.name, got.MessageSource)
			}
			answer := b.send(got.Chat, Text("hi"))
			b.shown(ann, me.LID(), answer)
		}
	})
}

func nobody(*Account) types.JID { return types.JID{} }

func TestNoSender(t *testing.T) {
	inBubble(t, func(b *bot) {
		me, ann := b.server.Account("15550000000"), b.server.Account("15550000001")
		ann.Send(me.LID(), Text("from nobody"), Opts{NoSender: true})
		ann.Say(me.LID(), "from Ann")
		if got := b.reads(); got != "from Ann" || me.Unacked() != 0 {
			b.Errorf("read %q, %d messages wait", got, me.Unacked())
		}
	})
}

func TestOwnMessages(t *testing.T) {
	inBubble(t, func(b *bot) {
		me, ann := b.server.Account("15550000000"), b.server.Account("15550000001")
		group := b.server.Group("Party", ann, me)
		for _, test := range []struct {
			name     string
			to, chat types.JID
			o        Opts
		}{
			{"to a friend", ann.LID(), ann.LID(), Opts{}},
			{"to a friend's number", ann.PN(), ann.PN(), Opts{ByNumber: true}},
			{"to oneself", me.PN(), me.LID(), Opts{}},
			{"to one's own number", me.PN(), me.PN(), Opts{ByNumber: true}},
			{"to a group", group, group, Opts{}},
		} {
			id := me.Send(test.to, Text(test.name), test.o)
			e := await(b, func(e *events.Message) bool { return e.Info.ID == id && e.Message.GetConversation() != "" })
			if !e.Info.IsFromMe || e.Info.Chat != test.chat || e.Info.Sender.Device != 0 || e.Message.GetConversation() != test.name {
				b.Errorf("%s: %q in %+v", test.name, e.Message.GetConversation(), e.Info.MessageSource)
			}
		}
		for range 3 { // the library encrypts twice for the phone from the second on
			note := b.send(me.LID(), Text("noted"))
			if got := b.shown(me, me.LID(), note); got.Text != "noted" || got.From != me.LID() {
				b.Errorf("the phone shows %+v", got)
			}
		}
		if got := len(me.Shown(me.PN())); got != 5 {
			b.Errorf("the phone shows %d notes, want 5", got)
		}
	})
}

func TestBroadcasts(t *testing.T) {
	inBubble(t, func(b *bot) {
		me, ann := b.server.Account("15550000000"), b.server.Account("15550000001")
		status := b.message(ann.Send(types.StatusBroadcastJID, Text("my day"), Opts{}))
		if status.Info.Chat != types.StatusBroadcastJID || status.Info.Sender != ann.LID() {
			b.Errorf("a status comes as %+v", status.Info.MessageSource)
		}
		news := types.NewJID("120363999", types.NewsletterServer)
		post := b.message(ann.Send(news, Text("news"), Opts{}))
		if post.Info.Chat != news {
			b.Errorf("a post comes as %+v", post.Info.MessageSource)
		}
		if synctest.Wait(); me.Unacked() != 0 {
			b.Errorf("%d messages wait", me.Unacked())
		}
	})
}

func TestHistory(t *testing.T) {
	inBubble(t, func(b *bot) {
		me, ann := b.server.Account("15550000000"), b.server.Account("15550000001")
		me.History(ann.LID(), "one", "two")
		got := await(b, func(*events.HistorySync) bool { return true }).Data.GetConversations()
		if len(got) != 1 || got[0].GetID() != ann.LID().String() || len(got[0].GetMessages()) != 2 {
			b.Errorf("got %v", got)
		}
		time.Sleep(2 * time.Minute) // the library waits for more
	})
}

func TestUnknownPeople(t *testing.T) {
	inBubble(t, func(b *bot) {
		for to, want := range map[string]string{
			"15559999999@s.whatsapp.net": "no LID found",
			"999@lid":                    "404",
			"120363@g.us":                "does not exist",
			b.server.Group("Others", b.server.Account("15550000001")).String(): "not participating",
			b.server.Account("15550000002").LID().String():                     "",
		} {
			j, err := types.ParseJID(to)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := b.SendMessage(b.Context(), j, Text("hello")); !says(err, want) {
				b.Errorf("to %s: %v, want %q", to, err, want)
			}
		}
	})
}
