package vault

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"slices"

	"nacre"
)

// minCapacity is the size of a slot in a new file; it doubles as needed.
const minCapacity = 16 << 10

// file is what a key file needs of an *os.File.
type file interface {
	io.ReaderAt
	io.WriterAt
	Name() string
	Stat() (fs.FileInfo, error)
	Sync() error
	Truncate(size int64) error
	Close() error
}

// keyFile is an open key file: one slot at its beginning and one at the offset
// of their capacity. It is not safe for use from several goroutines.
//
// A change is written into the slot that does not hold the newest state. When
// the state outgrows the slots, a larger second slot is written behind both,
// and the first one then grows over what they were. So there is a whole slot at
// any time, and the file keeps its place and name.
type keyFile struct {
	file       file
	master     []byte // nil leaves the slots in clear
	id         [36]byte
	capacity   int64
	generation uint64 // highest that may be in the file
	newest     int    // the slot with the newest state, 0 or 1
	settled    bool   // no slot holds a state older than the newest
}

// openKeyFile finds the newest slot of a file. It writes nothing.
func openKeyFile(f file, master []byte) (*keyFile, slot, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, slot{}, err
	}
	slots, err := readSlots(f, st.Size())
	if err != nil {
		return nil, slot{}, err
	}
	s := slots[0]
	k := &keyFile{file: f, master: master, id: s.ID, capacity: int64(s.Capacity), generation: s.Generation}
	if s.offset > 0 {
		k.newest = 1
	}
	k.settled = len(slots) == 2 && slots[1].Generation == s.Generation
	return k, s, nil
}

// readSlots finds the whole slots of a file, the newest first and at least one.
// The second slot lies at any of the capacities that the file ever had.
func readSlots(f file, size int64) ([]slot, error) {
	var slots []slot
	for offset := int64(0); offset <= size/2; offset = max(2*offset, minCapacity) {
		s, err := readSlot(f, offset, size)
		switch {
		case errors.Is(err, errTorn):
			continue
		case errors.Is(err, errNewer):
			return nil, nacre.Errorf(nacre.Conflict, "the key file %s was written by a newer Nacre; use that version or a newer one", f.Name())
		case err != nil:
			return nil, err
		}
		slots = append(slots, s)
	}
	if len(slots) == 0 {
		return nil, damaged(f)
	}
	slices.SortStableFunc(slots, func(a, b slot) int { return cmp.Compare(b.Generation, a.Generation) })
	return slots, nil
}

func damaged(f file) error {
	return nacre.Errorf(nacre.Internal, "the key file %s is damaged and was left as it is; keep it, and put the copy from your key bundle in its place", f.Name())
}

// commit makes plain the newest state, durably. If it fails, the state before
// is still whole in the file, and the next commit outdoes what may have been
// written of this one.
func (k *keyFile) commit(plain []byte) error {
	target, capacity := 1-k.newest, k.capacity
	for capacity < int64(bodyAt+len(plain)+sealCost) {
		target, capacity = 1, 2*capacity
	}
	k.generation++
	k.settled = false
	if err := k.write(target, capacity, plain); err != nil {
		return err
	}
	k.newest, k.capacity = target, capacity
	return nil
}

// settle makes sure that nothing but plain, the newest state, is in the file:
// not behind the slots, where growing was interrupted, and not in the other one.
func (k *keyFile) settle(plain []byte) error {
	if k.settled {
		return nil
	}
	if err := k.cut(2 * k.capacity); err != nil {
		return err
	}
	if err := k.write(1-k.newest, k.capacity, plain); err != nil {
		return err
	}
	k.settled = true
	return nil
}

func (k *keyFile) write(index int, capacity int64, plain []byte) error {
	h := head{Capacity: uint64(capacity), Generation: k.generation, ID: k.id}
	s, err := makeSlot(h, plain, k.master)
	if err != nil {
		return err
	}
	return k.put(s.bytes(), int64(index)*capacity)
}

// cut overwrites what lies behind end before it gives the space back.
func (k *keyFile) cut(end int64) error {
	st, err := k.file.Stat()
	if err != nil {
		return notWritten(err)
	}
	if st.Size() <= end {
		return nil
	}
	if err := k.put(make([]byte, st.Size()-end), end); err != nil {
		return err
	}
	if err := k.file.Truncate(end); err != nil {
		return notWritten(err)
	}
	return nil
}

func (k *keyFile) put(b []byte, offset int64) error {
	if _, err := k.file.WriteAt(b, offset); err != nil {
		return notWritten(err)
	}
	if err := k.file.Sync(); err != nil {
		return notWritten(err)
	}
	return nil
}

func notWritten(err error) error {
	return nacre.Errorf(nacre.Transient, "the key file could not be written; see that its disk has space and is in order (%w)", err)
}
