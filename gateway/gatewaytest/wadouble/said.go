package wadouble

import (
	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// said is what a message says, as far as a phone of the double shows it.
type said struct {
	text       string                        // or the caption
	file       whatsmeow.DownloadableMessage // nil without one
	mime, name string                        // of the file
	quoted     types.MessageID               // the message that it answers
	expiration uint32                        // seconds; 0 stays
	edits      types.MessageID               // the message whose words it replaces
	revokes    types.MessageID               // the message that it deletes for everyone
}

// words reads a message that a client sent. It is zero for a message that says
// nothing, like the distribution of a sender key.
func words(m *waE2E.Message) said {
	m = unwrapped(m)
	if p := m.GetProtocolMessage(); p != nil {
		return order(p)
	}
	s := content(m)
	m.ProtoReflect().Range(func(_ protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		if inner, ok := v.Interface().(protoreflect.Message); ok {
			if c, ok := inner.Interface().(interface{ GetContextInfo() *waE2E.ContextInfo }); ok {
				s.quoted = c.GetContextInfo().GetStanzaID()
				s.expiration = c.GetContextInfo().GetExpiration()
			}
		}
		return true
	})
	return s
}

// unwrapped takes off what a message is wrapped in.
func unwrapped(m *waE2E.Message) *waE2E.Message {
	for {
		var inner *waE2E.Message
		for _, w := range []*waE2E.FutureProofMessage{
			m.GetEphemeralMessage(), m.GetEditedMessage(), m.GetDocumentWithCaptionMessage(),
			m.GetViewOnceMessage(), m.GetViewOnceMessageV2(), m.GetViewOnceMessageV2Extension(),
		} {
			if w.GetMessage() != nil {
				inner = w.GetMessage()
			}
		}
		if inner == nil {
			return m
		}
		m = inner
	}
}

// order is what a message tells the phone to do with another one.
func order(p *waE2E.ProtocolMessage) (s said) {
	switch p.GetType() {
	case waE2E.ProtocolMessage_MESSAGE_EDIT:
		s = words(p.GetEditedMessage())
		s.edits = p.GetKey().GetID()
	case waE2E.ProtocolMessage_REVOKE:
		s.revokes = p.GetKey().GetID()
	}
	return s
}

func content(m *waE2E.Message) (s said) {
	switch {
	case m.GetImageMessage() != nil:
		f := m.GetImageMessage()
		s = said{text: f.GetCaption(), file: f, mime: f.GetMimetype()}
	case m.GetVideoMessage() != nil:
		f := m.GetVideoMessage()
		s = said{text: f.GetCaption(), file: f, mime: f.GetMimetype()}
	case m.GetPtvMessage() != nil:
		s = said{file: m.GetPtvMessage(), mime: m.GetPtvMessage().GetMimetype()}
	case m.GetAudioMessage() != nil:
		s = said{file: m.GetAudioMessage(), mime: m.GetAudioMessage().GetMimetype()}
	case m.GetDocumentMessage() != nil:
		f := m.GetDocumentMessage()
		s = said{text: f.GetCaption(), file: f, mime: f.GetMimetype(), name: f.GetFileName()}
	case m.GetStickerMessage() != nil:
		s = said{file: m.GetStickerMessage(), mime: m.GetStickerMessage().GetMimetype()}
	case m.GetExtendedTextMessage() != nil:
		s.text = m.GetExtendedTextMessage().GetText()
	default:
		s.text = m.GetConversation()
	}
	return s
}
