package whatsapp

import (
	"reflect"
	"testing"
	"time"

	"go.mau.fi/whatsmeow/proto/waCommon"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"
	"google.golang.org/protobuf/proto"

	"nacre"
)

// The people of these tests.
var (
	usLID, usPN   = lidOf("900000000000009"), pnOf("15550000009")
	adaLID, adaPN = lidOf("100000000000001"), pnOf("15550000001")
	bobLID, bobPN = lidOf("100000000000002"), pnOf("15550000002")
	club          = types.NewJID("120363000000000001", types.GroupServer)
	noon          = time.Date(2026, 8, 21, 12, 0, 0, 0, time.UTC)
)

func lidOf(user string) types.JID { return types.NewJID(user, types.HiddenUserServer) }
func pnOf(user string) types.JID  { return types.NewJID(user, types.DefaultUserServer) }

func on(j types.JID, device uint16) types.JID {
	j.Device = device
	return j
}

func privately() envelope {
	return envelope{me: personOf(usLID, usPN), from: personOf(adaLID, adaPN), private: true, chat: chatOf(adaLID)}
}

func inClub() envelope {
	e := privately()
	e.private, e.chat, e.sender = false, chatOf(club), adaLID.User
	return e
}

// came is a message as the library hands it over.
func came(m *waE2E.Message) *events.Message {
	e := &events.Message{RawMessage: m, Info: types.MessageInfo{
		ID:            "ABCD",
		Timestamp:     noon,
		MessageSource: types.MessageSource{Chat: adaLID, Sender: adaLID, SenderAlt: adaPN},
	}}
	return e.UnwrapRaw()
}

// clubCame is came for a message in a group.
func clubCame(m *waE2E.Message) *events.Message {
	e := came(m)
	e.Info.Chat, e.Info.IsGroup = club, true
	return e
}

func text(words string, c *waE2E.ContextInfo) *waE2E.Message {
	return &waE2E.Message{ExtendedTextMessage: &waE2E.ExtendedTextMessage{Text: &words, ContextInfo: c}}
}

func say(words string) *waE2E.Message { return &waE2E.Message{Conversation: &words} }

func replyTo(who types.JID, m *waE2E.Message) *waE2E.ContextInfo {
	return &waE2E.ContextInfo{StanzaID: proto.String("QUOTED"), Participant: proto.String(who.String()), QuotedMessage: m}
}

func mention(who ...types.JID) *waE2E.ContextInfo {
	c := &waE2E.ContextInfo{}
	for _, j := range who {
		c.MentionedJID = append(c.MentionedJID, j.String())
	}
	return c
}

func segments(pairs ...string) []nacre.Segment {
	var s []nacre.Segment
	for i := 0; i < len(pairs); i += 2 {
		s = append(s, nacre.Segment{Provenance: nacre.Provenance(pairs[i]), Text: pairs[i+1]})
	}
	return s
}

