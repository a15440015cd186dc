package wadouble

import (
	"crypto/ecdh"
	"crypto/rand"
	"crypto/sha256"

	"go.mau.fi/libsignal/ecc"
	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waCert"
	"google.golang.org/protobuf/proto"
)

// Trust makes clients of this process accept the double instead of the real server.
// TestMain calls it once, before any client.
func Trust() {
	silence()
	whatsmeow.WACertPubKey = public(derived("root"))
}

// derived is a key pair of the server. All processes derive the same, so that a
// client in one trusts a server in another.
func derived(name string) *ecdh.PrivateKey {
	seed := sha256.Sum256([]byte("wadouble " + name))
	key, err := ecdh.X25519().NewPrivateKey(seed[:])
	must(err)
	return key
}

// newKey is a fresh key pair.
func newKey() *ecdh.PrivateKey {
	key, err := ecdh.X25519().GenerateKey(rand.Reader)
	must(err)
	return key
}

func public(key *ecdh.PrivateKey) [32]byte { return [32]byte(key.PublicKey().Bytes()) }

// dh is the secret that a key pair shares with the owner of a public key.
func dh(key *ecdh.PrivateKey, their []byte) ([]byte, error) {
	public, err := ecdh.X25519().NewPublicKey(their)
	if err != nil {
		return nil, err
	}
	return key.ECDH(public)
}

// sign makes a signature of XEdDSA, which is what the protocol signs with:
// https://signal.org/docs/specifications/xeddsa/
func sign(key *ecdh.PrivateKey, message []byte) []byte {
	signature := ecc.CalculateSignature(ecc.NewDjbECPrivateKey([32]byte(key.Bytes())), message)
	return signature[:]
}

// certificates is the chain that vouches for the server's static key. The root,
// serial 0, signs an intermediate key, and that one the static key.
func certificates(root, static *ecdh.PrivateKey) []byte {
	middle := derived("intermediate")
	chain := &waCert.CertChain{
		Intermediate: certificate(root, middle, 0, 1),
		Leaf:         certificate(middle, static, 1, 2),
	}
	return marshal(chain)
}

func certificate(issuer, subject *ecdh.PrivateKey, issuerSerial, serial uint32) *waCert.CertChain_NoiseCertificate {
	const always = 1 << 40 // seconds since 1970
	details := marshal(&waCert.CertChain_NoiseCertificate_Details{
		Serial:       &serial,
		IssuerSerial: &issuerSerial,
		Key:          subject.PublicKey().Bytes(),
		NotBefore:    proto.Uint64(0),
		NotAfter:     proto.Uint64(always),
	})
	return &waCert.CertChain_NoiseCertificate{Details: details, Signature: sign(issuer, details)}
}

func marshal(m proto.Message) []byte {
	data, err := proto.Marshal(m)
	must(err)
	return data
}
