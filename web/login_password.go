package web

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"nacre"
)

// Argon2id as OWASP's Password Storage Cheat Sheet has it for servers with little
// memory: 19 MiB, two passes, one thread.
const (
	hashMemory = 19 << 10 // KiB
	hashPasses = 2
	hashLanes  = 1
	hashLength = 32
	saltLength = 16

	// mostHashing is how many may wait for a hash, with the one that is made.
	mostHashing = 8
)

var errCrowd = nacre.Errorf(nacre.Transient, "Too many are logging in just now. Try again in a moment.")

// nobody is the hash that a name without a password is compared with, so that it
// takes as long as another. No password has it.
var nobody = phc(make([]byte, saltLength), make([]byte, hashLength))

// hasher makes one hash at a time, so that many who log in at once take no more
// memory than one.
type hasher struct {
	queue chan struct{} // has one of each who waits, and of who has the turn
	turn  chan struct{}
}

func newHasher() hasher {
	return hasher{make(chan struct{}, mostHashing), make(chan struct{}, 1)}
}

// hash returns a new hash of a password in PHC form. It waits for its turn, and is
// Transient where too many do.
func (h hasher) hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltLength)
	rand.Read(salt)
	key, err := h.key(ctx, password, salt)
	return phc(salt, key), err
}

// matches reports whether a hash that hash returned is of a password. It waits like
// hash.
func (h hasher) matches(ctx context.Context, hash, password string) (bool, error) {
	head, encoded, _ := strings.Cut(strings.TrimPrefix(hash, phcHead), "$")
	salt, err := base64.RawStdEncoding.DecodeString(head)
	if err != nil || !strings.HasPrefix(hash, phcHead) {
		return false, fmt.Errorf("the hash of a password is damaged")
	}
	key, err := h.key(ctx, password, salt)
	return subtle.ConstantTimeCompare([]byte(encoded), []byte(base64.RawStdEncoding.EncodeToString(key))) == 1, err
}

func (h hasher) key(ctx context.Context, password string, salt []byte) ([]byte, error) {
	select {
	case h.queue <- struct{}{}:
		defer func() { <-h.queue }()
	default:
		return nil, errCrowd
	}
	select {
	case h.turn <- struct{}{}:
		defer func() { <-h.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	// Keyboards differ in how they compose a letter.
	return argon2.IDKey(norm.NFC.Bytes([]byte(password)), salt, hashPasses, hashMemory, hashLanes, hashLength), nil
}

// phcHead is how hashes begin. https://github.com/P-H-C/phc-string-format
var phcHead = fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$", argon2.Version, hashMemory, hashPasses, hashLanes)

func phc(salt, key []byte) string {
	return phcHead + base64.RawStdEncoding.EncodeToString(salt) + "$" + base64.RawStdEncoding.EncodeToString(key)
}

// byPassword returns whose name and password these are; NotFound if they are nobody's,
// after as long a time.
func (p *Porter) byPassword(ctx context.Context, name, password string) (nacre.OwnerID, error) {
	all, err := p.passwords.Passwords(ctx)
	if err != nil {
		return "", err
	}
	whose := nacre.Password{Hash: nobody}
	for _, other := range all {
		if fold(other.Name) == fold(name) {
			whose = other
		}
	}
	right, err := p.hashes.matches(ctx, whose.Hash, password)
	if err == nil && (!right || whose.Owner == "") {
		err = nacre.Errorf(nacre.NotFound, "the name or the password is wrong")
	}
	return whose.Owner, err
}

// fold is what the name that somebody typed is compared by.
func fold(name string) string { return nacre.FoldName(norm.NFC.String(name)) }
