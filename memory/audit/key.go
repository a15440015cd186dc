package audit

import (
	"crypto/ed25519"
	"fmt"

	"golang.org/x/mod/sumdb/note"

	"nacre"
)

type (
	// Signer signs checkpoints. Whoever holds it can speak for the log.
	Signer = note.Signer
	// Verifier recognises the checkpoints of one log.
	Verifier = note.Verifier
)

const maxOrigin = 64 // bytes

// NewKey makes the Ed25519 key of a log from its seed, a secret of 32 random
// bytes that the caller keeps outside the database. The same origin and seed
// always give the same key. The origin names the log in every checkpoint, such
// as "nacre/" and an id of the installation: at most 64 lower-case letters,
// digits, points, dashes and slashes. Anything else is Invalid.
func NewKey(origin string, seed [32]byte) (Signer, Verifier, error) {
	if !isOrigin(origin) {
		return nil, nil, nacre.Errorf(nacre.Invalid, "the memory log cannot have this origin; use at most %d lower-case letters, digits, points, dashes and slashes", maxOrigin)
	}
	key := ed25519.NewKeyFromSeed(seed[:])
	encoded, err := note.NewEd25519VerifierKey(origin, key.Public().(ed25519.PublicKey))
	if err != nil {
		return nil, nil, fmt.Errorf("encode public key: %w", err)
	}
	v, err := note.NewVerifier(encoded)
	if err != nil {
		return nil, nil, fmt.Errorf("make verifier: %w", err)
	}
	return signer{v, key}, v, nil
}

// signer has the name and key hash of its verifier.
type signer struct {
	Verifier
	key ed25519.PrivateKey
}

func (s signer) Sign(msg []byte) ([]byte, error) { return ed25519.Sign(s.key, msg), nil }

func isOrigin(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter, digit := 'a' <= c && c <= 'z', '0' <= c && c <= '9'
		if !letter && !digit && c != '.' && c != '-' && c != '/' {
			return false
		}
	}
	return 0 < len(s) && len(s) <= maxOrigin
}
