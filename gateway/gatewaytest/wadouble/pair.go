package wadouble

import (
	"bytes"
	"crypto/ecdh"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.mau.fi/libsignal/ecc"
	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waAdv"
	"go.mau.fi/whatsmeow/types"
	"google.golang.org/protobuf/proto"
)

// How long the codes of a client are good: the first, and each of the others.
const (
	firstCode  = 60 * time.Second
	laterCode  = 20 * time.Second
	codes      = 6
	scanning   = 5 * time.Second // between the camera and the server
	answerTime = 30 * time.Second
)

// ErrPasskey is why an account that has a passkey links nothing without it.
var ErrPasskey = errors.New("the account's passkey is asked for")

// visit is the stay of a client that is not linked.
type visit struct {
	since   time.Time
	refs    []string
	invite  *invite  // nil until the client asks for a code to be typed
	linking *linking // nil until somebody has scanned or typed a code
}

// linking is a companion about to be linked.
type linking struct {
	id       string // of the question that the client answers
	account  *Account
	number   uint16
	details  []byte
	identity [32]byte
	done     chan<- error
}

// welcome gives a client codes to show, and sends it away when they are all old.
func (c *conn) welcome() {
	c.visit = &visit{since: time.Now()}
	var refs []node
	for range codes {
		ref := c.server.next("2@")
		c.visit.refs = append(c.visit.refs, ref)
		refs = append(refs, node{Tag: "ref", Content: []byte(ref)})
	}
	c.ask("set", node{Tag: "pair-device", Content: refs})
	time.AfterFunc(firstCode+(codes-1)*laterCode, func() {
		c.server.mu.Lock()
		defer c.server.mu.Unlock()
		c.end()
	})
}

// ask sends an IQ of the server and returns its id.
func (c *conn) ask(kind string, content node) string {
	id := c.server.next("")
	c.send(node{Tag: "iq", Content: []node{content},
		Attrs: attrs{"from": types.ServerJID, "type": kind, "id": id, "xmlns": "md", "t": time.Now().Unix()}})
	return id
}

// Scan links the companion that shows a QR code, and returns when it is linked.
func (a *Account) Scan(qr string) error {
	_, fragment, _ := strings.Cut(qr, "#")
	parts := strings.Split(fragment, ",")
	if len(parts) != 5 {
		return fmt.Errorf("a code of %d parts is none of WhatsApp", len(parts))
	}
	secret, err := base64.StdEncoding.DecodeString(parts[3])
	if err != nil {
		return fmt.Errorf("reading a code: %w", err)
	}
	done := make(chan error, 1)
	if err := a.scan(parts, secret, done); err != nil {
		return err
	}
	return outcome(done)
}

// outcome waits until a client is linked, or not.
func outcome(done <-chan error) error {
	select {
	case err := <-done:
		return err
	case <-time.After(answerTime):
		return errors.New("the client does not answer")
	}
}

func (a *Account) scan(parts []string, secret []byte, done chan<- error) error {
	a.server.mu.Lock()
	defer a.server.mu.Unlock()
	c := a.server.shows(parts[0])
	if c == nil {
		return errors.New("the code is too old")
	}
	identity := c.payload.GetDevicePairingData().GetEIdent()
	if parts[1] != base64.StdEncoding.EncodeToString(c.static[:]) || parts[2] != base64.StdEncoding.EncodeToString(identity) {
		return errors.New("the code's keys are not those of the client")
	}
	return a.link(c, secret, done)
}

// shows is the client that shows a code which is still good; nil if there is none.
func (s *Server) shows(ref string) *conn {
	for c := range s.conns {
		if c.visit == nil || c.ending {
			continue
		}
		i := slices.Index(c.visit.refs, ref)
		if i >= 0 && time.Since(c.visit.since) < firstCode+time.Duration(i)*laterCode+scanning {
			return c
		}
	}
	return nil
}

