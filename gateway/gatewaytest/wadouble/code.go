package wadouble

import (
	"bytes"
	"crypto/aes"
	modes "crypto/cipher"
	"crypto/hkdf"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.mau.fi/whatsmeow/types"
)

// invite is a code that a client shows, to be typed on a phone.
type invite struct {
	conn    *conn
	account *Account
	ref     string
	wrapped []byte // the client's ephemeral key under the code
	shared  []byte // with that key, once the code is typed
	done    chan error
}

// browser is how a client may call itself.
var browser = regexp.MustCompile(`^(Chrome|Edge|Firefox|IE|Opera|Safari) \((Android|Linux|macOS|Mac OS|Ubuntu|Windows)\)$`)

// wrappedKey is a key under a code: 32 bytes of salt, 16 to begin the cipher with,
// and the key.
const (
	wrappedKey = 80
	stretching = 2 << 16 // iterations
)

// asksForCode answers the first of the two questions of linking by code.
func (c *conn) asksForCode(q, reg *node) {
	phone, _ := reg.Attrs["jid"].(types.JID)
	wrapped := bytesOf(*reg, "link_code_pairing_wrapped_companion_ephemeral_pub")
	a := c.server.account(phone)
	if a == nil || len(wrapped) != wrappedKey || !browser.Match(bytesOf(*reg, "companion_platform_display")) {
		c.refusal(q, 400, "bad-request")
		return
	}
	i := &invite{conn: c, account: a, ref: c.server.next("3@"), wrapped: wrapped, done: make(chan error, 1)}
	a.invite, c.visit.invite = i, i
	c.result(q, node{Tag: "link_code_companion_reg", Attrs: attrs{"stage": "companion_hello"},
		Content: []node{{Tag: "link_code_pairing_ref", Content: []byte(i.ref)}}})
}

// Enter links the companion that shows a code to be typed on this phone, with or
// without its dash, and returns when it is linked.
func (a *Account) Enter(code string) error {
	i, err := a.enter(strings.ReplaceAll(code, "-", ""))
	if err != nil {
		return err
	}
	return outcome(i.done)
}

func (a *Account) enter(code string) (*invite, error) {
	a.server.mu.Lock()
	defer a.server.mu.Unlock()
	i := a.invite
	if i == nil || i.conn.ending || !a.server.conns[i.conn] {
		return nil, errors.New("no client asked for a code")
	}
	return i, i.typed(code)
}

// typed sends the phone's ephemeral key to the client under the code. Whether the
// code was the right one is seen from the client's answer.
func (i *invite) typed(code string) (err error) {
	ephemeral := newKey()
	if i.shared, err = dh(ephemeral, underCode(code, i.wrapped)); err != nil {
		return err
	}
	salt := make([]byte, wrappedKey-32)
	rand.Read(salt)
	wrapped := slices.Concat(salt, underCode(code, slices.Concat(salt, ephemeral.PublicKey().Bytes())))
	i.conn.send(node{
		Tag:   "notification",
		Attrs: attrs{"from": types.ServerJID, "type": "link_code_companion_reg", "id": i.conn.server.next(""), "t": time.Now().Unix()},
		Content: []node{{Tag: "link_code_companion_reg", Attrs: attrs{"stage": "primary_hello"}, Content: []node{
			{Tag: "link_code_pairing_wrapped_primary_ephemeral_pub", Content: wrapped},
			{Tag: "primary_identity_pub", Content: i.account.identity().PublicKey().Bytes()},
			{Tag: "link_code_pairing_ref", Content: []byte(i.ref)},
		}}},
	})
	return nil
}

// underCode puts a wrapped key's last 32 bytes under a code, or takes them out.
func underCode(code string, wrapped []byte) []byte {
	key, err := pbkdf2.Key(sha256.New, code, wrapped[:32], stretching, 32)
	must(err)
	block, err := aes.NewCipher(key)
	must(err)
	out := make([]byte, 32)
	modes.NewCTR(block, wrapped[32:48]).XORKeyStream(out, wrapped[48:])
	return out
}

// finishesCode takes the second question, which proves that the client knows the
// code.
func (c *conn) finishesCode(q, reg *node) {
	i := c.visit.invite
	if i == nil || i.shared == nil || string(bytesOf(*reg, "link_code_pairing_ref")) != i.ref {
		c.refusal(q, 404, "item-not-found")
		return
	}
	c.visit.invite, i.account.invite = nil, nil
	c.result(q)
	secret, err := i.secret(reg)
	if err == nil {
		err = i.account.link(c, secret, i.done)
	}
	if err != nil {
		i.done <- err
	}
}

// secret is what the phone and the client have come to share.
func (i *invite) secret(reg *node) ([]byte, error) {
	wrapped := bytesOf(*reg, "link_code_pairing_wrapped_key_bundle")
	if len(wrapped) < 32+12 {
		return nil, errors.New("the client's keys are missing")
	}
	key, err := hkdf.Key(sha256.New, i.shared, wrapped[:32], "link_code_pairing_key_bundle_encryption_key", 32)
	must(err)
	plain, err := gcm(key).Open(nil, wrapped[32:44], wrapped[44:], nil)
	if err != nil || len(plain) != 3*32 {
		return nil, errors.New("the code is wrong")
	}
	me, identity := i.account.identity(), i.conn.payload.GetDevicePairingData().GetEIdent()
	if !bytes.Equal(plain[:32], identity) || !bytes.Equal(plain[32:64], me.PublicKey().Bytes()) {
		return nil, errors.New("the client's keys are not those that it came with")
	}
	shared, err := dh(me, identity)
	if err != nil {
		return nil, err
	}
	return hkdf.Key(sha256.New, slices.Concat(i.shared, shared, plain[64:]), nil, "adv_secret", 32)
}
