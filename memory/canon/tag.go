package canon

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
)

// Tag returns the HMAC-SHA256 (RFC 2104) of parts under an owner's tombstone
// key. The number of parts and the length of each are part of what is hashed,
// so that no two lists of parts share a tag. Who lacks the key can neither
// guess a value from its tag nor compare the tags of two owners.
func Tag(key [32]byte, parts ...string) [32]byte {
	mac := hmac.New(sha256.New, key[:])
	var size [8]byte
	write := func(n int) {
		binary.BigEndian.PutUint64(size[:], uint64(n))
		mac.Write(size[:])
	}
	write(len(parts))
	for _, p := range parts {
		write(len(p))
		mac.Write([]byte(p))
	}
	return [32]byte(mac.Sum(nil))
}

// The layers of a tombstone. A layer's name is the first part of its tags, so
// that a slot and a value of the same words have different ones. The names are
// stored in no clear form and may never change.
const (
	layerSlotValue = "slot+value"
	layerValue     = "value"
	layerSkeleton  = "skeleton"
	layerSlot      = "slot"
	layerStem      = "stem"
	layerName      = "name"
)

// SlotValueTag is the tag of a value in its slot (such as "people/dog"): the
// same fact again.
func SlotValueTag(key [32]byte, slot, value string) [32]byte {
	return Tag(key, layerSlotValue, Form(slot), Form(value))
}

// ValueTag is the tag of a value in whatever slot.
func ValueTag(key [32]byte, value string) [32]byte {
	return Tag(key, layerValue, Form(value))
}

// SkeletonTag is the tag of a value's appearance.
func SkeletonTag(key [32]byte, value string) [32]byte {
	return Tag(key, layerSkeleton, Skeleton(value))
}

// SlotTag is the tag of a slot, whatever its value.
func SlotTag(key [32]byte, slot string) [32]byte {
	return Tag(key, layerSlot, Form(slot))
}

// StemTags are the tags of a text's Words, in their order; Overlap compares
// them. Tags made for other langs do not compare, so these are kept beside
// them.
func StemTags(key [32]byte, text string, langs []string) [][32]byte {
	words := Words(text, langs)
	tags := make([][32]byte, len(words))
	for i, w := range words {
		tags[i] = Tag(key, layerStem, w)
	}
	return tags
}
