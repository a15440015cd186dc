package whatsapp

import (
	"go.mau.fi/whatsmeow/types"

	"nacre"
)

// folded is a JID without a device, and with the server that people's identities
// have everywhere: the hosted ones are those of the same people, whose companies
// let WhatsApp run a phone for them.
func folded(j types.JID) types.JID {
	j = j.ToNonAD()
	switch j.Server {
	case types.HostedServer, types.LegacyUserServer:
		j.Server = types.DefaultUserServer
	case types.HostedLIDServer:
		j.Server = types.HiddenUserServer
	}
	return j
}

// chatOf is the chat that a JID names, without a device.
func chatOf(j types.JID) nacre.Chat {
	return nacre.Chat{Channel: nacre.WhatsApp, ID: nacre.ChatID(folded(j).String())}
}

// jidOf is the JID of a chat; false for one that is none of WhatsApp's.
func jidOf(c nacre.Chat) (types.JID, bool) {
	j, err := types.ParseJID(string(c.ID))
	return j, err == nil && c.Channel == nacre.WhatsApp && j.User != ""
}

// addressOf is the identity of a person: the digits of a phone number, or a LID
// with its server. It is zero for anything else.
func addressOf(j types.JID) nacre.Address {
	switch j = folded(j); {
	case j.User == "" || j.User == types.PSAJID.User:
		return nacre.Address{}
	case j.Server == types.DefaultUserServer:
		return nacre.Address{Channel: nacre.WhatsApp, ID: j.User}
	case j.Server == types.HiddenUserServer:
		return nacre.Address{Channel: nacre.WhatsApp, ID: j.String()}
	}
	return nacre.Address{}
}
