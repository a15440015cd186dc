package vault

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"syscall"
	"testing"

	"nacre"
)

// manyOwners does not fit into the slots of a new file.
func manyOwners() []nacre.OwnerID {
	ids := make([]nacre.OwnerID, 512)
	for i := range ids {
		ids[i] = nacre.OwnerID(fmt.Sprintf("owner %d", i))
	}
	return ids
}

// manyRecords leave more nodes than the slots of a new file hold.
func manyRecords() []uint64 {
	records := make([]uint64, 100)
	for i := range records {
		records[i] = uint64(i)*99_991 + 1
	}
	return records
}

// change is one thing that is done to a key file with the owner "ana".
type change struct {
	name     string
	do       func(*Vault) error
	destroys uint64 // a record of ana's, 0 for none
}

var changes = []change{
	{"add owners", func(v *Vault) error { return v.AddOwners("ben", "cleo") }, 0},
	{"add owners and grow", func(v *Vault) error { return v.AddOwners(manyOwners()...) }, 0},
	{"reserve", func(v *Vault) error { _, err := v.Next(); return err }, 0},
	{"puncture", func(v *Vault) error { return v.Puncture("ana", 42) }, 42},
	{"puncture and grow", func(v *Vault) error { return v.Puncture("ana", manyRecords()...) }, 1},
	{"drop owner", func(v *Vault) error { return v.DropOwner("ana") }, 42},
}

// leadsTo lists the secrets from which a leaf can be derived, itself included.
func leadsTo(n node, record uint64) [][]byte {
	way := [][]byte{bytes.Clone(n.secret[:])}
	for n.level < depth {
		left, right := n.children()
		n = left
		if record >= right.first {
			n = right
		}
		way = append(way, bytes.Clone(n.secret[:]))
	}
	return way
}

// holdsAny reports whether a file holds a secret, anywhere in its bytes or in
// what the master key opens.
func holdsAny(t *testing.T, path string, master []byte, secrets [][]byte) bool {
	t.Helper()
	b := readFile(t, path)
	places := [][]byte{b}
	for offset := 0; offset < len(b); offset += minCapacity {
		s, err := readSlot(bytes.NewReader(b), int64(offset), int64(len(b)))
		if err != nil {
			continue
		}
		plain, err := s.plain(master)
		if err != nil {
			t.Fatal(err)
		}
		places = append(places, plain)
	}
	return slices.ContainsFunc(secrets, func(s []byte) bool {
		return slices.ContainsFunc(places, func(p []byte) bool { return bytes.Contains(p, s) })
	})
}

// op is one thing a key file did to its disk; a nil write is a cut at offset.
type op struct {
	write  []byte
	offset int64
}

// tape records what happens to a file. A write counts once it is synced.
type tape struct {
	*os.File
	t       *testing.T
	ops     []op
	pending bool
}

func (r *tape) WriteAt(b []byte, offset int64) (int, error) {
	if r.pending {
		r.t.Error("a write before the one before it was synced")
	}
	r.pending = true
	r.ops = append(r.ops, op{bytes.Clone(b), offset})
	return r.File.WriteAt(b, offset)
}

func (r *tape) Sync() error {
	r.pending = false
	return r.File.Sync()
}

func (r *tape) Truncate(size int64) error {
	r.ops = append(r.ops, op{nil, size})
	return r.File.Truncate(size)
}

// apply does o to an image of a file, only the bytes from and to of a write.
func (o op) apply(image []byte, from, to int) []byte {
	if o.write == nil {
		return image[:o.offset]
	}
	if end := int(o.offset) + to; end > len(image) {
		image = append(image, make([]byte, end-len(image))...)
	}
	copy(image[int(o.offset)+from:], o.write[from:to])
	return image
}

// crashes calls check with the image of every file that a crash could leave:
// between any two operations, and with any one of them done in part, of which
// the disk may have written the end without the beginning.
func (r *tape) crashes(base []byte, check func(name string, image []byte)) {
	check("before all", base)
	for i, o := range r.ops {
		n := len(o.write)
		for _, part := range [][2]int{{0, 7}, {0, 100}, {0, 170}, {0, 512}, {0, n / 2}, {0, n - 1}, {100, n}, {170, n}, {512, n}, {n / 2, n}} {
			if o.write != nil && part[1] <= n {
				check(fmt.Sprintf("in step %d, bytes %v", i, part), o.apply(bytes.Clone(base), part[0], part[1]))
			}
		}
		base = o.apply(base, 0, n)
		check(fmt.Sprintf("after step %d", i), bytes.Clone(base))
	}
}

