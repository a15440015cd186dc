package vault

import (
	"crypto/hmac"
	"crypto/sha256"

	"nacre"
)

// Installation stands for an owner where a secret belongs to nobody in
// particular. It needs AddOwners as others do.
const Installation nacre.OwnerID = "installation"

// secretRecord is the record from whose key secrets are made. It is below all
// that Next hands out and Puncture takes.
const secretRecord = firstRecord - 1

// Secret derives a secret of an owner, another for each purpose: HMAC-SHA256
// (RFC 2104) of the purpose under a key of the owner's tree. It is the same for
// as long as the owner has keys, destroying records does not change it, and
// DropOwner destroys it. It fails with NotFound if the owner has no keys, and
// may be called from many goroutines.
func (v *Vault) Secret(owner nacre.OwnerID, purpose string) ([32]byte, error) {
	t := v.state.Load().owners[owner]
	if t == nil {
		return [32]byte{}, noKeys(owner)
	}
	key, ok := t.key(secretRecord)
	if !ok {
		return [32]byte{}, nacre.Errorf(nacre.Internal, "the keys of owner %s are damaged; put the newest key file back", owner)
	}
	mac := hmac.New(sha256.New, key[:])
	mac.Write([]byte(purpose))
	return [32]byte(mac.Sum(nil)), nil
}
