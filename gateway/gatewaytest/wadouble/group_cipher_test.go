package wadouble

import (
	"bytes"
	"testing"

	"go.mau.fi/whatsmeow/types"
)

var circle = types.NewJID("120363000000000001", types.GroupServer)

// noSigningKey is the distribution of a sender key whose public half is empty, on
// which the library panics.
const noSigningKey = "\x33\x08\x01\x10\x00\x1a\x01k\x22\x00"

func mustEncryptGroup(t *testing.T, c *cipher, words string) []byte {
	t.Helper()
	data, err := c.encryptGroup(circle, []byte(words))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestGroupCipher(t *testing.T) {
	a, b := newCipher(), newCipher()
	if data, err := a.encryptGroup(circle, []byte("early")); err == nil {
		t.Errorf("encrypted %x without a sender key", data)
	}
	a.distribution(circle)
	before := mustEncryptGroup(t, a, "before")
	if err := b.takeDistribution(circle, anna, a.distribution(circle)); err != nil {
		t.Fatal(err)
	}
	if got, err := b.decryptGroup(circle, anna, before); err == nil {
		t.Errorf("decrypted %q, which is older than the sender key", got)
	}
	for _, words := range []string{"one", "two", ""} {
		got, err := b.decryptGroup(circle, anna, mustEncryptGroup(t, a, words))
		if err != nil || string(got) != words {
			t.Errorf("decryptGroup = %q, %v; want %q", got, err, words)
		}
	}
}

func TestGroupCipherRefuses(t *testing.T) {
	a, b := newCipher(), newCipher()
	if err := b.takeDistribution(circle, anna, a.distribution(circle)); err != nil {
		t.Fatal(err)
	}
	data := mustEncryptGroup(t, a, "words")
	garbled := bytes.Clone(data)
	garbled[len(garbled)/2] ^= 1
	elsewhere := types.NewJID("120363000000000002", types.GroupServer)
	for _, c := range []struct {
		name        string
		group, from types.JID
		data        []byte
	}{
		{"garbled", circle, anna, garbled},
		{"of another device", circle, ben, data},
		{"of another group", elsewhere, anna, data},
		{"empty", circle, anna, nil},
	} {
		if got, err := b.decryptGroup(c.group, c.from, c.data); err == nil || got != nil {
			t.Errorf("%s: decryptGroup = %q, %v", c.name, got, err)
		}
	}
	for _, none := range []string{"no key", noSigningKey} {
		if err := b.takeDistribution(circle, anna, []byte(none)); err == nil {
			t.Errorf("took the sender key %x, which is none", none)
		}
	}
	if got, err := b.decryptGroup(circle, anna, data); string(got) != "words" {
		t.Errorf("untouched: decryptGroup = %q, %v", got, err)
	}
}

func TestGroupCipherForgets(t *testing.T) {
	a, b := newCipher(), newCipher()
	if err := b.takeDistribution(circle, anna, a.distribution(circle)); err != nil {
		t.Fatal(err)
	}
	b.forget()
	if got, err := b.decryptGroup(circle, anna, mustEncryptGroup(t, a, "lost")); err == nil {
		t.Errorf("decrypted %q without a sender key", got)
	}
	if err := b.takeDistribution(circle, anna, a.distribution(circle)); err != nil {
		t.Fatal(err)
	}
	if got, err := b.decryptGroup(circle, anna, mustEncryptGroup(t, a, "found")); string(got) != "found" {
		t.Errorf("decryptGroup = %q, %v", got, err)
	}
}
