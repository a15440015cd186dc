package whatsapp

import (
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"
	"google.golang.org/protobuf/proto"

	"nacre"
)

func TestHeeds(t *testing.T) {
	broadcast := func(chat types.JID) *events.Message {
		e := inGroup(from(adaLID, adaPN, "S", say("to all")))
		e.Info.Chat = chat
		return e
	}
	meta := types.NewJID("13135550002", types.DefaultUserServer)
	tests := []struct {
		name     string
		e        *events.Message
		own      bool // heard where the number is the operator's own
		separate bool // heard where it is the assistant's
	}{
		{"a person", from(adaLID, adaPN, "A", say("hello")), false, true},
		{"a group", inGroup(from(adaLID, adaPN, "A", say("hello"))), false, true},
		{"note to self", sayUs("A", "hello"), true, false},
		{"note to self, by number", fromUs(usPN, on(usPN, 2), "A", say("hello")), true, false},
		{"our own device", fromUs(usLID, on(usLID, ourDevice), "A", say("hello")), false, false},
		{"to a friend, from the phone", fromUs(adaLID, usLID, "A", say("hello")), false, false},
		{"to a friend by number, from the phone", fromUs(adaPN, usPN, "A", say("hello")), false, false},
		{"to a group, from the phone", inGroup(fromUs(club, usLID, "A", say("hello"))), false, false},
		{"status", broadcast(types.StatusBroadcastJID), false, false},
		{"broadcast list", broadcast(types.NewJID("1600000000", types.BroadcastServer)), false, false},
		{"channel", from(types.NewJID("120363", types.NewsletterServer), types.EmptyJID, "A", say("news")), false, false},
		{"bot", from(types.NewMetaAIJID, types.EmptyJID, "A", say("beep")), false, false},
		{"bot with a number", from(meta, types.EmptyJID, "A", say("beep")), false, false},
		{"WhatsApp itself", from(types.PSAJID, types.EmptyJID, "A", say("news")), false, false},
	}
	for _, own := range []bool{true, false} {
		l := newListener(t, own)
		for _, tt := range tests {
			want := map[bool]bool{true: tt.own, false: tt.separate}[own]
			if got := l.heeds(&tt.e.Info.MessageSource); got != want {
				t.Errorf("own number %t: %s is heard: %t", own, tt.name, got)
			}
			l.hears(t, tt.e) // never kept back
		}
	}
}

// In the chat with oneself the operator speaks, by whatever identity of theirs.
func TestNoteToSelf(t *testing.T) {
	l := newListener(t, true)
	l.hears(t, sayUs("A", "one"), fromUs(usPN, usPN, "B", say("two")), fromUs(adaLID, usLID, "C", say("for Ada")))
	all := l.host.Messages()
	if len(all) != 2 {
		t.Fatalf("got %+v", all)
	}
	for _, m := range all {
		if m.Chat != chatOf(usLID) || !m.Private || !slices.Contains(m.Also, addressOf(usPN)) {
			t.Errorf("got %+v", m)
		}
	}
}

func TestReceiveTwice(t *testing.T) {
	l := newListener(t, false)
	key := &waE2E.Message{SenderKeyDistributionMessage: &waE2E.SenderKeyDistributionMessage{}}
	e := inGroup(from(adaLID, adaPN, "A", say("hello")))
	l.hears(t, inGroup(from(adaLID, adaPN, "A", key)), e, e)
	l.hears(t, inGroup(from(bobLID, bobPN, "A", say("the same id"))))
	if got := l.texts(); got != "hello|the same id" {
		t.Errorf("got %q", got)
	}
	if n := times(l.log, "skipped"); n != 0 {
		t.Errorf("a key is logged as a message: %d", n)
	}
}

func TestUnknownKindIsLoggedOnce(t *testing.T) {
	l := newListener(t, false)
	pay := &waE2E.Message{SendPaymentMessage: &waE2E.SendPaymentMessage{}}
	l.hears(t, from(adaLID, adaPN, "A", pay), from(bobLID, bobPN, "B", pay), from(adaLID, adaPN, "C", say("hello")))
	if n := times(l.log, "kind=sendPaymentMessage"); n != 1 || l.texts() != "hello" {
		t.Errorf("logged %d times, stored %q", n, l.texts())
	}
}

