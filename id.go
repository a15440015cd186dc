package nacre

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// The ids below are opaque to everyone but their minter: they are compared and
// stored, and parsed by Minted alone. Ids that Nacre mints are UUIDv7 text (RFC
// 9562), so they sort by the time of minting; order itself is the inbox sequence.
type (
	// OwnerID names an Owner. Minted by the ledger, unique in an installation.
	OwnerID string
	// SessionID names a Session. Minted by the ledger, unique in an installation.
	SessionID string
	// MessageID names a stored Message. Minted by the gateway, unique in an
	// installation; one revision of a message has one id.
	MessageID string
	// TurnID names a Turn. It is the id of the turn's first message, so that a
	// repeated turn has the same id; tools use it as idempotency key.
	TurnID string
	// ReplyID names a Reply. The answer of a Turn has the turn's id; others are
	// minted by who wrote them.
	ReplyID string
	// DeliveryID names one rendered part of a Reply in the outbox. Minted by
	// the ledger; channels whose network takes ids of our choice send it.
	DeliveryID string
	// NoteID names one version of a Note. Minted by the Book, unique in an
	// installation.
	NoteID string
	// ExternalID is what a network calls a message. Minted by that network,
	// unique within (channel, chat).
	ExternalID string
)

// NewID returns a fresh UUIDv7 for the given instant. The random part comes
// from crypto/rand, so ids minted in the same millisecond differ.
func NewID(now time.Time) string {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], uint64(now.UnixMilli())<<16)
	rand.Read(b[6:])
	b[6] = b[6]&0x0f | 0x70
	b[8] = b[8]&0x3f | 0x80
	var s [36]byte
	hex.Encode(s[0:8], b[0:4])
	hex.Encode(s[9:13], b[4:6])
	hex.Encode(s[14:18], b[6:8])
	hex.Encode(s[19:23], b[8:10])
	hex.Encode(s[24:36], b[10:16])
	s[8], s[13], s[18], s[23] = '-', '-', '-', '-'
	return string(s[:])
}

// Minted is when NewID made an id, to the millisecond; the zero time for an id of
// another kind. It is for what may be wrong, such as an age; times that matter are
// stored.
func Minted(id string) time.Time {
	head, tail, _ := strings.Cut(id, "-")
	low, _, _ := strings.Cut(tail, "-")
	ms, err := strconv.ParseUint(head+low, 16, 64)
	if err != nil || len(head)+len(low) != 12 {
		return time.Time{}
	}
	return time.UnixMilli(int64(ms))
}
