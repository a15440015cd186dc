package vault

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"nacre"
)

// Vault is an open key file. Its methods may be called from any goroutine.
// Those that change keys return once the change is durable. Their Transient
// error means that the file could not be written: then nothing has changed, or
// a destruction is begun but not complete; the same call may be made again.
type Vault struct {
	state atomic.Pointer[state] // replaced as a whole, never changed
	next  atomic.Uint64         // the number that Next hands out

	mu    sync.Mutex // guards all below, and is held to replace state
	keys  *keyFile
	clear bool // the file waits to be sealed by the master key

	checked bool // the file is known to be the right one, and may be written
}

// ID is the random identity of the key file, which the database stores to
// recognise it by.
func (v *Vault) ID() string { return string(v.keys.id[:]) }

// String names the vault without its secrets.
func (v *Vault) String() string { return "vault " + v.ID() }

// Used reports whether the key file ever served a database: an owner was added
// or a number reserved.
func (v *Vault) Used() bool {
	s := v.state.Load()
	return s.reserved > firstRecord || s.punctures > 0 || len(s.owners) > 0
}

// Has reports whether an owner has keys. An owner whom the database knows and
// the vault does not means an older copy of the key file, as for Check.
func (v *Vault) Has(owner nacre.OwnerID) bool { return v.state.Load().owners[owner] != nil }

// Punctures counts the destructions, by Puncture and DropOwner, that ever
// changed something. The database stores it after each, for Check.
func (v *Vault) Punctures() uint64 { return v.state.Load().punctures }

// Check compares the key file with what the database knows of it, and must be
// called before anything else; only then the file may be written, and what a
// crash interrupted in it is finished. The database knows the vault's ID, the count of punctures that it
// had seen, and its highest record number, 0 for none. The error is a Conflict
// and a sentence for the operator. A database that is older than the key file
// is fine, and so is an older copy of the key file from which nothing was
// destroyed since; its numbers go on behind the database's.
func (v *Vault) Check(id string, punctures, highest uint64) error {
	s := v.state.Load()
	switch {
	case id != v.ID():
		return nacre.Errorf(nacre.Conflict, "the key file %s belongs to another database; set NACRE_KEYS to the key file of this one", v.keys.file.Name())
	case s.punctures < punctures:
		return nacre.Errorf(nacre.Conflict, "the key file %s is an old copy, and what was forgotten since could be read again; put the newest key file back", v.keys.file.Name())
	}
	if err := v.adopt(); err != nil {
		return err
	}
	return v.pass(highest)
}

// AddOwners gives owners their keys, all in one write of the key file, before
// anything is stored for them. Owners who have keys keep them.
func (v *Vault) AddOwners(ids ...nacre.OwnerID) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	old := v.state.Load()
	s := old.clone()
	for _, id := range ids {
		if len(id) == 0 || len(id) > maxOwnerID {
			return nacre.Errorf(nacre.Invalid, "an owner's id has 1 to %d bytes", maxOwnerID)
		}
		if s.owners[id] == nil {
			s.owners[id] = newTree()
		}
	}
	if len(s.owners) == len(old.owners) {
		return nil
	}
	return v.commit(s)
}

// DropOwner destroys all keys of an owner. An owner without keys is no error.
func (v *Vault) DropOwner(owner nacre.OwnerID) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	s := v.state.Load().clone()
	if s.owners[owner] == nil {
		return v.settle()
	}
	delete(s.owners, owner)
	return v.destroy(s)
}

// Puncture destroys the keys of an owner's records for good. Records that are
// destroyed already, and owners without keys, are no error.
func (v *Vault) Puncture(owner nacre.OwnerID, records ...uint64) error {
	for _, n := range records {
		if err := checkRecord(n); err != nil {
			return err
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	s := v.state.Load().clone()
	before := s.owners[owner]
	if before == nil {
		return v.settle()
	}
	after := before.without(slices.Sorted(slices.Values(records)))
	if after == before {
		return v.settle()
	}
	s.owners[owner] = after
	return v.destroy(s)
}

// Close leaves the newest state in both slots, so that the next to open the file
// has nothing to write, and gives it free. Only Seal, Unseal and the readers may
// be called after it.
func (v *Vault) Close() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.checked {
		return v.keys.file.Close()
	}
	return errors.Join(v.settle(), v.keys.file.Close())
}

// commit makes s the state in the file and then in memory.
func (v *Vault) commit(s *state) error {
	if err := v.keys.commit(s.encode()); err != nil {
		return err
	}
	v.state.Store(s)
	return nil
}

// destroy commits a state that lacks keys and leaves no older one in the file.
func (v *Vault) destroy(s *state) error {
	s.punctures++
	if err := v.commit(s); err != nil {
		return err
	}
	return v.settle()
}

func (v *Vault) settle() error { return v.keys.settle(v.state.Load().encode()) }
