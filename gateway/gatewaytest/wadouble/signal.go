package wadouble

import (
	"context"
	"fmt"

	"go.mau.fi/libsignal/ecc"
	"go.mau.fi/libsignal/keys/identity"
	"go.mau.fi/libsignal/keys/prekey"
	"go.mau.fi/libsignal/protocol"
	"go.mau.fi/libsignal/session"
	"go.mau.fi/libsignal/util/optional"
	"go.mau.fi/whatsmeow/store"
	"go.mau.fi/whatsmeow/types"
)

// The two kinds of message between two devices: one that opens a session, and one
// that goes on with it.
const (
	opening = "pkmsg"
	ongoing = "msg"
)

// cipher is what one phone knows of the Signal protocol: its identity, its prekeys,
// and its sessions with other devices. It may be used by one goroutine at a time.
//
// It goes by Signal addresses, which a LID and a phone number of the same person do
// not share: whoever uses it decides by which of them a device is known.
type cipher struct{ keys *keyStore }

// bundle is what a device publishes so that another can write to it first.
type bundle struct {
	registration uint32
	identity     [32]byte

	signedID  uint32
	signed    [32]byte
	signature [64]byte // of signed with its type before it, by identity

	oneTimeID uint32 // 0 if the device has none left
	oneTime   [32]byte
}

// newCipher makes the keys of a new phone.
func newCipher() *cipher { return &cipher{newKeyStore()} }

// identityKey is the key pair that stands for the phone's person. It signs the
// devices that are linked to the account.
func (c *cipher) identityKey() *identity.KeyPair { return c.keys.identity }

// bundle publishes the phone's keys with a one-time prekey that is good once.
func (c *cipher) bundle() bundle {
	id, pair := c.keys.newPreKey()
	return bundle{
		registration: c.keys.registration,
		identity:     c.keys.identity.PublicKey().PublicKey().PublicKey(),
		signedID:     c.keys.signed.ID(),
		signed:       c.keys.signed.KeyPair().PublicKey().PublicKey(),
		signature:    c.keys.signed.Signature(),
		oneTimeID:    id,
		oneTime:      pair.PublicKey().PublicKey(),
	}
}

// hasSession reports whether the phone can write to a device without its bundle.
func (c *cipher) hasSession(with types.JID) bool {
	return c.keys.sessions[with.SignalAddress().String()] != nil
}

// encrypt pads and encrypts a message for a device. With the device's bundle it
// opens a new session; nil goes on with the one there is.
func (c *cipher) encrypt(to types.JID, their *bundle, plaintext []byte) (encType string, data []byte, err error) {
	ctx, builder := context.Background(), c.session(to)
	if their != nil {
		if err := builder.ProcessBundle(ctx, their.opened(to)); err != nil {
			return "", nil, fmt.Errorf("opening a session: %w", err)
		}
	}
	message, err := session.NewCipher(builder, to.SignalAddress()).Encrypt(ctx, pad(plaintext))
	if err != nil {
		return "", nil, fmt.Errorf("encrypting: %w", err)
	}
	if message.Type() == protocol.PREKEY_TYPE {
		return opening, message.Serialize(), nil
	}
	return ongoing, message.Serialize(), nil
}

// decrypt decrypts a message of a device and takes the padding off. A message that
// cannot be decrypted changes nothing.
func (c *cipher) decrypt(from types.JID, encType string, data []byte) (plaintext []byte, err error) {
	defer malformed(&plaintext, &err)
	padded, err := c.open(from, encType, data)
	if err != nil {
		return nil, fmt.Errorf("decrypting: %w", err)
	}
	return unpad(padded)
}

func (c *cipher) open(from types.JID, encType string, data []byte) ([]byte, error) {
	serializer := store.SignalProtobufSerializer
	session := session.NewCipher(c.session(from), from.SignalAddress())
	switch encType {
	case opening:
		m, err := protocol.NewPreKeySignalMessageFromBytes(data, serializer.PreKeySignalMessage, serializer.SignalMessage)
		if err != nil {
			return nil, err
		}
		return session.DecryptMessage(context.Background(), m)
	case ongoing:
		m, err := protocol.NewSignalMessageFromBytes(data, serializer.SignalMessage)
		if err != nil {
			return nil, err
		}
		return session.Decrypt(context.Background(), m)
	}
	return nil, fmt.Errorf("a message of type %q", encType)
}

// forget drops all sessions and sender keys, as a phone does whose app was installed
// again. Its identity and its prekeys stay.
func (c *cipher) forget() {
	clear(c.keys.sessions)
	clear(c.keys.senders)
}

func (c *cipher) session(with types.JID) *session.Builder {
	return session.NewBuilderFromSignal(c.keys, with.SignalAddress(), store.SignalProtobufSerializer)
}

// opened is the bundle as the library takes it.
func (b *bundle) opened(device types.JID) *prekey.Bundle {
	oneTimeID, oneTime := optional.NewEmptyUint32(), ecc.ECPublicKeyable(nil)
	if b.oneTimeID != 0 {
		oneTimeID, oneTime = optional.NewOptionalUint32(b.oneTimeID), ecc.NewDjbECPublicKey(b.oneTime)
	}
	return prekey.NewBundle(b.registration, uint32(device.Device), oneTimeID, b.signedID,
		oneTime, ecc.NewDjbECPublicKey(b.signed), b.signature,
		identity.NewKey(ecc.NewDjbECPublicKey(b.identity)))
}

// malformed makes an error of the panics with which the library meets some bytes
// that are no message.
func malformed(plaintext *[]byte, err *error) {
	if r := recover(); r != nil {
		*plaintext, *err = nil, fmt.Errorf("malformed message: %v", r)
	}
}