func TestStoringIsTriedAgain(t *testing.T) {
	tests := []struct {
		name string
		err  error
		heal time.Duration // 0: never
		want bool
		last time.Duration // after which it is decided, at most
	}{
		{"soon well", nacre.Errorf(nacre.Transient, "busy"), 20 * time.Second, true, 40 * time.Second},
		{"never well", nacre.Errorf(nacre.Transient, "busy"), 0, false, 2 * time.Minute},
		{"asked to wait long", &nacre.Error{Kind: nacre.Transient, Text: "busy", After: time.Hour}, 0, false, 0},
		{"broken", nacre.Errorf(nacre.Internal, "disk full"), 0, false, 0},
		{"never to be stored", nacre.Errorf(nacre.Invalid, "too long"), 0, true, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newListener(t, false)
				l.host.Fail(tt.err)
				if tt.heal > 0 {
					time.AfterFunc(tt.heal, func() { l.host.Fail(nil) })
				}
				began := time.Now()
				if got := l.receive(from(adaLID, adaPN, "A", say("hello"))); got != tt.want {
					t.Errorf("handled: %t", got)
				}
				if took := time.Since(began); took > tt.last {
					t.Errorf("took %s", took)
				}
				if stored := len(l.host.Messages()) == 1; stored != (tt.heal > 0) {
					t.Errorf("stored: %t", stored)
				}
				l.stop()
			})
		})
	}
}

// A connection that ends takes no one's word that a message is stored.
func TestStoringEndsWithTheConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newListener(t, false)
		l.host.Fail(nacre.Errorf(nacre.Transient, "busy"))
		time.AfterFunc(time.Second, l.stop)
		began := time.Now()
		if l.receive(from(adaLID, adaPN, "A", say("hello"))) || time.Since(began) != time.Second {
			t.Errorf("after %s", time.Since(began))
		}
	})
}

func TestAge(t *testing.T) {
	day := 24 * time.Hour
	tests := []struct {
		name string
		age  time.Duration
		late bool
		kept bool
	}{
		{"now", 0, false, true},
		{"from a phone that is ahead", -time.Hour, false, true},
		{"half a day", 12 * time.Hour, false, true},
		{"more than half a day", 12*time.Hour + time.Second, true, true},
		{"a week", 7 * day, true, true},
		{"more than a week", 7*day + time.Second, false, false},
		{"from before there was a time", 60 * 365 * day, false, false},
	}
	synctest.Test(t, func(t *testing.T) {
		l := newListener(t, false)
		for i, tt := range tests {
			e := from(adaLID, adaPN, string(rune('A'+i)), say(tt.name))
			e.Info.Timestamp = time.Now().Add(-tt.age)
			before := len(l.host.Messages())
			l.hears(t, e)
			all := l.host.Messages()
			if kept := len(all) > before; kept != tt.kept {
				t.Errorf("%s: kept %t", tt.name, kept)
			} else if m := all[len(all)-1]; kept && (m.Late != tt.late || m.Quiet != tt.late) {
				t.Errorf("%s: late %t, quiet %t", tt.name, m.Late, m.Quiet)
			}
		}
		time.Sleep(2 * tallyRest)
		if times(l.log, "came too late") != 1 || times(l.log, "count=2") != 1 {
			t.Error("what was dropped is not counted in the log")
		}
		l.stop()
	})
}

// What cannot be read is logged once; what is to be seen once is answered where we
// know its sender.
func TestUndecryptable(t *testing.T) {
	l := newListener(t, false)
	l.host.Strange(whatsappAddress(bobLID.String()))
	sealed := func(sender, alt types.JID, id string, kind events.UnavailableType) *events.UndecryptableMessage {
		return &events.UndecryptableMessage{Info: from(sender, alt, id, nil).Info, IsUnavailable: kind != "", UnavailableType: kind}
	}
	once := events.UnavailableTypeViewOnce
	club := sealed(adaLID, adaPN, "C", once)
	club.Info = inGroup(&events.Message{Info: club.Info}).Info
	for _, e := range []*events.UndecryptableMessage{
		sealed(adaLID, adaPN, "A", ""), sealed(adaLID, adaPN, "A", ""), sealed(adaLID, adaPN, "B", once),
		sealed(adaLID, adaPN, "B", once), sealed(bobLID, bobPN, "B", once), club,
	} {
		l.undecryptable(e)
	}
	all := l.host.Messages()
	if len(all) != 1 || all[0].External != "B" || all[0].Quiet || all[0].Segments[0] != (nacre.Segment{Provenance: nacre.Label, Text: viewOnce}) {
		t.Errorf("got %+v", all)
	}
	if n := times(l.log, "cannot be read"); n != 4 || times(l.log, "sent again") != 0 || times(l.log, "send it again") != 1 {
		t.Errorf("logged %d times", n)
	}
}

