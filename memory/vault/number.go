package vault

import "nacre"

const (
	firstRecord = 1       // 0 is never a record, so that a forgotten number shows
	block       = 1 << 16 // record numbers reserved by one write of the key file
)

// Next mints a record number, unique in the installation for all time. Numbers
// rise, with gaps; they begin anew behind everything reserved when the key file
// is loaded, so that a database put back from an old copy never gets a number
// twice. It writes the key file once in 65,536 calls, the first one among
// them, and may be called from many goroutines. A Transient error means that
// the key file could not be written.
func (v *Vault) Next() (uint64, error) {
	for {
		n := v.next.Load()
		if n >= v.state.Load().reserved {
			if err := v.reserve(); err != nil {
				return 0, err
			}
			continue
		}
		if v.next.CompareAndSwap(n, n+1) {
			return n, nil
		}
	}
}

// reserve writes a higher bound into the key file before numbers below it are
// handed out, unless another caller just did.
func (v *Vault) reserve() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	old := v.state.Load()
	if v.next.Load() < old.reserved {
		return nil
	}
	if old.reserved > records-block {
		return nacre.Errorf(nacre.Internal, "all record numbers of this installation are used up")
	}
	s := old.clone()
	s.reserved += block
	return v.commit(s)
}

// pass makes sure that Next mints numbers above one that is in use, which a
// copy of the key file from before its block does not know of.
func (v *Vault) pass(highest uint64) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	old := v.state.Load()
	if highest < old.reserved {
		return nil
	}
	if err := checkRecord(highest); err != nil {
		return err
	}
	s := old.clone()
	s.reserved = highest + 1
	if err := v.commit(s); err != nil {
		return err
	}
	v.next.Store(s.reserved)
	return nil
}

func checkRecord(n uint64) error {
	if n < firstRecord || n >= records {
		return nacre.Errorf(nacre.Invalid, "%d is no record number", n)
	}
	return nil
}
