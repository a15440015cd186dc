package whatsapp

import (
	"go.mau.fi/whatsmeow/types"

	"nacre"
)

// chatOf is the chat that a JID names, without a device.
func chatOf(j types.JID) nacre.Chat {
	return nacre.Chat{Channel: nacre.WhatsApp, ID: nacre.ChatID(j.ToNonAD().String())}
}

// jidOf is the JID of a chat; false for one that is none of WhatsApp's.
func jidOf(c nacre.Chat) (types.JID, bool) {
	j, err := types.ParseJID(string(c.ID))
	return j, err == nil && c.Channel == nacre.WhatsApp && j.User != ""
}

// addressOf is the identity of a person: the digits of a phone number, or a LID
// with its server. It is zero for anything else.
func addressOf(j types.JID) nacre.Address {
	switch j.Server {
	case types.DefaultUserServer:
		return nacre.Address{Channel: nacre.WhatsApp, ID: j.User}
	case types.HiddenUserServer:
		return nacre.Address{Channel: nacre.WhatsApp, ID: j.ToNonAD().String()}
	}
	return nacre.Address{}
}