// record runs a change on a vault while its disk is watched.
func record(t *testing.T, v *Vault, do func(*Vault) error) *tape {
	t.Helper()
	r := &tape{File: v.keys.file.(*os.File), t: t}
	v.keys.file = r
	if err := do(v); err != nil {
		t.Fatal(err)
	}
	if r.pending {
		t.Error("the last write was not synced")
	}
	return r
}

func TestCrashAnywhere(t *testing.T) {
	for _, key := range [][]byte{nil, master} {
		for _, c := range changes {
			t.Run(fmt.Sprintf("%s, sealed %v", c.name, key != nil), func(t *testing.T) { testCrash(t, c, key) })
		}
	}
}

func testCrash(t *testing.T, c change, key []byte) {
	v := newVault(t, key, "ana")
	way := leadsTo(v.state.Load().owners["ana"].nodes[0], c.destroys)
	base, before := readFile(t, keyPath(v)), v.state.Load().encode()
	r := record(t, v, c.do)
	after := v.state.Load().encode()
	if bytes.Equal(before, after) {
		t.Fatal("the change changed nothing")
	}
	seen := map[string]int{}
	r.crashes(base, func(name string, image []byte) {
		path := writeFile(t, image)
		v := loadFile(t, path, key)
		defer v.Close()
		got := v.state.Load().encode()
		switch {
		case bytes.Equal(got, before):
			seen["before"]++
		case bytes.Equal(got, after):
			seen["after"]++
		default:
			t.Errorf("%s: the state is neither the old nor the new one", name)
		}
		if c.destroys != 0 && holdsAny(t, path, key, way) != bytes.Equal(got, before) {
			t.Errorf("%s: loaded, the file holds a way to the record, or lost it too early", name)
		}
		if _, err := v.Next(); err != nil {
			t.Errorf("%s: the loaded vault does not work: %v", name, err)
		}
	})
	if seen["before"] == 0 || seen["after"] == 0 {
		t.Errorf("the crashes left %v", seen)
	}
}

// A crash while an interrupted change is finished is no different.
func TestCrashWhileLoading(t *testing.T) {
	v := newVault(t, nil, "ana")
	way := leadsTo(v.state.Load().owners["ana"].nodes[0], 1)
	base := readFile(t, keyPath(v))
	r := record(t, v, func(v *Vault) error { return v.Puncture("ana", manyRecords()...) })
	for _, key := range [][]byte{nil, master} {
		r.crashes(base, func(name string, image []byte) {
			again := &tape{File: mustOpen(t, writeFile(t, image)), t: t}
			v, err := loadChecked(again, key)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			punctured := v.Punctures() == 1
			again.crashes(image, func(inner string, image []byte) {
				if v, err := loadChecked(mustOpen(t, writeFile(t, image)), master); err != nil {
					t.Errorf("%s, then %s: %v", name, inner, err)
				} else if punctured != (v.Punctures() == 1) {
					t.Errorf("%s, then %s: the puncture came or went", name, inner)
				} else if punctured && holdsAny(t, v.keys.file.Name(), master, way) {
					t.Errorf("%s, then %s: the file holds a way to the record", name, inner)
				}
			})
		})
	}
}

// faulty fails at one operation, having done a part of it.
type faulty struct {
	*os.File
	left int // operations until it fails
	part int // of the failing write, in percent
}

func (f *faulty) fails() bool {
	f.left--
	return f.left == -1
}

func (f *faulty) WriteAt(b []byte, offset int64) (int, error) {
	if !f.fails() {
		return f.File.WriteAt(b, offset)
	}
	n, _ := f.File.WriteAt(b[:len(b)*f.part/100], offset)
	return n, &os.PathError{Op: "write", Path: f.Name(), Err: syscall.ENOSPC}
}

func (f *faulty) Sync() error {
	if f.fails() {
		return &os.PathError{Op: "sync", Path: f.Name(), Err: syscall.EIO}
	}
	return f.File.Sync()
}

func (f *faulty) Truncate(size int64) error {
	if f.fails() {
		return &os.PathError{Op: "truncate", Path: f.Name(), Err: syscall.EIO}
	}
	return f.File.Truncate(size)
}

func TestDiskErrors(t *testing.T) {
	for _, c := range changes {
		for _, part := range []int{0, 50} {
			t.Run(fmt.Sprintf("%s, %d %% written", c.name, part), func(t *testing.T) {
				failures := 0
				for testDiskError(t, c, failures, part) {
					failures++
				}
				want := 2 // one write, one sync
				if c.destroys != 0 {
					want = 4 // of either slot
				}
				if failures != want {
					t.Errorf("%d places to fail, want %d", failures, want)
				}
			})
		}
	}
}

