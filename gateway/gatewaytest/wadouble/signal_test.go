package wadouble

import (
	"bytes"
	"testing"

	"go.mau.fi/libsignal/ecc"
	"go.mau.fi/whatsmeow/types"
)

var (
	anna = types.NewJID("100000000000001", types.HiddenUserServer)
	ben  = types.JID{User: "100000000000002", Server: types.HiddenUserServer, Device: 3}
)

// opened is two devices with a session that both know of.
func opened(t *testing.T) (a, b *cipher) {
	t.Helper()
	a, b = newCipher(), newCipher()
	theirs := b.bundle()
	pass(t, a, b, anna, ben, &theirs, opening, "first")
	pass(t, b, a, ben, anna, nil, ongoing, "second")
	return a, b
}

// pass sends words from one device to another and looks at how they went.
func pass(t *testing.T, a, b *cipher, from, to types.JID, their *bundle, encType, words string) {
	t.Helper()
	got, data, err := a.encrypt(to, their, []byte(words))
	if err != nil || got != encType {
		t.Fatalf("encrypt(%q) = type %q, %v; want %q", words, got, err, encType)
	}
	plaintext, err := b.decrypt(from, got, data)
	if err != nil || string(plaintext) != words {
		t.Fatalf("decrypt = %q, %v; want %q", plaintext, err, words)
	}
}

func TestCipherBothWays(t *testing.T) {
	a, b := opened(t)
	for range 3 {
		pass(t, a, b, anna, ben, nil, ongoing, "")
		pass(t, a, b, anna, ben, nil, ongoing, "there")
		pass(t, b, a, ben, anna, nil, ongoing, "and back")
	}
	if !a.hasSession(ben) || !b.hasSession(anna) {
		t.Error("no session after a conversation")
	}
	if other := ben.ToNonAD(); a.hasSession(other) {
		t.Errorf("a session with %v, which is another device", other)
	}
}

// A device opens its session until the other one has answered.
func TestCipherOpensUntilAnswered(t *testing.T) {
	a, b := newCipher(), newCipher()
	theirs := b.bundle()
	pass(t, a, b, anna, ben, &theirs, opening, "one")
	pass(t, a, b, anna, ben, nil, opening, "two")
	pass(t, b, a, ben, anna, nil, ongoing, "yes")
	pass(t, a, b, anna, ben, nil, ongoing, "three")
}

func TestCipherWithoutOneTimePreKey(t *testing.T) {
	a, b := newCipher(), newCipher()
	theirs := b.bundle()
	theirs.oneTimeID = 0
	pass(t, a, b, anna, ben, &theirs, opening, "one")
	pass(t, b, a, ben, anna, nil, ongoing, "two")
}

