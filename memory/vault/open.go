package vault

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"nacre"
)

// Create makes a key file, mode 0600, for an installation that has no data yet,
// which the caller makes sure of. A file that exists is refused. The master key
// is a secret of at least 16 bytes, white space around it not counted, under
// which the file is sealed; nil for none.
func Create(path string, master []byte, now time.Time) (*Vault, error) {
	key, err := masterKey(master)
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil, nacre.Errorf(nacre.Conflict, "there is something at %s already, and no new key file is written over it", path)
	}
	// The file gets its name when it is whole, so that a crash leaves none that
	// looks damaged.
	if err := writeNew(path+".new", key, nacre.NewID(now), &state{reserved: firstRecord}); err != nil {
		return nil, err
	}
	if err := errors.Join(os.Rename(path+".new", path), syncDir(filepath.Dir(path))); err != nil {
		return nil, cannotCreate(err)
	}
	return Load(path, master)
}

// writeNew writes a key file with a state.
func writeNew(path string, master []byte, id string, s *state) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return cannotCreate(err)
	}
	k := &keyFile{file: f, master: master, id: [36]byte([]byte(id)), capacity: minCapacity}
	plain := s.encode()
	err = k.commit(plain)
	if err == nil {
		err = k.settle(plain)
	}
	return errors.Join(err, f.Close())
}

// syncDir makes a renaming durable.
func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func cannotCreate(err error) error {
	return nacre.Errorf(nacre.Invalid, "the key file cannot be made (%w); give this user the right to write there, or set NACRE_KEYS to another place", err)
}

// Load opens the key file and keeps other processes off it until Close. It
// writes nothing: Check does, once the file is known to be the right one. Errors
// are sentences for the operator; that of a missing file is NotFound and
// satisfies errors.Is(err, fs.ErrNotExist).
func Load(path string, master []byte) (*Vault, error) {
	key, err := masterKey(master)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nacre.Errorf(nacre.NotFound, "the key file is missing (%w), and nothing that was stored can be read without it; put it back from your key bundle, or set NACRE_KEYS to where it is", err)
	case err != nil:
		return nil, nacre.Errorf(nacre.Invalid, "the key file cannot be opened (%w); give this user the right to read and write it", err)
	}
	v, err := lockAndLoad(f, key)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return v, nil
}

func lockAndLoad(f *os.File, master []byte) (*Vault, error) {
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, nacre.Errorf(nacre.Conflict, "another process is using the key file %s (%w); stop it first, or give each installation a key file of its own with NACRE_KEYS", f.Name(), err)
	}
	return load(f, master)
}

func load(f file, master []byte) (*Vault, error) {
	k, newest, err := openKeyFile(f, master)
	if err != nil {
		return nil, err
	}
	plain, err := newest.plain(master)
	if err != nil {
		return nil, err
	}
	s, ok := decodeState(plain)
	if !ok {
		return nil, damaged(f)
	}
	v := &Vault{keys: k, clear: master != nil && newest.Sealed == 0}
	v.state.Store(s)
	v.next.Store(s.reserved)
	return v, nil
}

// adopt finishes what a crash interrupted, and seals a file that was in clear
// when a master key was given.
func (v *Vault) adopt() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	plain := v.state.Load().encode()
	if v.clear {
		if err := v.keys.commit(plain); err != nil {
			return err
		}
		v.clear = false
	}
	v.checked = true
	return v.keys.settle(plain)
}
