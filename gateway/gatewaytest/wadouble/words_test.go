package wadouble

import (
	"testing"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types/events"
	"google.golang.org/protobuf/proto"
)

// received is a message after its way to a client, as the client's library unwraps it.
func received(t *testing.T, m *waE2E.Message) *events.Message {
	t.Helper()
	b, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var raw waE2E.Message
	if err := proto.Unmarshal(b, &raw); err != nil {
		t.Fatal(err)
	}
	return (&events.Message{RawMessage: &raw}).UnwrapRaw()
}

func TestWordsOfATextMove(t *testing.T) {
	m := Text("hi")
	if m.GetConversation() != "hi" || m.ExtendedTextMessage != nil {
		t.Errorf("Text = %v", m)
	}
	Forwarded(Mention(Reply(m, "ID1", ben, Text("before")), anna, ben), 5)
	c := received(t, m).Message.GetExtendedTextMessage().GetContextInfo()
	if m.Conversation != nil || m.GetExtendedTextMessage().GetText() != "hi" {
		t.Errorf("with a context the text is %v", m)
	}
	if c.GetStanzaID() != "ID1" || c.GetParticipant() != ben.ToNonAD().String() ||
		c.GetQuotedMessage().GetConversation() != "before" {
		t.Errorf("Reply = %v", c)
	}
	if len(c.GetMentionedJID()) != 2 || c.GetMentionedJID()[0] != anna.String() {
		t.Errorf("Mention = %v", c)
	}
	if !c.GetIsForwarded() || c.GetForwardingScore() != 5 {
		t.Errorf("Forwarded = %v", c)
	}
}

func TestWordsReadBack(t *testing.T) {
	file := Media{DirectPath: "/v/1?ccb=1", Key: []byte("key"), Length: 3}
	for _, c := range []struct {
		name string
		m    *waE2E.Message
		want said
	}{
		{"text", Text("hi"), said{text: "hi"}},
		{"longer text", Extended("hi"), said{text: "hi"}},
		{"link", Link("see", "https://example.org", "Title", "More"), said{text: "see"}},
		{"answer", Reply(Text("yes"), "Q", anna, Text("?")), said{text: "yes", quoted: "Q"}},
		{"disappearing", Ephemeral(Text("soon gone"), 86400), said{text: "soon gone", expiration: 86400}},
		{"edit", Edit("E", Text("better")), said{text: "better", edits: "E"}},
		{"edit of a disappearing one", Ephemeral(Edit("E", Text("better")), 60), said{text: "better", edits: "E", expiration: 60}},
		{"revocation", Revoke("R"), said{revokes: "R"}},
		{"timer", Timer(60), said{}},
		{"image", Image(file, "look"), said{text: "look", mime: "image/jpeg"}},
		{"answer with an image", Reply(Image(file, ""), "Q", ben, Text("?")), said{mime: "image/jpeg", quoted: "Q"}},
		{"image once", ViewOnce(Image(file, "")), said{mime: "image/jpeg"}},
		{"video", Video(file, "film"), said{text: "film", mime: "video/mp4"}},
		{"video note", VideoNote(file), said{mime: "video/mp4"}},
		{"voice", Voice(file, 3), said{mime: "audio/ogg; codecs=opus"}},
		{"voice once", ViewOnce(Voice(file, 3)), said{mime: "audio/ogg; codecs=opus"}},
		{"audio", Audio(file, 3), said{mime: "audio/mpeg"}},
		{"document", Document(file, "a.pdf", "application/pdf", ""), said{mime: "application/pdf", name: "a.pdf"}},
		{"document with words", Document(file, "a.pdf", "application/pdf", "read"), said{text: "read", mime: "application/pdf", name: "a.pdf"}},
		{"sticker", Sticker(file), said{mime: "image/webp"}},
		{"nothing", &waE2E.Message{}, said{}},
		{"unknown", Unknown(), said{}},
		{"reaction", Reaction("M", "👍"), said{}},
	} {
		got := words(received(t, c.m).RawMessage)
		if hasFile := got.file != nil; hasFile != (c.want.mime != "") {
			t.Errorf("%s: a file is %v", c.name, hasFile)
		} else if hasFile && string(got.file.GetMediaKey()) != "key" {
			t.Errorf("%s: the key is %q", c.name, got.file.GetMediaKey())
		}
		got.file = nil
		if got != c.want {
			t.Errorf("%s: words = %+v; want %+v", c.name, got, c.want)
		}
	}
	if got := words(nil); got != (said{}) {
		t.Errorf("no message: words = %+v", got)
	}
}

