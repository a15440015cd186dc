package wadouble

import (
	"time"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"google.golang.org/protobuf/proto"
)

// Ephemeral makes m a message of a chat whose messages disappear after so many
// seconds.
func Ephemeral(m *waE2E.Message, seconds uint32) *waE2E.Message {
	about(m, func(c *waE2E.ContextInfo) { c.Expiration = &seconds })
	return &waE2E.Message{EphemeralMessage: &waE2E.FutureProofMessage{Message: m}}
}

// Timer sets after how many seconds the messages of a chat disappear; 0 is never.
func Timer(seconds uint32) *waE2E.Message {
	return &waE2E.Message{ProtocolMessage: &waE2E.ProtocolMessage{
		Type:                      waE2E.ProtocolMessage_EPHEMERAL_SETTING.Enum(),
		EphemeralExpiration:       &seconds,
		EphemeralSettingTimestamp: proto.Int64(time.Now().Unix()),
	}}
}

// ViewOnce makes an image, a video or a voice message one that can be opened once.
func ViewOnce(m *waE2E.Message) *waE2E.Message {
	inner := &waE2E.FutureProofMessage{Message: m}
	switch {
	case m.ImageMessage != nil:
		m.ImageMessage.ViewOnce = proto.Bool(true)
	case m.VideoMessage != nil:
		m.VideoMessage.ViewOnce = proto.Bool(true)
	case m.AudioMessage != nil:
		m.AudioMessage.ViewOnce = proto.Bool(true)
		return &waE2E.Message{ViewOnceMessageV2Extension: inner}
	}
	return &waE2E.Message{ViewOnceMessageV2: inner}
}

// deviceSent is m as the person's other devices get it: what was sent to somebody.
func deviceSent(to types.JID, m *waE2E.Message) *waE2E.Message {
	return &waE2E.Message{DeviceSentMessage: &waE2E.DeviceSentMessage{
		DestinationJID: proto.String(to.String()), Message: m,
	}}
}