func TestConvertSegments(t *testing.T) {
	forwardedOnce := &waE2E.ContextInfo{IsForwarded: proto.Bool(true), ForwardingScore: proto.Uint32(1)}
	forwardedOften := &waE2E.ContextInfo{ForwardingScore: proto.Uint32(7)}
	photo := func(caption string, c *waE2E.ContextInfo) *waE2E.Message {
		return &waE2E.Message{ImageMessage: &waE2E.ImageMessage{Caption: &caption, ContextInfo: c}}
	}
	options := []*waE2E.PollCreationMessage_Option{{OptionName: proto.String("Soup")}, {OptionName: proto.String("Pasta")}}
	lunch := &waE2E.PollCreationMessage{Name: proto.String("Lunch?"), Options: options}
	tests := []struct {
		name string
		in   *waE2E.Message
		want []nacre.Segment // nil: nothing
	}{
		{"text", say("hello"), segments("owner", "hello")},
		{"extended text", text("see https://example.org", nil), segments("owner", "see https://example.org")},
		{"empty text", say(""), nil},
		{"blank text", text(" \n ", nil), nil},
		{"no message", nil, nil},
		{"text that is no UTF-8", say("a\xffb"), segments("owner", "a\uFFFDb")},
		{"reply to us", text("yes", replyTo(usLID, say("Shall I?"))), segments("quoted", "Shall I?", "owner", "yes")},
		{"reply to oneself", text("still so", replyTo(adaLID, say("I like tea"))), segments("quoted", "I like tea", "owner", "still so")},
		{"reply to a caption", text("nice", replyTo(usLID, photo("the lake", nil))), segments("quoted", "the lake", "owner", "nice")},
		{"reply to a disappearing text", text("ok", replyTo(usLID, &waE2E.Message{EphemeralMessage: &waE2E.FutureProofMessage{Message: say("soon gone")}})), segments("quoted", "soon gone", "owner", "ok")},
		{"reply to a photo", text("nice", replyTo(usLID, photo("", nil))), segments("owner", "nice")},
		{"forwarded", text("buy now", forwardedOnce), segments("forwarded", "buy now")},
		{"forwarded many times", text("buy now", forwardedOften), segments("forwarded", "buy now")},
		{"forwarded caption", photo("buy now", forwardedOnce), segments("label", "[photo]", "forwarded", "buy now")},
		{"photo", photo("", nil), segments("label", "[photo]")},
		{"photo with caption", photo("my cat", nil), segments("label", "[photo]", "owner", "my cat")},
		{"voice", &waE2E.Message{AudioMessage: &waE2E.AudioMessage{PTT: proto.Bool(true)}}, segments("label", "[voice message]")},
		{"audio", &waE2E.Message{AudioMessage: &waE2E.AudioMessage{}}, segments("label", "[audio]")},
		{"video", &waE2E.Message{VideoMessage: &waE2E.VideoMessage{Caption: proto.String("look")}}, segments("label", "[video]", "owner", "look")},
		{"video message", &waE2E.Message{PtvMessage: &waE2E.VideoMessage{}}, segments("label", "[video message]")},
		{"animation", &waE2E.Message{VideoMessage: &waE2E.VideoMessage{GifPlayback: proto.Bool(true)}}, segments("label", "[animation]")},
		{"document", &waE2E.Message{DocumentMessage: &waE2E.DocumentMessage{FileName: proto.String("tax.pdf"), Title: proto.String("tax")}}, segments("label", "[document: tax.pdf]")},
		{
			"document with caption", &waE2E.Message{DocumentWithCaptionMessage: &waE2E.FutureProofMessage{Message: &waE2E.Message{
				DocumentMessage: &waE2E.DocumentMessage{FileName: proto.String("tax.pdf"), Caption: proto.String("mine")},
			}}},
			segments("label", "[document: tax.pdf]", "owner", "mine"),
		},
		{"sticker", &waE2E.Message{StickerMessage: &waE2E.StickerMessage{Emojis: proto.String("😀")}}, segments("label", "[sticker: 😀]")},
		{"moving sticker", &waE2E.Message{LottieStickerMessage: &waE2E.FutureProofMessage{Message: &waE2E.Message{StickerMessage: &waE2E.StickerMessage{}}}}, segments("label", "[sticker]")},
		{"location", &waE2E.Message{LocationMessage: &waE2E.LocationMessage{DegreesLatitude: proto.Float64(48.2082), DegreesLongitude: proto.Float64(16.3738)}}, segments("label", "[location: 48.20820, 16.37380]")},
		{"venue", &waE2E.Message{LocationMessage: &waE2E.LocationMessage{Name: proto.String("Prater"), Address: proto.String("1020 Vienna")}}, segments("label", "[venue: Prater 1020 Vienna]")},
		{"live location", &waE2E.Message{LiveLocationMessage: &waE2E.LiveLocationMessage{DegreesLatitude: proto.Float64(1), DegreesLongitude: proto.Float64(2), Caption: proto.String("coming")}}, segments("label", "[location: 1.00000, 2.00000]", "owner", "coming")},
		{"live location on the way", &waE2E.Message{LiveLocationMessage: &waE2E.LiveLocationMessage{TimeOffset: proto.Uint32(60)}}, nil},
		{"contact", &waE2E.Message{ContactMessage: &waE2E.ContactMessage{DisplayName: proto.String("Cleo Finch"), Vcard: proto.String("BEGIN:VCARD\nTEL:+15550000001")}}, segments("label", "[contact: Cleo Finch]")},
		{"contacts", &waE2E.Message{ContactsArrayMessage: &waE2E.ContactsArrayMessage{Contacts: []*waE2E.ContactMessage{{DisplayName: proto.String("Cleo")}, {DisplayName: proto.String("Dan")}}}}, segments("label", "[contacts: Cleo, Dan]")},
		{"poll", &waE2E.Message{PollCreationMessageV3: lunch}, segments("label", "[poll: Lunch? (Soup, Pasta)]")},
		{"wrapped poll", &waE2E.Message{PollCreationMessageV4: &waE2E.FutureProofMessage{Message: &waE2E.Message{PollCreationMessage: lunch}}}, segments("label", "[poll: Lunch? (Soup, Pasta)]")},
		{"poll vote", &waE2E.Message{PollUpdateMessage: &waE2E.PollUpdateMessage{}}, segments("label", "[voted in a poll]")},
		{"reaction", &waE2E.Message{ReactionMessage: &waE2E.ReactionMessage{Text: proto.String("👍")}}, segments("label", "[reaction 👍 to an earlier message]")},
		{"reaction removed", &waE2E.Message{ReactionMessage: &waE2E.ReactionMessage{}}, segments("label", "[reaction removed]")},
		{"event", &waE2E.Message{EventMessage: &waE2E.EventMessage{Name: proto.String("Picnic")}}, segments("label", "[event: Picnic]")},
		{"invitation", &waE2E.Message{GroupInviteMessage: &waE2E.GroupInviteMessage{GroupName: proto.String("Club")}}, segments("label", "[invitation to a group: Club]")},
		{"button", &waE2E.Message{ButtonsResponseMessage: &waE2E.ButtonsResponseMessage{
			Response: &waE2E.ButtonsResponseMessage_SelectedDisplayText{SelectedDisplayText: "Yes"}, ContextInfo: replyTo(usLID, say("Sure?")),
		}}, segments("quoted", "Sure?", "prefill", "Yes")},
		{"list", &waE2E.Message{ListResponseMessage: &waE2E.ListResponseMessage{Title: proto.String("Row 2")}}, segments("prefill", "Row 2")},
		{"template button", &waE2E.Message{TemplateButtonReplyMessage: &waE2E.TemplateButtonReplyMessage{SelectedDisplayText: proto.String("Call me")}}, segments("prefill", "Call me")},
		{"flow", &waE2E.Message{InteractiveResponseMessage: &waE2E.InteractiveResponseMessage{Body: &waE2E.InteractiveResponseMessage_Body{Text: proto.String("Sent")}}}, segments("prefill", "Sent")},
		{"template", &waE2E.Message{TemplateMessage: &waE2E.TemplateMessage{HydratedTemplate: &waE2E.TemplateMessage_HydratedFourRowTemplate{HydratedContentText: proto.String("Your parcel")}}}, segments("prefill", "Your parcel")},
		{"disappearing", &waE2E.Message{EphemeralMessage: &waE2E.FutureProofMessage{Message: text("hush", &waE2E.ContextInfo{Expiration: proto.Uint32(86400)})}}, segments("owner", "hush")},
		{"view once", &waE2E.Message{ViewOnceMessageV2: &waE2E.FutureProofMessage{Message: photo("secret", nil)}}, segments("label", viewOnce)},
		{"view once by the photo itself", &waE2E.Message{ImageMessage: &waE2E.ImageMessage{ViewOnce: proto.Bool(true), Caption: proto.String("secret")}}, segments("label", viewOnce)},
		{"view once, forwarded reply", &waE2E.Message{ViewOnceMessage: &waE2E.FutureProofMessage{Message: photo("secret", replyTo(usLID, say("Well?")))}}, segments("quoted", "Well?", "label", viewOnce)},
		{"with a mention of a group", &waE2E.Message{GroupMentionedMessage: &waE2E.FutureProofMessage{Message: text("hi", nil)}}, segments("owner", "hi")},
		{"key of a group", &waE2E.Message{SenderKeyDistributionMessage: &waE2E.SenderKeyDistributionMessage{}}, nil},
		{"settings", &waE2E.Message{ProtocolMessage: &waE2E.ProtocolMessage{Type: waE2E.ProtocolMessage_EPHEMERAL_SETTING.Enum()}}, nil},
		{"payment", &waE2E.Message{SendPaymentMessage: &waE2E.SendPaymentMessage{}}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, ok := convert(came(tt.in), privately())
			if ok != (tt.want != nil) {
				t.Fatalf("converted: %t", ok)
			}
			if ok && !reflect.DeepEqual(m.Segments, tt.want) {
				t.Errorf("segments %q, want %q", m.Segments, tt.want)
			}
		})
	}
}

