package wadouble

import (
	"slices"
	"testing"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waAdv"
	"go.mau.fi/whatsmeow/proto/waWa6"
)

func TestDeviceSignature(t *testing.T) {
	me, right, wrong := New().Account("15550000000"), newKey(), newKey()
	l := &linking{account: me, number: 1, details: []byte("device 1"), identity: public(right)}
	c := &conn{greeting: greeting{payload: &waWa6.ClientPayload{
		DevicePairingData: &waWa6.ClientPayload_DevicePairingRegistrationData{ERegid: make([]byte, 4), ESkeyID: make([]byte, 3)},
	}}}
	message := slices.Concat(whatsmeow.AdvDeviceSignaturePrefix, l.details, l.identity[:], me.identity().PublicKey().Bytes())
	for _, test := range []struct {
		name               string
		details, signature []byte
		err                string
	}{
		{"right", l.details, sign(right, message), ""},
		{"by another key", l.details, sign(wrong, message), "signature is wrong"},
		{"of another message", l.details, sign(right, message[1:]), "signature is wrong"},
		{"of other details", []byte("device 2"), sign(right, message), "signature is wrong"},
		{"none", l.details, nil, "signature is wrong"},
	} {
		signed := marshal(&waAdv.ADVSignedDeviceIdentity{Details: test.details, DeviceSignature: test.signature})
		answer := &node{Tag: "iq", Attrs: attrs{"type": "result"}, Content: []node{
			{Tag: "pair-device-sign", Content: []node{{Tag: "device-identity", Content: signed}}},
		}}
		d, err := c.register(l, answer)
		if !says(err, test.err) || (d != nil) != (test.err == "") {
			t.Errorf("%s: %v, want %q", test.name, err, test.err)
		}
	}
}

func TestNoProof(t *testing.T) {
	inBubble(t, func(b *bot) {
		me, ann, ben := b.server.Account("15550000000"), b.server.Account("15550000001"), b.server.Account("15550000002")
		b.shown(ann, me.LID(), b.send(ann.LID(), Text("I am linked")))
		b.Store.Account.DeviceSignature = make([]byte, 64)
		if _, err := b.SendMessage(b.Context(), ben.LID(), Text("so am I")); !says(err, "400") {
			b.Errorf("sending without a proof: %v", err)
		}
		if shown := ben.Shown(me.LID()); len(shown) != 0 {
			b.Errorf("shown %+v", shown)
		}
	})
}
