package whatsapp

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/types"
)

// idBytes is the length of a message id, less its prefix, as WhatsApp Web makes it.
const idBytes = 9

// ownID is the id of what we send for a delivery or a turn. It follows from their id,
// so that what is sent again is the same message; since theirs is partly random and
// goes nowhere else, nobody can guess it who did not get the message.
func ownID(of string) types.MessageID {
	sum := sha256.Sum256([]byte(of))
	return whatsmeow.WebMessageIDPrefix + strings.ToUpper(hex.EncodeToString(sum[:idBytes]))
}

// counterpart is the id of the edit that brings the final text of a message of ours,
// and of such an edit the id of its message: every bit after the prefix is flipped.
// It is empty for an id that is none of ours.
func counterpart(id types.MessageID) types.MessageID {
	digits, ours := strings.CutPrefix(id, whatsmeow.WebMessageIDPrefix)
	b, err := hex.DecodeString(digits)
	if !ours || err != nil || len(b) != idBytes {
		return ""
	}
	for i := range b {
		b[i] = ^b[i]
	}
	return whatsmeow.WebMessageIDPrefix + strings.ToUpper(hex.EncodeToString(b))
}
