package whatsapp

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"nacre"
)

// FuzzConvert gives to convert what a stranger's app can write. Words of others are
// never their sender's own, whatever comes has a name, and nothing but text gets
// through as text.
func FuzzConvert(f *testing.F) {
	quotedForward := replyTo(usLID, say("quoted words"))
	quotedForward.IsForwarded = proto.Bool(true)
	for _, m := range []*waE2E.Message{
		say("hello"), text("a\xff", replyTo(usLID, say("b\xfe"))), text("passed on", quotedForward), voiceNote(5, nil),
		{EditedMessage: &waE2E.FutureProofMessage{Message: &waE2E.Message{ProtocolMessage: &waE2E.ProtocolMessage{
			Type: waE2E.ProtocolMessage_MESSAGE_EDIT.Enum(), EditedMessage: text("x", quotedForward),
		}}}},
		{ViewOnceMessage: &waE2E.FutureProofMessage{Message: voiceNote(5, nil)}},
		{PollCreationMessage: &waE2E.PollCreationMessage{Name: proto.String("\xff")}},
		{ListResponseMessage: &waE2E.ListResponseMessage{Title: proto.String("row"), ContextInfo: quotedForward}},
	} {
		raw, err := proto.Marshal(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw, "ABCD", true)
		f.Add(raw, "\xff", false)
		f.Add(raw, "/", false)
	}
	f.Fuzz(func(t *testing.T, raw []byte, id string, private bool) {
		m := &waE2E.Message{}
		if proto.Unmarshal(raw, m) != nil {
			return
		}
		e, env := came(m), privately()
		if !private {
			e, env = clubCame(m), inClub()
		}
		e.Info.ID = id
		expiration(e.Message)
		kind(e.Message)
		checkOthersWords(t, m, env)
		got, ok := convert(e, env)
		if !ok {
			return
		}
		checkMessage(t, got, private)
		if onlyForwarded(unwrap(e.Message)) && got.Typed() != "" {
			t.Errorf("words that were passed on are taken for the sender's own: %q", got.Segments)
		}
	})
}

// checkOthersWords lets the sender quote the message, and pass the quote on.
func checkOthersWords(t *testing.T, m *waE2E.Message, env envelope) {
	context := replyTo(bobLID, m)
	if got, _ := convert(came(text("own words", context)), env); got.Typed() != "own words" {
		t.Errorf("the sender said %q", got.Typed())
	}
	context.ForwardingScore = proto.Uint32(1)
	if got, _ := convert(came(text("own words", context)), env); got.Typed() != "" {
		t.Errorf("the sender passed on %q", got.Typed())
	}
}

// onlyForwarded reports whether everything in a message that can bear the mark of a
// forwarded one does, in kinds that nobody has thought of too.
func onlyForwarded(m *waE2E.Message) bool {
	marked, bare := 0, m.GetConversation() != ""
	m.ProtoReflect().Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		if f.Kind() != protoreflect.MessageKind || f.IsList() {
			return true
		}
		sub, ok := v.Message().Interface().(interface{ GetContextInfo() *waE2E.ContextInfo })
		switch {
		case ok && (sub.GetContextInfo().GetIsForwarded() || sub.GetContextInfo().GetForwardingScore() > 0):
			marked++
		case ok, f.Name() == "protocolMessage":
			bare = true
		}
		return true
	})
	return marked > 0 && !bare
}

// named reports whether a message has a name: its id, behind its sender in a group.
func named(external nacre.ExternalID, private bool) bool {
	id := string(external)
	if !private {
		id = strings.TrimPrefix(id, adaLID.User+"/")
	}
	return id != "" && (private || len(id) < len(external)) && utf8.ValidString(id)
}

func checkMessage(t *testing.T, m nacre.Message, private bool) {
	switch {
	case !named(m.External, private):
		t.Errorf("external %q", m.External)
	case len(m.Segments) == 0:
		t.Error("no segment")
	case m.Private != private || private && m.ToUs || m.Author.ID != adaLID.String():
		t.Errorf("the envelope changed: %+v", m)
	}
	for _, s := range m.Segments {
		if s.Text == "" || !utf8.ValidString(s.Text) {
			t.Errorf("%s: %q", s.Provenance, s.Text)
		}
		if own := s.Provenance == nacre.ByOwner; own && !private || s.Provenance == nacre.ByVoice || s.Provenance == nacre.BySystem {
			t.Errorf("%q is %s", s.Text, s.Provenance)
		}
	}
	for _, a := range m.Attachments {
		var r ref
		if err := json.Unmarshal([]byte(a.Ref), &r); err != nil || r.Path == "" || a.Bytes < 0 || !utf8.ValidString(a.Name+a.MIME) {
			t.Errorf("attachment %+v: %v", a, err)
		}
	}
}