func TestConvertEnvelope(t *testing.T) {
	whatsapp := func(id string) nacre.Address { return nacre.Address{Channel: nacre.WhatsApp, ID: id} }
	own := envelope{me: personOf(usLID, usPN), from: personOf(usLID, usPN), private: true, own: true, chat: chatOf(usLID)}
	noLID := envelope{me: personOf(usLID, usPN), from: personOf(adaPN), private: true, chat: chatOf(adaPN)}
	tests := []struct {
		name     string
		env      envelope
		chat     nacre.ChatID
		external nacre.ExternalID
		author   nacre.Address
		also     []nacre.Address
	}{
		{"private", privately(), "100000000000001@lid", "ABCD", whatsapp("100000000000001@lid"), []nacre.Address{whatsapp("15550000001")}},
		{"private, number alone", noLID, "15550000001@s.whatsapp.net", "ABCD", whatsapp("15550000001"), nil},
		{"group", inClub(), "120363000000000001@g.us", "100000000000001/ABCD", whatsapp("100000000000001@lid"), []nacre.Address{whatsapp("15550000001")}},
		{"own number", own, "900000000000009@lid", "ABCD", whatsapp("900000000000009@lid"), []nacre.Address{whatsapp("15550000009")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, ok := convert(came(say("hello")), tt.env)
			if !ok || m.Chat != (nacre.Chat{Channel: nacre.WhatsApp, ID: tt.chat}) || m.External != tt.external {
				t.Errorf("%t: chat %q, external %q", ok, m.Chat.ID, m.External)
			}
			if m.Author != tt.author || !reflect.DeepEqual(m.Also, tt.also) {
				t.Errorf("author %v, also %v", m.Author, m.Also)
			}
			if !m.Sent.Equal(noon) || m.Quiet || m.Revision != 0 || m.Private != tt.env.private {
				t.Errorf("got %+v", m)
			}
		})
	}
}

