package whatsapp

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waCommon"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/proto/waLidMigrationSyncPayload"
	"go.mau.fi/whatsmeow/types"
	"google.golang.org/protobuf/proto"

	"nacre"
	"nacre/gateway/gatewaytest/wadouble"
)

// onOwnNumber is connected for a number that is the operator's own.
func onOwnNumber(t *testing.T, sent *sentParts, test func(r *rig)) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, true)
		r.c.opts.Sent = sent
		r.link()
		r.run()
		r.after(5 * time.Second)
		r.wantState(true, "connected")
		test(r)
	})
}

// wantAcknowledged fails the test if the server still holds a message.
func (r *rig) wantAcknowledged() {
	r.Helper()
	if n := r.us.Unacked(); n != 0 {
		r.Errorf("%d messages are not acknowledged", n)
	}
}

// wantLogged fails the test unless words were logged so often.
func (r *rig) wantLogged(words string, want int) {
	r.Helper()
	if got := times(r.log, words); got != want {
		r.Errorf("%q was logged %d times, want %d", words, got, want)
	}
}

func (r *rig) newest() nacre.Message {
	r.Helper()
	all := r.host.Messages()
	if len(all) == 0 {
		r.Fatal("nothing is stored")
	}
	return all[len(all)-1]
}

// A person is the same whatever the server tells of them, and by nothing that
// somebody writes.
func TestArrivalIdentities(t *testing.T) {
	connected(t, func(r *rig) {
		lid, number := addressOf(r.ann.LID()), addressOf(r.ann.PN())
		eve := r.wa.Account("15550000666")
		lie, err := proto.Marshal(&waLidMigrationSyncPayload.LIDMigrationMappingSyncPayload{
			PnToLidMappings: []*waLidMigrationSyncPayload.LIDMigrationMapping{{
				Pn: proto.Uint64(r.ann.PN().UserInt()), AssignedLid: proto.Uint64(eve.LID().UserInt()),
			}},
		})
		if err != nil {
			r.Fatal(err)
		}
		mapping := &waE2E.Message{ProtocolMessage: &waE2E.ProtocolMessage{
			Type:                           waE2E.ProtocolMessage_LID_MIGRATION_MAPPING_SYNC.Enum(),
			LidMigrationMappingSyncMessage: &waE2E.LIDMigrationMappingSyncMessage{EncodedMappingPayload: lie},
		}}
		history := &waE2E.Message{ProtocolMessage: &waE2E.ProtocolMessage{
			Type: waE2E.ProtocolMessage_HISTORY_SYNC_NOTIFICATION.Enum(),
			HistorySyncNotification: &waE2E.HistorySyncNotification{
				SyncType: waE2E.HistorySyncType_INITIAL_BOOTSTRAP.Enum(), InitialHistBootstrapInlinePayload: []byte("lies"),
			},
		}}
		steps := []struct {
			name   string
			from   *wadouble.Account
			before []*waE2E.Message
			opts   wadouble.Opts
			author nacre.Address
			also   []nacre.Address
		}{
			{"neither told nor known", r.ann, nil, wadouble.Opts{NoAlt: true}, lid, nil},
			{"a device", r.ann, nil, wadouble.Opts{Device: 7}, lid, []nacre.Address{number}},
			{"known from before", r.ann, nil, wadouble.Opts{NoAlt: true}, lid, []nacre.Address{number}},
			{"by number", r.ann, nil, wadouble.Opts{ByNumber: true}, lid, []nacre.Address{number}},
			{"by number alone", r.ann, nil, wadouble.Opts{ByNumber: true, NoAlt: true}, lid, []nacre.Address{number}},
			{"a stranger with somebody's card", eve, []*waE2E.Message{wadouble.Contact("Ann", annsPhone)}, wadouble.Opts{NoAlt: true}, addressOf(eve.LID()), nil},
			{"a stranger with a mapping", eve, []*waE2E.Message{mapping, history}, wadouble.Opts{NoAlt: true}, addressOf(eve.LID()), nil},
			{"the person after the stranger", r.ann, nil, wadouble.Opts{NoAlt: true}, lid, []nacre.Address{number}},
		}
		for _, s := range steps {
			for _, m := range s.before {
				s.from.Send(r.us.LID(), m, s.opts)
			}
			s.from.Send(r.us.LID(), wadouble.Text(s.name), s.opts)
			r.after(time.Second)
			m := r.newest()
			if m.Text() != s.name || m.Author != s.author || !reflect.DeepEqual(m.Also, s.also) || string(m.Chat.ID) != s.author.ID {
				r.Errorf("%s: got %+v", s.name, m)
			}
		}
		if got := r.host.Moves(); len(got) != 1 || got[0] != [2]nacre.Chat{chatOf(r.ann.PN()), chatOf(r.ann.LID())} {
			r.Errorf("moved %v", got)
		}
		r.wantAcknowledged()
	})
}

