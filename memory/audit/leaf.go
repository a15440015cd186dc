package audit

import (
	"encoding/binary"
	"strings"
	"time"

	"nacre"
)

// Actor says whose decision a leaf records.
type Actor string

// The actors. The list is closed; it may grow, but no name is ever removed,
// since old leaves keep theirs.
const (
	Owner   Actor = "owner"   // the owner's own hand: a command, a button, the page, an edited file
	Model   Actor = "model"   // the chat model, through a tool
	Reflect Actor = "reflect" // the memory model, reading back unasked
	Repair  Actor = "repair"  // the rules that expire, archive and merge
	Style   Actor = "style"   // the writing style of sent mail
	Import  Actor = "import"  // memory taken over from elsewhere
	Restore Actor = "restore" // a backup put back
)

func (a Actor) known() bool {
	switch a {
	case Owner, Model, Reflect, Repair, Style, Import, Restore:
		return true
	}
	return false
}

// Leaf is what the log says about one change or refused change of memory. It
// has no room for a word of content: texts are codes of at most 32 bytes in
// lower-case letters, with a point, dash or underscore between words, and no
// digits; the caller draws them from closed lists.
type Leaf struct {
	Sequence   int64     // the number of the leaf in the log, from 0 without gaps
	Time       time.Time // from 1970 to 9999; milliseconds are kept
	Owner      [32]byte  // a pseudonym that only a secret of the caller leads to; never zero
	Actor      Actor
	Channel    string // the code of the channel it arrived on; empty for none
	Action     string // the code of what was done or refused
	Record     string // the UUID of the note concerned, in lower case; empty for none
	Version    int64  // of memory after a change, or on which a refusal was decided; not negative
	Reason     string // the code of why; empty if there is nothing to say
	Commitment [32]byte
}

// leafFormat is the first byte of an encoded leaf. What follows in format 1 is
// Sequence, Time in Unix milliseconds and Version as 8 bytes each, Owner and
// Commitment as 32, then Actor, Channel, Action, Record and Reason, each
// behind its length as one byte. Numbers are big-endian.
const leafFormat = 1

const (
	leafFixed = 1 + 3*8 + 2*32 // bytes before the texts
	maxCode   = 32             // bytes of a code
	maxMilli  = 253402300799999
)

// Encode returns the bytes that go into the tree. Equal leaves have equal
// bytes, others differ. A leaf that is not as its fields demand is refused as
// Invalid; the error does not repeat what it held.
func (l Leaf) Encode() ([]byte, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	out := make([]byte, 0, 192)
	out = append(out, leafFormat)
	out = binary.BigEndian.AppendUint64(out, uint64(l.Sequence))
	out = binary.BigEndian.AppendUint64(out, uint64(l.Time.UnixMilli()))
	out = binary.BigEndian.AppendUint64(out, uint64(l.Version))
	out = append(out, l.Owner[:]...)
	out = append(out, l.Commitment[:]...)
	for _, text := range []string{string(l.Actor), l.Channel, l.Action, l.Record, l.Reason} {
		out = append(out, byte(len(text)))
		out = append(out, text...)
	}
	return out, nil
}

// Decode reads what Encode made, with the time in UTC. Everything else is
// refused as Invalid.
func Decode(b []byte) (Leaf, error) {
	if len(b) < leafFixed || b[0] != leafFormat {
		return Leaf{}, nacre.Errorf(nacre.Invalid, "the leaf is not of a known format")
	}
	l := Leaf{
		Sequence: int64(binary.BigEndian.Uint64(b[1:])),
		Time:     time.UnixMilli(int64(binary.BigEndian.Uint64(b[9:]))).UTC(),
		Version:  int64(binary.BigEndian.Uint64(b[17:])),
	}
	copy(l.Owner[:], b[25:])
	copy(l.Commitment[:], b[57:])
	rest := b[leafFixed:]
	for _, text := range []*string{(*string)(&l.Actor), &l.Channel, &l.Action, &l.Record, &l.Reason} {
		if len(rest) == 0 || len(rest) < 1+int(rest[0]) {
			return Leaf{}, nacre.Errorf(nacre.Invalid, "the leaf is cut off")
		}
		end := 1 + int(rest[0])
		*text, rest = string(rest[1:end]), rest[end:]
	}
	if len(rest) > 0 {
		return Leaf{}, nacre.Errorf(nacre.Invalid, "the leaf has something behind its end")
	}
	return l, l.check()
}

// check names the first field that is not as it has to be.
func (l Leaf) check() error {
	for _, c := range []struct {
		field string
		ok    bool
	}{
		{"sequence", l.Sequence >= 0},
		{"time", inRange(l.Time)},
		{"owner", l.Owner != [32]byte{}},
		{"actor", l.Actor.known()},
		{"channel", l.Channel == "" || isCode(l.Channel)},
		{"action", isCode(l.Action)},
		{"record", l.Record == "" || isUUID(l.Record)},
		{"version", l.Version >= 0},
		{"reason", l.Reason == "" || isCode(l.Reason)},
		{"commitment", l.Commitment != [32]byte{}},
	} {
		if !c.ok {
			return nacre.Errorf(nacre.Invalid, "the leaf's %s is not allowed in the log", c.field)
		}
	}
	return nil
}

// inRange reports whether the instant lies in the years that the log can tell.
func inRange(t time.Time) bool {
	return !t.Before(time.Unix(0, 0)) && !t.After(time.UnixMilli(maxMilli))
}

// isCode reports whether s is one or more lower-case words with single
// separators between them.
func isCode(s string) bool {
	separated := true // so that none stands first
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z':
			separated = false
		case strings.IndexByte(".-_", c) >= 0 && !separated:
			separated = true
		default:
			return false
		}
	}
	return !separated && len(s) <= maxCode
}

// isUUID reports whether s is a UUID in the text form of RFC 9562, lower case.
func isUUID(s string) bool {
	for i := range len(s) {
		c, dash := s[i], i == 8 || i == 13 || i == 18 || i == 23
		hex := '0' <= c && c <= '9' || 'a' <= c && c <= 'f'
		if dash && c != '-' || !dash && !hex {
			return false
		}
	}
	return len(s) == 36
}
