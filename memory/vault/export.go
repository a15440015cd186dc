package vault

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"nacre"
)

// Export returns everything that the key file keeps, in clear: its identity in 36
// bytes and its state. Whoever has it can open all that is stored, and what is stored
// later; it is for a key bundle, which seals it at once.
func (v *Vault) Export() []byte {
	return append([]byte(v.ID()), v.state.Load().encode()...)
}

// Contents is what may be known of an export: which vault it is of, how many keys had
// been destroyed, as Punctures counts them, and who has keys, in order.
type Contents struct {
	ID        string
	Punctures uint64
	Owners    []nacre.OwnerID
}

// Exported tells what is in what Export returned; Invalid if that is something else.
func Exported(b []byte) (Contents, error) {
	id, s, ok := parseExport(b)
	if !ok {
		return Contents{}, errExport
	}
	return Contents{id, s.punctures, slices.Sorted(maps.Keys(s.owners))}, nil
}

var errExport = nacre.Errorf(nacre.Invalid, "the key bundle does not hold the keys of a Nacre; take another copy of it")

// Import makes a key file, mode 0600, of what Export returned, sealed by the master key
// if there is one. Its count of punctures is at least the given one, so that files from
// before it are still noticed by a database that had seen so many. A file that exists is
// refused with Conflict. What another Import left half made is made anew.
func Import(path string, exported, master []byte, punctures uint64) error {
	key, err := masterKey(master)
	if err != nil {
		return err
	}
	id, s, ok := parseExport(exported)
	if !ok {
		return errExport
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return nacre.Errorf(nacre.Conflict, "there is a key file at %s already, and none is written over it; move it away, or set NACRE_KEYS to another place", path)
	}
	s.punctures = max(s.punctures, punctures)
	if err := writeNew(path+".new", key, id, s); err != nil {
		return err
	}
	if err := errors.Join(os.Rename(path+".new", path), syncDir(filepath.Dir(path))); err != nil {
		return cannotCreate(err)
	}
	return nil
}

// parseExport takes apart what Export returned.
func parseExport(b []byte) (id string, s *state, ok bool) {
	const idSize = len(keyFile{}.id)
	if len(b) < idSize {
		return "", nil, false
	}
	s, ok = decodeState(b[idSize:])
	return string(b[:idSize]), s, ok
}

// Copy makes a copy of a key file that nobody changes meanwhile, such as one for a
// rehearsal, without opening it for good. It waits for nobody: a file that a running
// Nacre has is copied too, and is whole, since a change leaves one slot as it is.
func Copy(from, to string) error {
	b, err := os.ReadFile(from)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nacre.Errorf(nacre.NotFound, "the key file is missing (%w), and nothing that was stored can be read without it; restore it from your key bundle", err)
	}
	if err == nil {
		err = os.WriteFile(to, b, 0o600)
	}
	if err != nil {
		return nacre.Errorf(nacre.Invalid, "the key file cannot be copied (%w); give this user the right to read it", err)
	}
	return nil
}