func TestArrivalKinds(t *testing.T) {
	connected(t, func(r *rig) {
		club := r.wa.Group("Club", r.ann, r.us)
		us := r.us.LID()
		first := r.ann.Say(us, "hello")
		r.ann.Send(us, wadouble.Edit(first, wadouble.Text("hello!")), wadouble.Opts{})
		r.ann.Send(us, wadouble.Reaction(first, "👍"), wadouble.Opts{})
		r.ann.Send(us, wadouble.Forwarded(wadouble.Extended("news"), 5), wadouble.Opts{})
		r.ann.Send(us, wadouble.Unknown(), wadouble.Opts{Times: 2})
		r.ann.Send(us, wadouble.Timer(86400), wadouble.Opts{})
		r.ann.Send(us, wadouble.Ephemeral(wadouble.Text("hush"), 3600), wadouble.Opts{})
		r.ann.Send(us, wadouble.ViewOnce(wadouble.Image(r.wa.Upload(whatsmeow.MediaImage, []byte("secret")), "")), wadouble.Opts{})
		r.after(time.Second) // or the last revision would have the time of the one before
		r.ann.Send(us, wadouble.Revoke(first), wadouble.Opts{})
		r.ann.Say(club, "hi all")
		r.ann.Send(club, wadouble.Mention(wadouble.Extended("@"+us.User+" /help"), us), wadouble.Opts{})
		r.after(time.Second)
		want := []string{
			"hello", "hello! (quiet)", "[reaction 👍 to an earlier message] (quiet)", "news", "hush", viewOnce, takenBack + " (quiet)", "hi all", "/help (to us)",
		}
		var got []string
		for _, m := range r.host.Messages() {
			s := m.Segments[len(m.Segments)-1].Text
			if m.Quiet {
				s += " (quiet)"
			}
			if m.ToUs {
				s += " (to us)"
			}
			got = append(got, s)
		}
		if !slices.Equal(got, want) {
			r.Errorf("stored %q, want %q", got, want)
		}
		if seconds := r.c.memo.timer(chatOf(r.ann.LID()).ID); seconds != 0 {
			r.Errorf("after a message that stays, messages disappear after %d s", seconds)
		}
		r.wantAcknowledged()
		r.wantLogged("kind=unknown", 1)
	})
}

// Newer apps encrypt an edit with a secret of the message that it changes.
func TestArrivalSecretEdit(t *testing.T) {
	connected(t, func(r *rig) {
		us, secret := r.us.LID(), []byte(strings.Repeat("s", 32))
		original := wadouble.Extended("helo")
		original.MessageContextInfo = &waE2E.MessageContextInfo{MessageSecret: secret}
		first := r.ann.Send(us, original, wadouble.Opts{})
		r.after(time.Second)
		r.ann.Send(us, sealedEdit(r, secret, first, "UNKNOWN", wadouble.Text("hacked")), wadouble.Opts{})
		r.ann.Send(us, sealedEdit(r, secret, first, first, wadouble.Text("hello")), wadouble.Opts{})
		r.after(time.Second)
		r.wantTexts("helo", "hello")
		if m := r.newest(); m.External != nacre.ExternalID(first) || m.Revision == 0 || !m.Quiet {
			r.Errorf("got %+v", m)
		}
		r.wantLogged("an edit cannot be decrypted", 1)
	})
}