// testDiskError lets the n-th operation fail, and reports whether there is one.
func testDiskError(t *testing.T, c change, n, part int) bool {
	v := newVault(t, nil, "ana")
	way := leadsTo(v.state.Load().owners["ana"].nodes[0], c.destroys)
	b := Binding{Owner: "ana", Table: "inbox", Record: 77}
	sealed := seal(t, v, b, "words")
	if err := v.Puncture("ana", 3); err != nil { // settles both slots
		t.Fatal(err)
	}
	before := v.state.Load()
	real := v.keys.file.(*os.File)
	v.keys.file = &faulty{File: real, left: n, part: part}
	err := c.do(v)
	if err == nil {
		return false
	}
	if nacre.KindOf(err) != nacre.Transient || !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EIO) {
		t.Errorf("failure %d: got %v", n, err)
	}
	if committed := n >= 2; (v.state.Load() == before) == committed {
		t.Errorf("failure %d: half a change in memory", n)
	}
	if v.Has("ana") && !opens(v, b, sealed, "words") {
		t.Errorf("failure %d: another record does not open", n)
	}
	copied := writeFile(t, readFile(t, real.Name()))
	if _, err := Load(copied, nil); err != nil {
		t.Errorf("failure %d: a crash now would lose the file: %v", n, err)
	}

	v.keys.file = real
	if err := c.do(v); err != nil {
		t.Errorf("failure %d: trying again: %v", n, err)
	}
	if c.destroys != 0 && holdsAny(t, real.Name(), nil, way) {
		t.Errorf("failure %d: trying again left a way to the record", n)
	}
	want := v.state.Load().encode()
	if v = reload(t, v, nil); !bytes.Equal(v.state.Load().encode(), want) {
		t.Errorf("failure %d: the file holds another state", n)
	}
	return true
}

// A growth that failed leaves keys behind the slots. They do not survive the
// next destruction, nor win over a later change.
func TestAbandonedGrowthIsWiped(t *testing.T) {
	for _, n := range []int{0, 1} {
		v := newVault(t, nil, "ana", "dora")
		root := v.state.Load().owners["dora"].nodes[0].secret
		real := v.keys.file.(*os.File)
		v.keys.file = &faulty{File: real, left: n, part: 50}
		if err := v.AddOwners(manyOwners()...); err == nil {
			t.Fatal("no failure")
		}
		v.keys.file = real
		if err := v.AddOwners("ben"); err != nil {
			t.Fatal(err)
		}
		copied := loadFile(t, writeFile(t, readFile(t, real.Name())), nil)
		if !copied.Has("ben") || copied.Has("owner 1") {
			t.Error("the abandoned change won")
		}
		if !holdsAny(t, real.Name(), nil, [][]byte{root[:]}) {
			t.Fatal("the root is not in the file: this test would see nothing")
		}
		if err := v.DropOwner("dora"); err != nil {
			t.Fatal(err)
		}
		if holdsAny(t, real.Name(), nil, [][]byte{root[:]}) {
			t.Error("the file holds the root of a dropped owner")
		}
		if got := len(readFile(t, real.Name())); got != 2*minCapacity {
			t.Errorf("the file has %d bytes", got)
		}
	}
}

// The same where a crash is what interrupted the growth, of a file whose slots
// were alike.
func TestInterruptedGrowthIsWiped(t *testing.T) {
	v := newVault(t, nil, "dora")
	if v = reload(t, v, nil); !v.keys.settled {
		t.Fatal("loading did not settle the file")
	}
	base, root := readFile(t, keyPath(v)), v.state.Load().owners["dora"].nodes[0].secret
	r := record(t, v, func(v *Vault) error { return v.AddOwners(manyOwners()...) })
	torn := r.ops[0].apply(base, 0, len(r.ops[0].write)-1)
	if bytes.Count(torn, root[:]) != 3 {
		t.Fatal("the interrupted growth left no root: this test would see nothing")
	}
	v = loadFile(t, writeFile(t, torn), nil)
	if err := v.DropOwner("dora"); err != nil {
		t.Fatal(err)
	}
	if holdsAny(t, keyPath(v), nil, [][]byte{root[:]}) {
		t.Error("the file holds the root of a dropped owner")
	}
}

