package whatsapp

import (
	"go.mau.fi/whatsmeow/proto/waCommon"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types/events"
)

// opened is a message whose edit, where it is one that is encrypted once more with a
// secret of the edited message, can be read. Without that secret, as for a message
// from before the account was linked, it stays as it is.
func (l *line) opened(e *events.Message) *events.Message {
	s := e.Message.GetSecretEncryptedMessage()
	if s.GetSecretEncType() != waE2E.SecretEncryptedMessage_MESSAGE_EDIT {
		return e
	}
	plain, err := l.client.DecryptSecretEncryptedMessage(l.life, e)
	if err != nil {
		l.log.Warn("an edit cannot be decrypted", "id", e.Info.ID, "cause", causeOf(err)) // the error names people
		return e
	}
	return editing(e, plain, s.GetTargetMessageKey())
}

// editing is e as an edit whose plain text is that. Apps write it as an edit, or as
// the new message alone.
func editing(e *events.Message, plain *waE2E.Message, target *waCommon.MessageKey) *events.Message {
	edit := *e
	edit.RawMessage = plain
	edit.UnwrapRaw()
	if edit.Message.GetProtocolMessage() == nil {
		edit.Message = &waE2E.Message{ProtocolMessage: &waE2E.ProtocolMessage{
			Key:           target,
			Type:          waE2E.ProtocolMessage_MESSAGE_EDIT.Enum(),
			EditedMessage: edit.Message,
		}}
	}
	return &edit
}
