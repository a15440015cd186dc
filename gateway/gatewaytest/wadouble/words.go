package wadouble

import (
	"go.mau.fi/whatsmeow/proto/waCommon"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Text is a message as somebody types it.
func Text(words string) *waE2E.Message {
	return &waE2E.Message{Conversation: &words}
}

// Extended is a text in the longer form that phones use when there is more to say
// of it than its words.
func Extended(words string) *waE2E.Message {
	return &waE2E.Message{ExtendedTextMessage: &waE2E.ExtendedTextMessage{Text: &words}}
}

// Link is a text with the preview of a page, whose words are not the sender's.
func Link(words, url, title, description string) *waE2E.Message {
	return &waE2E.Message{ExtendedTextMessage: &waE2E.ExtendedTextMessage{
		Text: &words, MatchedText: &url, Title: &title, Description: &description,
	}}
}

// Reply makes m an answer to a message by its id, its author and its words. It
// changes m and returns it.
func Reply(m *waE2E.Message, id types.MessageID, from types.JID, quoted *waE2E.Message) *waE2E.Message {
	return about(m, func(c *waE2E.ContextInfo) {
		c.StanzaID = &id
		c.Participant = proto.String(from.ToNonAD().String())
		c.QuotedMessage = quoted
	})
}

// Forwarded makes m a message that was forwarded so often; phones say "forwarded
// many times" from 5 on. It changes m and returns it.
func Forwarded(m *waE2E.Message, score uint32) *waE2E.Message {
	return about(m, func(c *waE2E.ContextInfo) {
		c.IsForwarded = proto.Bool(true)
		c.ForwardingScore = &score
	})
}

// Mention makes m mention people, whom its words name as "@" and the user of the
// JID. It changes m and returns it.
func Mention(m *waE2E.Message, people ...types.JID) *waE2E.Message {
	return about(m, func(c *waE2E.ContextInfo) {
		for _, who := range people {
			c.MentionedJID = append(c.MentionedJID, who.ToNonAD().String())
		}
	})
}

// Edit replaces the words of a message that the same person sent.
func Edit(id types.MessageID, m *waE2E.Message) *waE2E.Message {
	return &waE2E.Message{EditedMessage: &waE2E.FutureProofMessage{Message: &waE2E.Message{
		ProtocolMessage: &waE2E.ProtocolMessage{
			Type:          waE2E.ProtocolMessage_MESSAGE_EDIT.Enum(),
			Key:           ownKey(id),
			EditedMessage: m,
		},
	}}}
}

// Revoke deletes for everyone a message that the same person sent.
func Revoke(id types.MessageID) *waE2E.Message {
	return &waE2E.Message{ProtocolMessage: &waE2E.ProtocolMessage{
		Type: waE2E.ProtocolMessage_REVOKE.Enum(), Key: ownKey(id),
	}}
}

// Reaction puts an emoji under a message of somebody else; none takes it away.
func Reaction(id types.MessageID, emoji string) *waE2E.Message {
	key := ownKey(id)
	key.FromMe = proto.Bool(false)
	return &waE2E.Message{ReactionMessage: &waE2E.ReactionMessage{Key: key, Text: &emoji}}
}

// ownKey names a message of the person who sends the name.
func ownKey(id types.MessageID) *waCommon.MessageKey {
	return &waCommon.MessageKey{FromMe: proto.Bool(true), ID: &id}
}

// about tells something of m's context, for which a plain text has no place. A
// message of a kind without context stays as it is.
func about(m *waE2E.Message, tell func(*waE2E.ContextInfo)) *waE2E.Message {
	if m.Conversation != nil {
		m.ExtendedTextMessage = &waE2E.ExtendedTextMessage{Text: m.Conversation}
		m.Conversation = nil
	}
	m.ProtoReflect().Range(func(_ protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		if inner, ok := v.Interface().(protoreflect.Message); ok {
			aboutPart(inner, tell)
		}
		return true
	})
	return m
}

// aboutPart tells it of one part of a message: the content, or what wraps it.
func aboutPart(part protoreflect.Message, tell func(*waE2E.ContextInfo)) {
	switch p := part.Interface().(type) {
	case *waE2E.FutureProofMessage:
		about(p.Message, tell)
	case *waE2E.ProtocolMessage:
		if p.EditedMessage != nil {
			about(p.EditedMessage, tell)
		}
	default:
		if field := part.Descriptor().Fields().ByName("contextInfo"); field != nil {
			tell(part.Mutable(field).Message().Interface().(*waE2E.ContextInfo))
		}
	}
}
