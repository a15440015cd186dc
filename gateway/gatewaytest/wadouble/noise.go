package wadouble

import (
	"crypto/aes"
	modes "crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"go.mau.fi/whatsmeow/proto/waWa6"
	"go.mau.fi/whatsmeow/socket"
	"google.golang.org/protobuf/proto"
)

// noise is the server's side of a handshake Noise_XX_25519_AESGCM_SHA256:
// https://noiseprotocol.org/noise.html#handshake-patterns
type noise struct {
	hash, salt []byte
	key        *counter
}

func newNoise() *noise {
	n := &noise{hash: []byte(socket.NoiseStartPattern), salt: []byte(socket.NoiseStartPattern)}
	n.key = newCounter(n.hash)
	n.authenticate(socket.WAConnHeader)
	return n
}

func (n *noise) authenticate(data []byte) {
	sum := sha256.Sum256(append(n.hash[:len(n.hash):len(n.hash)], data...))
	n.hash = sum[:]
}

func (n *noise) mix(key *ecdh.PrivateKey, their []byte) error {
	secret, err := dh(key, their)
	if err != nil {
		return err
	}
	var next []byte
	n.salt, next = n.expand(secret)
	n.key = newCounter(next)
	return nil
}

func (n *noise) expand(secret []byte) (first, second []byte) {
	keys, err := hkdf.Key(sha256.New, secret, n.salt, "", 64)
	must(err)
	return keys[:32], keys[32:]
}

func (n *noise) encrypt(plain []byte) []byte {
	sealed := n.key.seal(plain, n.hash)
	n.authenticate(sealed)
	return sealed
}

func (n *noise) decrypt(sealed []byte) ([]byte, error) {
	plain, err := n.key.open(sealed, n.hash)
	n.authenticate(sealed)
	return plain, err
}

// handshake greets a client and returns its static key, what it wants, and the
// ciphers of what follows. exchange sends a message, if there is one, and waits for
// the next.
func (s *Server) handshake(exchange func(out []byte) (in []byte, err error)) (greeting, error) {
	n, ephemeral := newNoise(), newKey()
	hello, err := receive(exchange(nil))
	if err != nil {
		return greeting{}, err
	}
	theirs := hello.GetClientHello().GetEphemeral()
	n.authenticate(theirs)
	n.authenticate(ephemeral.PublicKey().Bytes())
	if err := n.mix(ephemeral, theirs); err != nil {
		return greeting{}, err
	}
	answer := &waWa6.HandshakeMessage_ServerHello{
		Ephemeral: ephemeral.PublicKey().Bytes(),
		Static:    n.encrypt(s.static.PublicKey().Bytes()),
	}
	if err := n.mix(s.static, theirs); err != nil {
		return greeting{}, err
	}
	answer.Payload = n.encrypt(certificates(s.root, s.static))
	finish, err := receive(exchange(marshal(&waWa6.HandshakeMessage{ServerHello: answer})))
	if err != nil {
		return greeting{}, err
	}
	return n.finish(ephemeral, finish.GetClientFinish())
}

func receive(data []byte, err error) (*waWa6.HandshakeMessage, error) {
	m := &waWa6.HandshakeMessage{}
	if err == nil {
		err = proto.Unmarshal(data, m)
	}
	return m, err
}

// greeting is what a handshake tells of a client.
type greeting struct {
	static  [32]byte
	payload *waWa6.ClientPayload
	read    *counter
	write   *counter
}

func (n *noise) finish(ephemeral *ecdh.PrivateKey, m *waWa6.HandshakeMessage_ClientFinish) (g greeting, err error) {
	static, err := n.decrypt(m.GetStatic())
	if err != nil || len(static) != len(g.static) {
		return g, errors.New("the client's static key cannot be read")
	}
	if err := n.mix(ephemeral, static); err != nil {
		return g, err
	}
	payload, err := n.decrypt(m.GetPayload())
	if err != nil {
		return g, fmt.Errorf("reading what the client wants: %w", err)
	}
	g.static, g.payload = [32]byte(static), &waWa6.ClientPayload{}
	read, write := n.expand(nil)
	g.read, g.write = newCounter(read), newCounter(write)
	return g, proto.Unmarshal(payload, g.payload)
}

// counter is AES-GCM whose nonces count the messages.
type counter struct {
	aead modes.AEAD
	next uint32
}

func newCounter(key []byte) *counter {
	return &counter{aead: gcm(key)}
}

func gcm(key []byte) modes.AEAD {
	block, err := aes.NewCipher(key)
	must(err)
	aead, err := modes.NewGCM(block)
	must(err)
	return aead
}

func (c *counter) nonce() []byte {
	nonce := make([]byte, c.aead.NonceSize())
	binary.BigEndian.PutUint32(nonce[len(nonce)-4:], c.next)
	c.next++
	return nonce
}

func (c *counter) seal(plain, context []byte) []byte {
	return c.aead.Seal(nil, c.nonce(), plain, context)
}

func (c *counter) open(sealed, context []byte) ([]byte, error) {
	return c.aead.Open(nil, c.nonce(), sealed, context)
}