// sealedEdit is an edit of ann's message to us, for the message with the id target.
func sealedEdit(r *rig, secret []byte, id, target types.MessageID, m *waE2E.Message) *waE2E.Message {
	plain, err := proto.Marshal(m)
	if err != nil {
		r.Fatal(err)
	}
	who := r.ann.LID().String()
	key, err := hkdf.Key(sha256.New, secret, nil, id+who+who+string(whatsmeow.EncSecretMessageEdit), 32)
	if err != nil {
		r.Fatal(err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		r.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		r.Fatal(err)
	}
	iv := make([]byte, gcm.NonceSize())
	return &waE2E.Message{SecretEncryptedMessage: &waE2E.SecretEncryptedMessage{
		TargetMessageKey: &waCommon.MessageKey{ID: &target, FromMe: proto.Bool(true)},
		EncPayload:       gcm.Seal(nil, iv, plain, nil), EncIV: iv,
		SecretEncType: waE2E.SecretEncryptedMessage_MESSAGE_EDIT.Enum(),
	}}
}

// What comes twice is stored once, and what comes garbled is asked for again.
func TestArrivalTwiceAndGarbled(t *testing.T) {
	connected(t, func(r *rig) {
		club := r.wa.Group("Club", r.ann, r.us)
		r.ann.Send(r.us.LID(), wadouble.Text("one"), wadouble.Opts{Times: 3})
		r.ann.Send(club, wadouble.Text("two"), wadouble.Opts{Times: 3})
		r.ann.Send(r.us.LID(), wadouble.Text("three"), wadouble.Opts{Garble: true})
		r.ann.Send(club, wadouble.Text("four"), wadouble.Opts{Garble: true})
		r.after(time.Minute)
		r.wantTexts("one", "two", "three", "four")
		r.wantAcknowledged()
		r.wantLogged("a message cannot be read", 2)
	})
}

func TestArrivalOwnNumber(t *testing.T) {
	sent := &sentParts{}
	onOwnNumber(t, sent, func(r *rig) {
		club := r.wa.Group("Club", r.us, r.ann)
		r.ann.Say(r.us.LID(), "from a friend")
		r.us.Say(r.ann.LID(), "to a friend")
		r.us.Say(r.ann.PN(), "to a friend by number")
		r.us.Say(club, "to a group")
		r.us.Say(r.us.LID(), "to myself")
		r.us.Say(r.us.PN(), "to my number")
		r.after(time.Second)
		r.wantTexts("to myself", "to my number")
		for _, m := range r.host.Messages() {
			if m.Chat != chatOf(r.us.LID()) || !slices.Contains(m.Also, addressOf(r.us.PN())) {
				r.Errorf("got %+v", m)
			}
		}
		for _, receipt := range append(r.ann.Receipts(), r.us.Receipts()...) {
			if receipt.Type == string(types.ReceiptTypeRead) {
				r.Errorf("somebody is told that we read %v", receipt.IDs)
			}
		}
		r.wantAcknowledged()
	})
}

// Our own answer comes back in the chat with oneself, with its id or another, by
// either identity of the chat, after a restart too.
func TestArrivalEcho(t *testing.T) {
	sent := &sentParts{}
	onOwnNumber(t, sent, func(r *rig) {
		self := chatOf(r.us.LID())
		first := types.MessageID("")
		answer := func(n int) nacre.Part {
			d := nacre.Delivery{ID: nacre.DeliveryID(fmt.Sprint("answer ", n)), Chat: self, Part: nacre.Part{Text: fmt.Sprint("answer ", n)}}
			id, err := r.c.Send(r.Context(), d, false)
			if err != nil {
				r.Fatal(err)
			}
			if sent.add(self, id, d.Part); first == "" {
				first = string(id)
			}
			r.after(100 * time.Millisecond)
			return d.Part
		}
		words := answer(1).Text
		r.us.Send(r.us.LID(), wadouble.Text(words), wadouble.Opts{ID: first})
		r.us.Say(r.us.LID(), answer(2).Text)
		r.us.Say(r.us.PN(), answer(3).Text)
		answer(4)
		r.stop()
		r.c = r.open()
		r.c.opts.Sent = sent
		r.run()
		r.after(2 * time.Second)
		r.us.Say(r.us.LID(), "answer 4")
		r.us.Send(r.us.PN(), wadouble.Text("answer 1"), wadouble.Opts{ID: first})
		r.after(time.Second)
		r.wantTexts()
		r.after(time.Minute)
		r.us.Say(r.us.LID(), "answer 4")
		r.after(time.Second)
		r.wantTexts("answer 4")
		r.wantAcknowledged()
	})
}

// What waited while we were away is answered, told of or dropped by its age.
func TestArrivalBacklog(t *testing.T) {
	connected(t, func(r *rig) {
		r.stop()
		for _, age := range []time.Duration{8 * 24 * time.Hour, 3 * 24 * time.Hour, 13 * time.Hour, time.Hour} {
			r.ann.Send(r.us.LID(), wadouble.Text(age.String()), wadouble.Opts{At: time.Now().Add(-age)})
		}
		r.us.History(r.ann.LID(), "of long ago", "and before")
		r.restart()
		r.after(time.Minute)
		r.wantTexts("72h0m0s", "13h0m0s", "1h0m0s")
		for i, late := range []bool{true, true, false} {
			if m := r.host.Messages()[i]; m.Late != late || m.Quiet != late {
				r.Errorf("got %+v", m)
			}
		}
		r.wantAcknowledged()
		r.wantLogged("came too late", 1)
	})
}

// Only people whom we know are told that we read them, and only what was for us.
func TestArrivalReadReceipts(t *testing.T) {
	connected(t, func(r *rig) {
		eve := r.wa.Account("15550000666")
		r.host.Strange(addressOf(eve.LID()))
		club := r.wa.Group("Club", r.ann, r.us, eve)
		first := r.ann.Say(r.us.LID(), "hello")
		r.ann.Send(r.us.LID(), wadouble.Reaction(first, "👍"), wadouble.Opts{})
		r.ann.Say(club, "chatter")
		named := r.ann.Send(club, wadouble.Mention(wadouble.Extended("@"+r.us.LID().User+" hi"), r.us.LID()), wadouble.Opts{})
		eve.Say(r.us.LID(), "hello")
		r.after(time.Minute)
		read := func(a *wadouble.Account) (ids []types.MessageID) {
			for _, receipt := range a.Receipts() {
				if receipt.Type == string(types.ReceiptTypeRead) {
					ids = append(ids, receipt.IDs...)
				}
			}
			slices.Sort(ids)
			return ids
		}
		want := []types.MessageID{first, named}
		slices.Sort(want)
		if got := read(r.ann); !slices.Equal(got, want) {
			r.Errorf("read %v, want %v", got, want)
		}
		if got := read(eve); len(got) != 0 {
			r.Errorf("a stranger is told that we read %v", got)
		}
		r.wantLogged("could not be marked", 0)
	})
}

// Keys of a group's senders are stored while messages come as fast as they can.
func TestArrivalBurst(t *testing.T) {
	const count = 500
	connected(t, func(r *rig) {
		members := []*wadouble.Account{r.us, r.ann}
		for i := range 9 {
			members = append(members, r.wa.Account(fmt.Sprint("1555000010", i)))
		}
		club := r.wa.Group("Club", members...)
		for i := range count {
			members[1+i%10].Say(club, fmt.Sprint(i))
		}
		r.after(time.Minute)
		if got := len(r.host.Messages()); got != count {
			r.Errorf("stored %d messages of %d", got, count)
		}
		r.wantAcknowledged()
		r.wantLogged("SQLite", 0)
		r.wantLogged("cannot be read", 0)
	})
}

func TestArrivalWithoutSender(t *testing.T) {
	connected(t, func(r *rig) {
		r.ann.Send(r.us.LID(), wadouble.Text("nobody"), wadouble.Opts{NoSender: true})
		r.ann.Say(r.us.LID(), "somebody")
		r.after(time.Minute)
		r.wantTexts("somebody")
		r.wantAcknowledged()
	})
}