// The library of the clients sees each message as what it is.
func TestWordsAsTheLibrarySeesThem(t *testing.T) {
	file := Media{DirectPath: "/v/1?ccb=1"}
	for _, c := range []struct {
		name string
		m    *waE2E.Message
		ok   func(*events.Message) bool
	}{
		{"disappearing", Ephemeral(Text("hi"), 60), func(e *events.Message) bool {
			return e.IsEphemeral && e.Message.GetExtendedTextMessage().GetContextInfo().GetExpiration() == 60
		}},
		{"image once", ViewOnce(Image(file, "")), func(e *events.Message) bool {
			return e.IsViewOnceV2 && e.Message.GetImageMessage().GetViewOnce()
		}},
		{"video once", ViewOnce(Video(file, "")), func(e *events.Message) bool {
			return e.IsViewOnceV2 && e.Message.GetVideoMessage().GetViewOnce()
		}},
		{"voice once", ViewOnce(Voice(file, 1)), func(e *events.Message) bool {
			return e.IsViewOnceV2Extension && e.Message.GetAudioMessage().GetViewOnce() && e.Message.GetAudioMessage().GetPTT()
		}},
		{"document with words", Document(file, "a", "text/plain", "read"), func(e *events.Message) bool {
			return e.IsDocumentWithCaption && e.Message.GetDocumentMessage().GetCaption() == "read"
		}},
		{"edit", Edit("E", Text("x")), func(e *events.Message) bool {
			p := e.Message.GetProtocolMessage()
			return e.IsEdit && p.GetKey().GetID() == "E" && p.GetEditedMessage().GetConversation() == "x"
		}},
		{"own to somebody", deviceSent(anna, Text("x")), func(e *events.Message) bool {
			return e.Info.DeviceSentMeta.DestinationJID == anna.String() && e.Message.GetConversation() == "x"
		}},
		{"poll", Poll("Tea?", "yes", "no"), func(e *events.Message) bool {
			p := e.Message.GetPollCreationMessageV3()
			return p.GetName() == "Tea?" && len(p.GetOptions()) == 2 && p.GetOptions()[1].GetOptionName() == "no"
		}},
		{"place", Location(52.5, 13.4, "Park", "Street 1"), func(e *events.Message) bool {
			l := e.Message.GetLocationMessage()
			return l.GetDegreesLatitude() == 52.5 && l.GetDegreesLongitude() == 13.4 && l.GetName() == "Park"
		}},
		{"moving place", LiveLocation(52.5, 13.4, "coming"), func(e *events.Message) bool {
			return e.Message.GetLiveLocationMessage().GetCaption() == "coming"
		}},
		{"contact", Contact("Carla", "15550000009"), func(e *events.Message) bool {
			return e.Message.GetContactMessage().GetVcard() == "BEGIN:VCARD\nVERSION:3.0\nN:;Carla;;;\nFN:Carla\n"+
				"item1.TEL;waid=15550000009:+15550000009\nitem1.X-ABLabel:Mobile\nEND:VCARD"
		}},
		{"contacts", Contacts("Carla", "Dora"), func(e *events.Message) bool {
			l := e.Message.GetContactsArrayMessage().GetContacts()
			return len(l) == 2 && l[1].GetDisplayName() == "Dora"
		}},
		{"button", ButtonReply("b1", "Yes"), func(e *events.Message) bool {
			return e.Message.GetButtonsResponseMessage().GetSelectedDisplayText() == "Yes"
		}},
		{"row", ListReply("r1", "Tea"), func(e *events.Message) bool {
			return e.Message.GetListResponseMessage().GetSingleSelectReply().GetSelectedRowID() == "r1"
		}},
		{"reaction", Reaction("M", "👍"), func(e *events.Message) bool {
			return e.Message.GetReactionMessage().GetText() == "👍" && e.Message.GetReactionMessage().GetKey().GetID() == "M"
		}},
		{"unknown", Unknown(), func(e *events.Message) bool {
			return len(e.Message.ProtoReflect().GetUnknown()) > 0
		}},
	} {
		if e := received(t, c.m); !c.ok(e) {
			t.Errorf("%s: %v", c.name, e.Message)
		}
	}
}
