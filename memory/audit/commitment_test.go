package audit

import (
	"encoding/hex"
	"testing"
)

// TestCommit uses case 1 of RFC 4231, whose key is padded with zeros to the
// block size as ours would be.
func TestCommit(t *testing.T) {
	var salt [32]byte
	for i := range 20 {
		salt[i] = 0x0b
	}
	got := Commit(salt, []byte("Hi There"))
	if want := "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"; hex.EncodeToString(got[:]) != want {
		t.Errorf("got %x, want %s", got, want)
	}
}

func TestCommitNeedsItsSalt(t *testing.T) {
	salt, payload := NewSalt(), []byte("lives in Lyon")
	c := Commit(salt, payload)
	if c != Commit(salt, payload) {
		t.Error("payload and salt do not show what the commitment means")
	}
	if c == Commit(salt, []byte("lives in Nice")) {
		t.Error("another payload has the same commitment")
	}
	if other := NewSalt(); other == salt || c == Commit(other, payload) || c == Commit([32]byte{}, payload) {
		t.Error("the payload can be guessed without the salt")
	}
}
