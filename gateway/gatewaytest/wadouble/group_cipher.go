package wadouble

import (
	"context"
	"fmt"

	"go.mau.fi/libsignal/groups"
	"go.mau.fi/libsignal/protocol"
	"go.mau.fi/whatsmeow/store"
	"go.mau.fi/whatsmeow/types"
)

// distribution is the sender key with which the phone encrypts for a group from now
// on. Whoever has it can decrypt what encryptGroup makes afterwards, not what it
// made before.
func (c *cipher) distribution(group types.JID) []byte {
	message, err := c.groups().Create(context.Background(), mine(group))
	must(err)
	return message.Serialize()
}

// encryptGroup pads and encrypts a message for all who have the phone's sender key
// of a group. Without a distribution before it there is no such key.
func (c *cipher) encryptGroup(group types.JID, plaintext []byte) ([]byte, error) {
	cipher := groups.NewGroupCipher(c.groups(), mine(group), c.keys)
	message, err := cipher.Encrypt(context.Background(), pad(plaintext))
	if err != nil {
		return nil, fmt.Errorf("encrypting for a group: %w", err)
	}
	return message.SignedSerialize(), nil
}

// takeDistribution keeps the sender key of a device in a group.
func (c *cipher) takeDistribution(group, from types.JID, data []byte) (err error) {
	var none []byte
	defer malformed(&none, &err)
	message, err := protocol.NewSenderKeyDistributionMessageFromBytes(data,
		store.SignalProtobufSerializer.SenderKeyDistributionMessage)
	if err != nil {
		return fmt.Errorf("reading a sender key: %w", err)
	}
	return c.groups().Process(context.Background(), sender(group, from), message)
}

// decryptGroup decrypts a message that a device sent to a group and takes the
// padding off. A message that cannot be decrypted changes nothing.
func (c *cipher) decryptGroup(group, from types.JID, data []byte) (plaintext []byte, err error) {
	defer malformed(&plaintext, &err)
	message, err := protocol.NewSenderKeyMessageFromBytes(data, store.SignalProtobufSerializer.SenderKeyMessage)
	if err != nil {
		return nil, fmt.Errorf("reading a message of a group: %w", err)
	}
	cipher := groups.NewGroupCipher(c.groups(), sender(group, from), c.keys)
	padded, err := cipher.Decrypt(context.Background(), message)
	if err != nil {
		return nil, fmt.Errorf("decrypting for a group: %w", err)
	}
	return unpad(padded)
}

func (c *cipher) groups() *groups.SessionBuilder {
	return groups.NewGroupSessionBuilder(c.keys, store.SignalProtobufSerializer)
}

func sender(group, device types.JID) *protocol.SenderKeyName {
	return protocol.NewSenderKeyName(group.String(), device.SignalAddress())
}

// mine is the name of the phone's own sender key, which only the phone uses.
func mine(group types.JID) *protocol.SenderKeyName { return sender(group, types.JID{User: "me"}) }