func TestConvertGroup(t *testing.T) {
	forwarded := mention(usLID)
	forwarded.IsForwarded = proto.Bool(true)
	tests := []struct {
		name string
		in   *waE2E.Message
		toUs bool
		want []nacre.Segment
	}{
		{"chatter", say("hello all"), false, segments("group", "hello all")},
		{"mention by LID", text("@900000000000009 what time is it?", mention(usLID)), true, segments("group", "what time is it?")},
		{"mention by number", text("@15550000009 /help", mention(usPN)), true, segments("group", "/help")},
		{"mention of a device of ours", text("@900000000000009\n/help", mention(on(usLID, 3))), true, segments("group", "/help")},
		{"mention in the middle", text("ask @900000000000009 now", mention(bobLID, usLID)), true, segments("group", "ask @900000000000009 now")},
		{"mention alone", text("@900000000000009", mention(usLID)), true, segments("group", "@900000000000009")},
		{"mention at the end", text("/memory group on @15550000009", mention(usPN)), true, segments("group", "/memory group on")},
		{"mention within a word at the end", text("mail@15550000009", mention(usPN)), true, segments("group", "mail@15550000009")},
		{"mention of a longer name", text("@9000000000000091 /help", mention(bobLID)), false, segments("group", "@9000000000000091 /help")},
		{"mention of another", text("@100000000000002 hi", mention(bobLID)), false, segments("group", "@100000000000002 hi")},
		{"mention of a group with our digits", text("hi", mention(types.NewJID(usLID.User, types.GroupServer))), false, segments("group", "hi")},
		{"mention inside forwarded words", text("@900000000000009 hi", forwarded), false, segments("forwarded", "@900000000000009 hi")},
		{"reply to us", text("and then?", replyTo(usLID, say("so"))), true, segments("quoted", "so", "group", "and then?")},
		{"reply to our number", text("and then?", replyTo(usPN, say("so"))), true, segments("quoted", "so", "group", "and then?")},
		{"reply to another", text("and then?", replyTo(bobLID, say("so"))), false, segments("quoted", "so", "group", "and then?")},
		{"caption that names us", &waE2E.Message{ImageMessage: &waE2E.ImageMessage{Caption: proto.String("@900000000000009 who is it?"), ContextInfo: mention(usLID)}}, true, segments("label", "[photo]", "group", "who is it?")},
		{"button", &waE2E.Message{ListResponseMessage: &waE2E.ListResponseMessage{Title: proto.String("Row")}}, false, segments("prefill", "Row")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, ok := convert(clubCame(tt.in), inClub())
			if !ok || m.ToUs != tt.toUs || m.Private {
				t.Errorf("converted %t, to us %t", ok, m.ToUs)
			}
			if !reflect.DeepEqual(m.Segments, tt.want) {
				t.Errorf("segments %q, want %q", m.Segments, tt.want)
			}
		})
	}
}