// link makes a client a companion of the account as soon as it has signed that,
// which done is told.
func (a *Account) link(c *conn, secret []byte, done chan<- error) error {
	if a.passkey {
		c.send(node{Tag: "notification", Content: []node{{Tag: "passkey_request_options", Content: []byte(passkeyOptions)}},
			Attrs: attrs{"from": types.ServerJID, "type": "passkey_prologue_request", "id": a.server.next(""), "t": time.Now().Unix()}})
		return ErrPasskey
	}
	a.numbered++
	l := &linking{account: a, number: a.numbered, done: done}
	copy(l.identity[:], c.payload.GetDevicePairingData().GetEIdent())
	l.details = marshal(&waAdv.ADVDeviceIdentity{
		RawID: proto.Uint32(1), Timestamp: proto.Uint64(uint64(time.Now().Unix())), KeyIndex: proto.Uint32(uint32(l.number)),
	})
	signed := marshal(&waAdv.ADVSignedDeviceIdentity{
		Details:             l.details,
		AccountSignatureKey: a.identity().PublicKey().Bytes(),
		AccountSignature:    sign(a.identity(), slices.Concat(whatsmeow.AdvAccountSignaturePrefix, l.details, l.identity[:])),
	})
	mac := hmac.New(sha256.New, secret)
	mac.Write(signed)
	l.id = c.ask("set", node{Tag: "pair-success", Content: []node{
		{Tag: "device-identity", Content: marshal(&waAdv.ADVSignedDeviceIdentityHMAC{Details: signed, HMAC: mac.Sum(nil)})},
		{Tag: "device", Attrs: attrs{"jid": withDevice(a.pn, l.number), "lid": withDevice(a.lid, l.number)}},
		{Tag: "platform", Attrs: attrs{"name": "android"}},
	}})
	c.visit.linking = l
	return nil
}

// passkeyOptions is what a phone asks of an authenticator, as JSON of WebAuthn.
const passkeyOptions = `{"challenge":"bmFjcmU","timeout":60000,"rpId":"whatsapp.com","allowCredentials":[],"userVerification":"required"}`

// linked takes the client's answer and makes it a companion, which is to log in
// anew.
func (c *conn) linked(answer *node) {
	l := c.visit.linking
	c.visit.linking = nil
	d, err := c.register(l, answer)
	l.done <- err
	if err != nil {
		c.end()
		return
	}
	l.account.companions = append(l.account.companions, d)
	c.end(streamError(Fault{Code: 515}))
}

func (c *conn) register(l *linking, answer *node) (*companion, error) {
	if answer.Attrs["type"] != "result" {
		e := answer.GetChildByTag("error")
		return nil, fmt.Errorf("the client refuses: %v", e.Attrs["text"])
	}
	proof := answer.GetChildByTag("pair-device-sign")
	signed := &waAdv.ADVSignedDeviceIdentity{}
	if err := proto.Unmarshal(bytesOf(proof, "device-identity"), signed); err != nil {
		return nil, fmt.Errorf("reading the client's identity: %w", err)
	}
	message := slices.Concat(whatsmeow.AdvDeviceSignaturePrefix, l.details, l.identity[:], l.account.identity().PublicKey().Bytes())
	if !bytes.Equal(signed.GetDetails(), l.details) || !verified(l.identity, message, signed.GetDeviceSignature()) {
		return nil, errors.New("the client's signature is wrong")
	}
	reg := c.payload.GetDevicePairingData()
	d := &companion{account: l.account, number: l.number, noise: c.static, signature: signed.GetDeviceSignature()}
	d.keys = bundle{
		registration: binary.BigEndian.Uint32(reg.GetERegid()),
		identity:     l.identity,
		signedID:     number24(reg.GetESkeyID()),
	}
	copy(d.keys.signed[:], reg.GetESkeyVal())
	copy(d.keys.signature[:], reg.GetESkeySig())
	return d, nil
}

func verified(key [32]byte, message, signature []byte) bool {
	return len(signature) == 64 && ecc.VerifySignature(ecc.NewDjbECPublicKey(key), message, [64]byte(signature))
}

// identity is the key pair that stands for the account.
func (a *Account) identity() *ecdh.PrivateKey {
	private := a.phone(0).identityKey().PrivateKey().Serialize()
	key, err := ecdh.X25519().NewPrivateKey(private[:])
	must(err)
	return key
}

func withDevice(j types.JID, number uint16) types.JID {
	j.Device = number
	return j
}
