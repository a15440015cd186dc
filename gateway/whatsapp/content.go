package whatsapp

import (
	"strings"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// content is what a message says, whoever says it where.
type content struct {
	label   string // what it carries beside words, in brackets
	words   string // its text or caption
	prefill bool   // the words were offered by somebody and chosen, not typed
	quiet   bool   // it calls for no answer
	file    *file
	context *waE2E.ContextInfo
}

// read finds the content of a message; false for a kind that is none, or not known.
func read(m *waE2E.Message) (content, bool) {
	if m == nil {
		return content{}, false
	}
	for _, read := range []func(*waE2E.Message) (content, bool){readText, readFile, readObject, readSmall, readChoice} {
		if c, ok := read(m); ok {
			return c, true
		}
	}
	return content{}, false
}

func readText(m *waE2E.Message) (content, bool) {
	switch {
	case m.GetConversation() != "":
		return content{words: m.GetConversation()}, true
	case m.ExtendedTextMessage != nil:
		t := m.ExtendedTextMessage
		return content{words: t.GetText(), context: t.GetContextInfo()}, true
	}
	return content{}, false
}

// readChoice reads what people choose by buttons and lists, and what businesses
// send with them; templates are written by neither.
func readChoice(m *waE2E.Message) (content, bool) {
	c := content{prefill: true}
	switch {
	case m.ButtonsResponseMessage != nil:
		c.words, c.context = m.ButtonsResponseMessage.GetSelectedDisplayText(), m.ButtonsResponseMessage.GetContextInfo()
	case m.ListResponseMessage != nil:
		c.words, c.context = m.ListResponseMessage.GetTitle(), m.ListResponseMessage.GetContextInfo()
	case m.TemplateButtonReplyMessage != nil:
		c.words, c.context = m.TemplateButtonReplyMessage.GetSelectedDisplayText(), m.TemplateButtonReplyMessage.GetContextInfo()
	case m.InteractiveResponseMessage != nil:
		c.words, c.context = m.InteractiveResponseMessage.GetBody().GetText(), m.InteractiveResponseMessage.GetContextInfo()
	case m.TemplateMessage != nil:
		c.words, c.context = m.TemplateMessage.GetHydratedTemplate().GetHydratedContentText(), m.TemplateMessage.GetContextInfo()
	case m.ButtonsMessage != nil:
		c.words, c.context = m.ButtonsMessage.GetContentText(), m.ButtonsMessage.GetContextInfo()
	case m.ListMessage != nil:
		c.words, c.context = m.ListMessage.GetDescription(), m.ListMessage.GetContextInfo()
	case m.InteractiveMessage != nil:
		c.words, c.context = m.InteractiveMessage.GetBody().GetText(), m.InteractiveMessage.GetContextInfo()
	default:
		return content{}, false
	}
	return c, c.words != ""
}

// forwarded reports whether somebody else said it first, somewhere else.
func (c *content) forwarded() bool {
	return c.context.GetIsForwarded() || c.context.GetForwardingScore() > 0
}

// unwrap takes off the wrappers that the library leaves on.
func unwrap(m *waE2E.Message) *waE2E.Message {
	for _, wrapped := range []*waE2E.FutureProofMessage{
		m.GetGroupMentionedMessage(), m.GetSpoilerMessage(),
		m.GetPollCreationMessageV4(), m.GetQuestionMessage(), m.GetQuestionReplyMessage(),
	} {
		if wrapped.GetMessage() != nil {
			return wrapped.GetMessage()
		}
	}
	return m
}

// kind is the name of what a message carries, for the log; empty if it is there for
// the apps alone, such as keys and settings.
func kind(m *waE2E.Message) string {
	var name string
	m.ProtoReflect().Range(func(f protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		switch f.Name() {
		case "messageContextInfo", "senderKeyDistributionMessage", "protocolMessage", "albumMessage":
			return true
		}
		name = string(f.Name())
		return false
	})
	if name == "" && len(m.ProtoReflect().GetUnknown()) > 0 {
		return "unknown"
	}
	return name
}

// clean makes valid UTF-8 of what a sender's app wrote, which nothing has checked.
func clean(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
