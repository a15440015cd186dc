package vault

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"fmt"

	"nacre"
)

// ErrPunctured is wrapped by the NotFound error of a record whose key was
// destroyed.
var ErrPunctured = errors.New("its key was destroyed")

// sealFormat is the first byte of everything sealed. What follows in format 1
// is a random nonce of 12 bytes, the AES-256-GCM ciphertext and its tag of 16.
const sealFormat = 1

// Binding says what a sealed record is. It is authenticated with the content:
// a row whose content was moved to another owner, table, record or revision
// does not open.
type Binding struct {
	Owner    nacre.OwnerID
	Table    string
	Record   uint64 // from Next
	Revision int64  // of the content, where a record has several
}

func (b Binding) String() string { return fmt.Sprintf("record %d of %s", b.Record, b.Table) }

// associated encodes the binding, with the format, so that no two bindings
// have the same bytes. Numbers are big-endian.
func (b Binding) associated() []byte {
	out := make([]byte, 0, 1+4+len(b.Owner)+4+len(b.Table)+8+8)
	out = append(out, sealFormat)
	out = binary.BigEndian.AppendUint32(out, uint32(len(b.Owner)))
	out = append(out, b.Owner...)
	out = binary.BigEndian.AppendUint32(out, uint32(len(b.Table)))
	out = append(out, b.Table...)
	out = binary.BigEndian.AppendUint64(out, b.Record)
	return binary.BigEndian.AppendUint64(out, uint64(b.Revision))
}

// Seal encrypts plain as the content of a record, which becomes 29 bytes
// longer. It fails with NotFound if the owner has no keys or the record's key
// was destroyed. It writes no file and may be called from many goroutines.
func (v *Vault) Seal(b Binding, plain []byte) ([]byte, error) {
	gcm, err := v.cipher(b)
	if err != nil {
		return nil, err
	}
	out := make([]byte, 1, 1+gcm.Overhead()+len(plain))
	out[0] = sealFormat
	return gcm.Seal(out, nil, plain, b.associated()), nil
}

// Unseal decrypts what Seal made under the same binding. It fails with
// NotFound if the owner has no keys or the record's key was destroyed, then
// wrapping ErrPunctured; any other error means that the bytes are damaged or
// belong to another record. It may be called from many goroutines.
func (v *Vault) Unseal(b Binding, sealed []byte) ([]byte, error) {
	gcm, err := v.cipher(b)
	if err != nil {
		return nil, err
	}
	if len(sealed) == 0 || sealed[0] != sealFormat {
		return nil, fmt.Errorf("unseal %s: unknown format", b)
	}
	plain, err := gcm.Open(nil, nil, sealed[1:], b.associated())
	if err != nil {
		return nil, fmt.Errorf("unseal %s: damaged, or sealed as another record", b)
	}
	return plain, nil
}

func (v *Vault) cipher(b Binding) (cipher.AEAD, error) {
	if err := checkRecord(b.Record); err != nil {
		return nil, err
	}
	t := v.state.Load().owners[b.Owner]
	if t == nil {
		return nil, noKeys(b.Owner)
	}
	key, ok := t.key(b.Record)
	if !ok {
		return nil, nacre.Errorf(nacre.NotFound, "%s cannot be read: %w", b, ErrPunctured)
	}
	return newGCM(key[:])
}

func noKeys(owner nacre.OwnerID) error {
	return nacre.Errorf(nacre.NotFound, "owner %s has no keys", owner)
}

// newGCM draws a random nonce for each sealing and puts it in front.
func newGCM(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}