func TestDamagedSlots(t *testing.T) {
	newest := func(v *Vault) int { return v.keys.newest * minCapacity }
	older := func(v *Vault) int { return (1 - v.keys.newest) * minCapacity }
	for _, c := range []struct {
		name   string
		damage func(v *Vault, b []byte) []byte
		want   string // the owner added last that is left; empty if refused
	}{
		{"none", func(v *Vault, b []byte) []byte { return b }, "ben"},
		{"a bit in the older slot", func(v *Vault, b []byte) []byte { b[older(v)+bodyAt+30] ^= 1; return b }, "ben"},
		{"a bit in the newest slot", func(v *Vault, b []byte) []byte { b[newest(v)+bodyAt+30] ^= 1; return b }, "ana"},
		{"a bit in the newest generation", func(v *Vault, b []byte) []byte { b[newest(v)+39] ^= 1; return b }, "ana"},
		{"a bit in the newest length", func(v *Vault, b []byte) []byte { b[newest(v)+16] ^= 0x80; return b }, "ana"},
		{"a bit in both", func(v *Vault, b []byte) []byte { b[20] ^= 1; b[minCapacity+20] ^= 1; return b }, ""},
		{"the second slot cut off", func(v *Vault, b []byte) []byte { return b[:minCapacity+100] }, "ana"},
		{"cut off inside the first", func(v *Vault, b []byte) []byte { return b[:100] }, ""},
		{"empty", func(v *Vault, b []byte) []byte { return nil }, ""},
		{"zeros", func(v *Vault, b []byte) []byte { return make([]byte, len(b)) }, ""},
		{"another file", func(v *Vault, b []byte) []byte { return bytes.Repeat([]byte("SQLite format 3\x00"), 4096) }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := newVault(t, nil, "ana")
			if err := v.Puncture("ana", 5); err != nil { // both slots alike
				t.Fatal(err)
			}
			if err := v.AddOwners("ben"); err != nil {
				t.Fatal(err)
			}
			if v.keys.newest != 1 && c.name == "the second slot cut off" {
				t.Fatal("the newest slot is not the second: this case would see nothing")
			}
			damaged := c.damage(v, readFile(t, keyPath(v)))
			path := writeFile(t, damaged)
			got, err := checked(path, nil)
			if c.want == "" {
				if err == nil || !bytes.Equal(readFile(t, path), damaged) {
					t.Errorf("not refused, or changed: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !got.Has("ana") || got.Has("ben") != (c.want == "ben") {
				t.Errorf("ben is known: %v", got.Has("ben"))
			}
			got = reload(t, got, nil)
			if len(readFile(t, path)) != 2*minCapacity || !got.keys.settled {
				t.Error("loading did not mend it")
			}
		})
	}
}

func TestNewerFileIsRefused(t *testing.T) {
	b := twice(golden(t, "clear.hex"))
	s, err := readSlot(bytes.NewReader(b), 0, int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	s.Version = 2
	copy(b, s.bytes())
	path := writeFile(t, b)
	if _, err := Load(path, nil); nacre.KindOf(err) != nacre.Conflict {
		t.Errorf("got %v", err)
	}
	if !bytes.Equal(readFile(t, path), b) {
		t.Error("the file was changed")
	}
}

func TestGrowth(t *testing.T) {
	for _, key := range [][]byte{nil, master} {
		v := newVault(t, key, "ana")
		b := Binding{Owner: "ana", Table: "inbox", Record: 2}
		sealed := seal(t, v, b, "words")
		for round := range 6 {
			ids := make([]nacre.OwnerID, 100<<round)
			for i := range ids {
				ids[i] = nacre.OwnerID(fmt.Sprintf("%d.%d", round, i))
			}
			if err := v.AddOwners(ids...); err != nil {
				t.Fatal(err)
			}
			if err := v.Puncture(ids[0], 1); err != nil {
				t.Fatal(err)
			}
			want := v.state.Load().encode()
			if v = reload(t, v, key); !bytes.Equal(v.state.Load().encode(), want) {
				t.Fatalf("round %d: loaded as something else", round)
			}
			if got := int64(len(readFile(t, keyPath(v)))); got != 2*v.keys.capacity {
				t.Errorf("round %d: %d bytes for two slots of %d", round, got, v.keys.capacity)
			}
		}
		if v.keys.capacity <= minCapacity || !opens(v, b, sealed, "words") {
			t.Errorf("capacity %d, or the record does not open", v.keys.capacity)
		}
	}
}

// loadChecked is checked for a file that is open.
func loadChecked(f file, master []byte) (*Vault, error) {
	v, err := load(f, master)
	if err != nil {
		return nil, err
	}
	return v, v.Check(v.ID(), 0, 0)
}
