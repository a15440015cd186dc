package vault

import (
	"bytes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"nacre"
)

var slotMagic = [8]byte{'n', 'a', 'c', 'r', 'e', 'k', 'e', 'y'}

const slotVersion = 1

// head begins a slot, which is a whole key file by itself: the head, big-endian
// and without gaps, the SHA-256 of all the rest of the slot, the body, and zeros
// up to the capacity. The checksum covers the zeros too, so that a write which
// broke off behind the body does not pass with old bytes there. All versions
// keep Magic, Version, Capacity and the checksum in their places.
type head struct {
	Magic      [8]byte
	Version    uint32
	Sealed     uint32   // 1 if the body is sealed by a master key, else 0
	Capacity   uint64   // of the slot
	Length     uint64   // of the body
	Generation uint64   // counts the writes of the file
	ID         [36]byte // of the vault
	Salt       [32]byte // zeros if not sealed
}

const (
	headSize = 8 + 4 + 4 + 8 + 8 + 8 + 36 + 32
	bodyAt   = headSize + sha256.Size
	sealCost = 28 // bytes that sealing adds to a body
)

func (h head) bytes() []byte {
	b, _ := binary.Append(nil, binary.BigEndian, h) // a fixed-size struct always encodes
	return b
}

// slot is a head with its body as it lies in the file.
type slot struct {
	head
	body   []byte
	offset int64 // where it was read
}

// makeSlot puts the encoded state into a slot, sealed if there is a master key.
func makeSlot(h head, plain, master []byte) (slot, error) {
	h.Magic, h.Version, h.Length = slotMagic, slotVersion, uint64(len(plain))
	if master == nil {
		return slot{head: h, body: plain}, nil
	}
	h.Sealed, h.Length = 1, h.Length+sealCost
	rand.Read(h.Salt[:])
	gcm, err := h.cipher(master)
	if err != nil {
		return slot{}, err
	}
	return slot{head: h, body: gcm.Seal(nil, nil, plain, h.bytes())}, nil
}

// plain is the encoded state in the slot.
func (s slot) plain(master []byte) ([]byte, error) {
	if s.Sealed == 0 {
		return s.body, nil
	}
	if master == nil {
		return nil, nacre.Errorf(nacre.Invalid, "the key file is sealed by a master key; set NACRE_MASTER_KEY_FILE to the file that holds it")
	}
	gcm, err := s.cipher(master)
	if err != nil {
		return nil, err
	}
	plain, err := gcm.Open(nil, nil, s.body, s.head.bytes())
	if err != nil {
		return nil, nacre.Errorf(nacre.Denied, "the master key does not open the key file; set NACRE_MASTER_KEY_FILE to the one that it was sealed with")
	}
	return plain, nil
}

// cipher is AES-256-GCM under HKDF-SHA256 (RFC 5869) of the master key.
func (h head) cipher(master []byte) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, master, h.Salt[:], "nacre key file", 32)
	if err != nil {
		return nil, err
	}
	return newGCM(key)
}

// bytes lays the slot out in all its capacity, so that writing it leaves
// nothing of what was there before.
func (s slot) bytes() []byte {
	b := make([]byte, s.Capacity)
	copy(b, s.head.bytes())
	copy(b[bodyAt:], s.body)
	copy(b[headSize:], checksum(b))
	return b
}

// checksum of a laid out slot is over everything but its own place.
func checksum(b []byte) []byte {
	d := sha256.New()
	d.Write(b[:headSize])
	d.Write(b[bodyAt:])
	return d.Sum(nil)
}

// masterKey is what counts of a secret read from a file: all but the white
// space around it. A nil secret is no master key; an empty one is a mistake.
func masterKey(secret []byte) ([]byte, error) {
	if secret == nil {
		return nil, nil
	}
	key := bytes.Clone(bytes.TrimSpace(secret))
	if len(key) < 16 {
		return nil, nacre.Errorf(nacre.Invalid, "the master key is shorter than 16 bytes; put a longer one into the file that NACRE_MASTER_KEY_FILE names")
	}
	return key, nil
}

var (
	errTorn  = errors.New("no whole slot")
	errNewer = errors.New("slot of a newer version")
)

// readSlot reads the slot at an offset of a file of the given size. It fails
// with errTorn unless a whole one lies there.
func readSlot(f io.ReaderAt, offset, size int64) (slot, error) {
	s := slot{offset: offset}
	b, err := readAt(f, offset, bodyAt, size)
	if err != nil {
		return slot{}, err
	}
	binary.Decode(b, binary.BigEndian, &s.head)
	if !s.fits(offset, size) {
		return slot{}, errTorn
	}
	if b, err = readAt(f, offset, int64(s.Capacity), size); err != nil {
		return slot{}, err
	}
	if !bytes.Equal(checksum(b), b[headSize:bodyAt]) {
		return slot{}, errTorn
	}
	if s.Version != slotVersion {
		return slot{}, errNewer
	}
	if s.Length > s.Capacity-bodyAt {
		return slot{}, errTorn
	}
	s.body = b[bodyAt:][:s.Length]
	return s, nil
}

// fits reports whether a slot that begins like this belongs at the offset.
func (h head) fits(offset, size int64) bool {
	return h.Magic == slotMagic &&
		h.Capacity >= minCapacity && h.Capacity&(h.Capacity-1) == 0 &&
		h.Capacity <= uint64(size-offset) &&
		(offset == 0 || h.Capacity == uint64(offset))
}

func readAt(f io.ReaderAt, offset, n, size int64) ([]byte, error) {
	if n > size-offset {
		return nil, errTorn
	}
	b := make([]byte, n)
	if _, err := f.ReadAt(b, offset); err != nil {
		return nil, fmt.Errorf("read key file: %w", err)
	}
	return b, nil
}