// Both open a session at once, as happens when messages cross.
func TestCipherCrossing(t *testing.T) {
	a, b := newCipher(), newCipher()
	of, their := a.bundle(), b.bundle()
	_, toB, err := a.encrypt(ben, &their, []byte("from a"))
	if err != nil {
		t.Fatal(err)
	}
	_, toA, err := b.encrypt(anna, &of, []byte("from b"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := b.decrypt(anna, opening, toB); string(got) != "from a" {
		t.Errorf("b reads %q, %v", got, err)
	}
	if got, err := a.decrypt(ben, opening, toA); string(got) != "from b" {
		t.Errorf("a reads %q, %v", got, err)
	}
}

func TestCipherRefuses(t *testing.T) {
	a, b := opened(t)
	_, data, err := a.encrypt(ben, nil, []byte("words"))
	if err != nil {
		t.Fatal(err)
	}
	garbled := bytes.Clone(data)
	garbled[len(garbled)/2] ^= 1
	for _, c := range []struct {
		name, encType string
		from          types.JID
		data          []byte
	}{
		{"garbled", ongoing, anna, garbled},
		{"of another device", ongoing, ben, data},
		{"of the wrong type", opening, anna, data},
		{"of an unknown type", "msmsg", anna, data},
	} {
		if got, err := b.decrypt(c.from, c.encType, c.data); err == nil || got != nil {
			t.Errorf("%s: decrypt = %q, %v", c.name, got, err)
		}
	}
	if got, err := b.decrypt(anna, ongoing, data); string(got) != "words" {
		t.Errorf("untouched: decrypt = %q, %v", got, err)
	}
	if got, err := b.decrypt(anna, ongoing, data); err == nil {
		t.Errorf("again: decrypt = %q", got)
	}
	if _, _, err := a.encrypt(anna, nil, nil); err == nil {
		t.Error("encrypted for a device without a session")
	}
	forged := b.bundle()
	forged.signature[0] ^= 1
	if _, _, err := a.encrypt(ben, &forged, nil); err == nil {
		t.Error("encrypted for a bundle with a bad signature")
	}
}

func TestCipherForgets(t *testing.T) {
	a, b := opened(t)
	_, lost, err := a.encrypt(ben, nil, []byte("lost"))
	if err != nil {
		t.Fatal(err)
	}
	b.forget()
	if b.hasSession(anna) {
		t.Error("a session after forgetting")
	}
	if got, err := b.decrypt(anna, ongoing, lost); err == nil {
		t.Errorf("decrypted %q without a session", got)
	}
	theirs := b.bundle()
	pass(t, a, b, anna, ben, &theirs, opening, "once more")
	pass(t, b, a, ben, anna, nil, ongoing, "thanks")
}

// The identity key signs what the network can verify, and stays the same.
func TestCipherIdentity(t *testing.T) {
	c := newCipher()
	pair := c.identityKey()
	signature := ecc.CalculateSignature(pair.PrivateKey(), []byte("device"))
	public := ecc.NewDjbECPublicKey(c.bundle().identity)
	if !ecc.VerifySignature(public, []byte("device"), signature) {
		t.Error("the bundle's identity does not verify what the identity key signed")
	}
	if ecc.VerifySignature(public, []byte("other"), signature) {
		t.Error("a signature is good for other bytes")
	}
	if one, two := c.bundle(), c.bundle(); one.oneTimeID == two.oneTimeID || one.identity != two.identity {
		t.Error("bundles share a one-time prekey or differ in identity")
	}
}

func TestPadding(t *testing.T) {
	for n := range 40 {
		message := bytes.Repeat([]byte{7}, n)
		padded := pad(message)
		if got, err := unpad(padded); err != nil || !bytes.Equal(got, message) {
			t.Errorf("%d bytes come back as %v, %v", n, got, err)
		}
		if more := len(padded) - n; more < 1 || more > most {
			t.Errorf("%d bytes of padding", more)
		}
	}
	for _, bad := range [][]byte{nil, {0}, {1, 2}, {3, 3}, {1, 0}} {
		if got, err := unpad(bad); err == nil {
			t.Errorf("unpad(%v) = %v", bad, got)
		}
	}
}

// No bytes but those that a device encrypted are read as a message, and those once.
func FuzzDecrypt(f *testing.F) {
	a, b := newCipher(), newCipher()
	theirs := b.bundle()
	_, data, err := a.encrypt(ben, &theirs, []byte("words"))
	if err != nil {
		f.Fatal(err)
	}
	if got, err := b.decrypt(anna, opening, data); string(got) != "words" {
		f.Fatalf("decrypt = %q, %v", got, err)
	}
	if err := b.takeDistribution(circle, anna, a.distribution(circle)); err != nil {
		f.Fatal(err)
	}
	for _, seed := range [][]byte{nil, {0x33}, {0x33, 0x33}, data, data[:len(data)-1], bytes.Repeat([]byte{0x33}, 80), []byte(noSigningKey)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, garbage []byte) {
		for _, encType := range []string{opening, ongoing} {
			if got, err := b.decrypt(anna, encType, garbage); err == nil || got != nil {
				t.Errorf("%s %x is read as %q, %v", encType, garbage, got, err)
			}
		}
		if got, err := b.decryptGroup(circle, anna, garbage); err == nil || got != nil {
			t.Errorf("%x is read as %q, %v", garbage, got, err)
		}
		b.takeDistribution(circle, ben, garbage)
	})
}
