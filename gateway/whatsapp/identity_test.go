package whatsapp

import (
	"reflect"
	"testing"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"google.golang.org/protobuf/proto"

	"nacre"
)

func whatsappAddress(id string) nacre.Address { return nacre.Address{Channel: nacre.WhatsApp, ID: id} }

func TestAddressOf(t *testing.T) {
	tests := []struct {
		name string
		in   types.JID
		want string // empty: nobody
	}{
		{"number", adaPN, "15550000001"},
		{"number on a device", on(adaPN, 7), "15550000001"},
		{"LID", adaLID, "100000000000001@lid"},
		{"LID on a device", on(adaLID, 7), "100000000000001@lid"},
		{"hosted number", types.NewJID("15550000001", types.HostedServer), "15550000001"},
		{"hosted LID", types.NewJID("100000000000001", types.HostedLIDServer), "100000000000001@lid"},
		{"old server", types.NewJID("15550000001", types.LegacyUserServer), "15550000001"},
		{"WhatsApp itself", types.PSAJID, ""},
		{"group", club, ""},
		{"status", types.StatusBroadcastJID, ""},
		{"channel", types.NewJID("1", types.NewsletterServer), ""},
		{"server", types.ServerJID, ""},
		{"another network", types.NewJID("1", types.MessengerServer), ""},
		{"nothing", types.EmptyJID, ""},
	}
	for _, tt := range tests {
		got := addressOf(tt.in)
		if got.ID != tt.want || (got == nacre.Address{}) != (tt.want == "") {
			t.Errorf("%s: %v", tt.name, got)
		}
		if tt.want == "" {
			continue
		}
		if a, err := nacre.ParseAddress("whatsapp:" + got.ID); err != nil || a != got {
			t.Errorf("%s: written in a list of owners it is %v, %v", tt.name, a, err)
		}
	}
}

// A person is one whatever the server calls them, and no words make them another.
func TestSenderIdentities(t *testing.T) {
	stored := func(l *listener) {
		if err := l.client.Store.LIDs.PutLIDMapping(t.Context(), adaLID, adaPN); err != nil {
			t.Fatal(err)
		}
	}
	card := &waE2E.Message{ContactMessage: &waE2E.ContactMessage{
		DisplayName: proto.String("Ada"), Vcard: proto.String("BEGIN:VCARD\nTEL;waid=15550000001:+1 555 000 0001\nEND:VCARD"),
	}}
	both := []nacre.Address{whatsappAddress("15550000001")}
	tests := []struct {
		name        string
		sender, alt types.JID
		before      func(*listener)
		in          []*waE2E.Message
		author      string
		also        []nacre.Address
	}{
		{"LID on a device, with the number", on(adaLID, 7), on(adaPN, 7), nil, nil, "100000000000001@lid", both},
		{"number, with the LID", on(adaPN, 7), adaLID, nil, nil, "100000000000001@lid", both},
		{"hosted", types.NewJID(adaPN.User, types.HostedServer), types.NewJID(adaLID.User, types.HostedLIDServer), nil, nil, "100000000000001@lid", both},
		{"LID alone, stored before", on(adaLID, 7), types.EmptyJID, stored, nil, "100000000000001@lid", both},
		{"number alone, stored before", adaPN, types.EmptyJID, stored, nil, "100000000000001@lid", both},
		{"LID alone", on(adaLID, 7), types.EmptyJID, nil, nil, "100000000000001@lid", nil},
		{"number alone", adaPN, types.EmptyJID, nil, nil, "15550000001", nil},
		{"two LIDs", adaLID, bobLID, nil, nil, "100000000000001@lid", nil},
		{"a contact card", bobLID, types.EmptyJID, nil, []*waE2E.Message{card}, "100000000000002@lid", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newListener(t, false)
			if tt.before != nil {
				tt.before(l)
			}
			for i, m := range append(tt.in, say("hello")) {
				l.hears(t, from(tt.sender, tt.alt, string(rune('A'+i)), m))
			}
			all := l.host.Messages()
			if len(all) == 0 {
				t.Fatal("nothing came")
			}
			m := all[len(all)-1]
			if m.Author.ID != tt.author || !reflect.DeepEqual(m.Also, tt.also) || m.Chat != chatOf(personOf(tt.sender, tt.alt).jid()) && tt.before == nil {
				t.Errorf("author %v, also %v, chat %v", m.Author, m.Also, m.Chat)
			}
			unresolved := tt.also == nil && tt.author[0] == '1' && m.Chat.ID == nacre.ChatID(tt.author)
			if logged := times(l.log, "only their LID counts") == 1; logged != unresolved {
				t.Errorf("logged: %t", logged)
			}
		})
	}
}

// Nobody else is admitted by what a sender writes about themselves.
func TestSenderWithoutIdentity(t *testing.T) {
	l := newListener(t, false)
	nobody := inGroup(from(types.NewJID("1", types.InteropServer), types.EmptyJID, "A", say("hello")))
	l.hears(t, nobody, nobody)
	l.hears(t, from(adaLID, adaPN, "B", say("hello")))
	if got := l.host.Messages(); len(got) != 1 || got[0].Author.ID != adaLID.String() {
		t.Errorf("got %+v", got)
	}
	if n := times(l.log, "without an identity"); n != 1 {
		t.Errorf("logged %d times", n)
	}
}

// What was said under the number goes on under the LID, and the gateway is told so
// before the first message that comes there.
func TestChatMovesToLID(t *testing.T) {
	l := newListener(t, false)
	l.hears(t, from(adaPN, types.EmptyJID, "A", say("one")))
	if got := l.host.Moves(); len(got) != 0 {
		t.Errorf("moved %v", got)
	}
	l.hears(t, from(adaPN, adaLID, "B", say("two")), from(adaLID, adaPN, "C", say("three")))
	l.hears(t, inGroup(from(bobLID, bobPN, "D", say("four"))))
	if got := l.host.Moves(); len(got) != 1 || got[0] != [2]nacre.Chat{chatOf(adaPN), chatOf(adaLID)} {
		t.Errorf("moved %v", got)
	}
	if got := l.host.Messages(); got[1].Chat != chatOf(adaLID) || got[2].Chat != chatOf(adaLID) {
		t.Errorf("got %+v", got)
	}
}
