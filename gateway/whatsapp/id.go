package whatsapp

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/types"
)

// A message id of ours is a prefix and nine bytes, as WhatsApp Web makes them: a
// nonce, and a tag by which we know it again without any memory.
const (
	nonceBytes = 6
	tagBytes   = 3
)

// idKey makes the ids of what we send, and knows them. Nobody else can make one.
type idKey []byte

// newIDKey derives the key of an account from a secret of it.
func newIDKey(secret []byte) idKey {
	return mac(secret, "Nacre message ids")
}

// id is the id of what we send for a delivery or a turn. It follows from their id, so
// that what is sent again is the same message.
func (k idKey) id(of string) types.MessageID {
	sum := sha256.Sum256([]byte(of))
	return k.tagged(sum[:nonceBytes])
}

func (k idKey) tagged(nonce []byte) types.MessageID {
	b := append(bytes.Clone(nonce), mac(k, string(nonce))[:tagBytes]...)
	return whatsmeow.WebMessageIDPrefix + strings.ToUpper(hex.EncodeToString(b))
}

// nonce is that of an id of ours; false for any other.
func (k idKey) nonce(id types.MessageID) ([]byte, bool) {
	digits, _ := strings.CutPrefix(id, whatsmeow.WebMessageIDPrefix)
	b, err := hex.DecodeString(digits)
	if err != nil || len(b) != nonceBytes+tagBytes || k.tagged(b[:nonceBytes]) != id {
		return nil, false
	}
	return b[:nonceBytes], true
}

// made reports whether an id is one of ours.
func (k idKey) made(id types.MessageID) bool {
	_, ours := k.nonce(id)
	return ours
}

// counterpart is the id of the edit that brings the final text of a message of ours,
// and of such an edit the id of its message: every bit of the nonce is flipped. It is
// empty for an id that is none of ours.
func (k idKey) counterpart(id types.MessageID) types.MessageID {
	nonce, ours := k.nonce(id)
	if !ours {
		return ""
	}
	for i := range nonce {
		nonce[i] = ^nonce[i]
	}
	return k.tagged(nonce)
}

func mac(key []byte, of string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(of))
	return h.Sum(nil)
}