// That something came which is to be seen once is told by the library when it is
// acknowledged. If it cannot be stored then, it is later.
func TestViewOnceIsOwed(t *testing.T) {
	play(t, false, func(p *scene) {
		l := p.online()
		info := from(p.ann.LID(), p.ann.PN(), "VO", nil).Info
		p.host.Fail(nacre.Errorf(nacre.Internal, "disk full"))
		if l.guard(&events.UndecryptableMessage{Info: info, IsUnavailable: true, UnavailableType: events.UnavailableTypeViewOnce}) {
			t.Error("the library is told that it is handled")
		}
		p.after(10 * time.Minute)
		p.host.Fail(nil)
		p.after(10 * time.Minute)
		if all := p.host.Messages(); len(all) != 2 || all[1].External != "VO" {
			t.Errorf("stored %+v", all)
		}
		p.restart()
		if all := p.host.Messages(); len(all) != 2 {
			t.Errorf("then stored %+v", all)
		}
	})
}

// A message in a group that is brought again has the name that it had, although its
// sender's other identity was learnt in between.
func TestGroupMessageComesTwice(t *testing.T) {
	l := newListener(t, false)
	again := func() *events.Message { return inGroup(from(bobPN, types.EmptyJID, "ID", say("hi"))) }
	l.hears(t, again())
	if err := l.client.Store.LIDs.PutLIDMapping(t.Context(), bobLID, bobPN); err != nil {
		t.Fatal(err)
	}
	l.hears(t, again(), inGroup(from(bobLID, bobPN, "ID", say("another name"))))
	if got := l.texts(); got != "hi|another name" {
		t.Errorf("stored %q", got)
	}
}

// Strangers get no room in what is remembered of chats.
func TestExpiryOfStrangers(t *testing.T) {
	l := newListener(t, false)
	l.host.Strange(addressOf(bobLID))
	for _, who := range [][2]types.JID{{adaLID, adaPN}, {bobLID, bobPN}} {
		l.hears(t, from(who[0], who[1], "A", text("hush", &waE2E.ContextInfo{Expiration: proto.Uint32(60)})))
	}
	if l.memo.timer(chatOf(adaLID).ID) != 60 || l.memo.timer(chatOf(bobLID).ID) != 0 || len(l.memo.read().Timers) != 1 {
		t.Errorf("remembers %v", l.memo.read().Timers)
	}
}

func TestExpiry(t *testing.T) {
	timer := &waE2E.Message{ProtocolMessage: &waE2E.ProtocolMessage{
		Type: waE2E.ProtocolMessage_EPHEMERAL_SETTING.Enum(), EphemeralExpiration: proto.Uint32(604800),
	}}
	ephemeral := text("hush", &waE2E.ContextInfo{Expiration: proto.Uint32(86400)})
	thumb := &waE2E.Message{ReactionMessage: &waE2E.ReactionMessage{Text: proto.String("👍")}}
	steps := []struct {
		name string
		in   *waE2E.Message
		want uint32
	}{
		{"message that stays", say("hello"), 0},
		{"setting", timer, 604800},
		{"reaction", thumb, 604800},
		{"message that disappears", ephemeral, 86400},
		{"message that stays again", say("hello"), 0},
	}
	l := newListener(t, false)
	for i, s := range steps {
		l.hears(t, from(adaLID, adaPN, string(rune('A'+i)), s.in))
		if got := l.memo.timer(chatOf(adaLID).ID); got != s.want {
			t.Errorf("%s: %d, want %d", s.name, got, s.want)
		}
	}
	full := newMemo(t.TempDir(), slog.New(slog.DiscardHandler))
	full.facts.Timers, full.known = map[nacre.ChatID]uint32{}, true
	for i := range mostTimers {
		full.facts.Timers[nacre.ChatID(rune(i))] = 5
	}
	full.keepTimer("one more", 5)
	if n := len(full.read().Timers); n != 1 {
		t.Errorf("remembers %d chats", n)
	}
}