func TestConvertQuiet(t *testing.T) {
	key := &waCommon.MessageKey{ID: proto.String("FIRST")}
	edit := func(m *waE2E.Message) *waE2E.Message {
		return &waE2E.Message{EditedMessage: &waE2E.FutureProofMessage{Message: &waE2E.Message{ProtocolMessage: &waE2E.ProtocolMessage{
			Key: key, Type: waE2E.ProtocolMessage_MESSAGE_EDIT.Enum(), EditedMessage: m,
		}}}}
	}
	revoke := func(k *waCommon.MessageKey) *waE2E.Message {
		return &waE2E.Message{ProtocolMessage: &waE2E.ProtocolMessage{Key: k, Type: waE2E.ProtocolMessage_REVOKE.Enum()}}
	}
	of := func(author types.JID) *waCommon.MessageKey {
		return &waCommon.MessageKey{ID: proto.String("FIRST"), Participant: proto.String(author.String())}
	}
	tests := []struct {
		name     string
		in       *waE2E.Message
		group    bool
		external nacre.ExternalID // empty: nothing
		revision int64
		want     []nacre.Segment
	}{
		{"edit", edit(say("better")), false, "FIRST", noon.Unix(), segments("owner", "better")},
		{"edit in a group", edit(say("better")), true, "100000000000001/FIRST", noon.Unix(), segments("group", "better")},
		{"edit that is forwarded", edit(text("better", &waE2E.ContextInfo{IsForwarded: proto.Bool(true)})), false, "FIRST", noon.Unix(), segments("forwarded", "better")},
		{"edit to nothing", edit(nil), false, "", 0, nil},
		{"edit of an edit", edit(edit(say("better"))), false, "", 0, nil},
		{"revoke", revoke(key), false, "FIRST", noon.Unix() + 1, segments("label", takenBack)},
		{"revoke in a group", revoke(of(adaPN)), true, "100000000000001/FIRST", noon.Unix() + 1, segments("label", takenBack)},
		{"an administrator's revoke", revoke(of(bobLID)), true, "", 0, nil},
		{"revoke of nothing", revoke(nil), false, "", 0, nil},
		{"reaction", &waE2E.Message{ReactionMessage: &waE2E.ReactionMessage{Key: key, Text: proto.String("👍")}}, false, "ABCD", 0, segments("label", "[reaction 👍 to an earlier message]")},
		{"vote", &waE2E.Message{PollUpdateMessage: &waE2E.PollUpdateMessage{PollCreationMessageKey: key}}, false, "ABCD", 0, segments("label", "[voted in a poll]")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, env := came(tt.in), privately()
			if tt.group {
				e, env = clubCame(tt.in), inClub()
			}
			m, ok := convert(e, env)
			if ok != (tt.external != "") {
				t.Fatalf("converted: %t", ok)
			}
			if ok && (!m.Quiet || m.External != tt.external || m.Revision != tt.revision || !reflect.DeepEqual(m.Segments, tt.want)) {
				t.Errorf("got %+v", m)
			}
		})
	}
}

func TestEditing(t *testing.T) {
	target := &waCommon.MessageKey{ID: proto.String("FIRST")}
	wrapped := &waE2E.Message{EditedMessage: &waE2E.FutureProofMessage{Message: &waE2E.Message{ProtocolMessage: &waE2E.ProtocolMessage{
		Key: target, Type: waE2E.ProtocolMessage_MESSAGE_EDIT.Enum(), EditedMessage: say("better"),
	}}}}
	for name, plain := range map[string]*waE2E.Message{"bare": say("better"), "wrapped": wrapped} {
		t.Run(name, func(t *testing.T) {
			m, ok := convert(editing(came(&waE2E.Message{}), plain, target), privately())
			if !ok || m.External != "FIRST" || m.Revision != noon.Unix() || m.Text() != "better" {
				t.Errorf("%t: %+v", ok, m)
			}
		})
	}
}

func TestKind(t *testing.T) {
	future := &waE2E.Message{}
	if err := proto.Unmarshal([]byte{0xc2, 0x3e, 0x00}, future); err != nil { // field 1000
		t.Fatal(err)
	}
	tests := []struct {
		name string
		in   *waE2E.Message
		want string
	}{
		{"payment", &waE2E.Message{SendPaymentMessage: &waE2E.SendPaymentMessage{}, MessageContextInfo: &waE2E.MessageContextInfo{}}, "sendPaymentMessage"},
		{"a kind of tomorrow", future, "unknown"},
		{"key", &waE2E.Message{SenderKeyDistributionMessage: &waE2E.SenderKeyDistributionMessage{}}, ""},
		{"nothing", nil, ""},
	}
	for _, tt := range tests {
		if got := kind(tt.in); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
