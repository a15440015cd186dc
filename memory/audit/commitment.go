package audit

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
)

// NewSalt draws the salt of one commitment. It is stored beside the payload,
// used for nothing else and destroyed with it.
func NewSalt() (salt [32]byte) {
	rand.Read(salt[:])
	return salt
}

// Commit returns the commitment to a payload, HMAC-SHA256 under its salt
// (RFC 2104). Whoever has payload and salt can show that the leaf means them;
// whoever lacks the salt cannot test a guess at the payload.
func Commit(salt [32]byte, payload []byte) (commitment [32]byte) {
	mac := hmac.New(sha256.New, salt[:])
	mac.Write(payload)
	mac.Sum(commitment[:0])
	return commitment
}
