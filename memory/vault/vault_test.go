package vault

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"nacre"
)

func TestOwners(t *testing.T) {
	v := newVault(t, nil, "ana")
	b := Binding{Owner: "ana", Table: "inbox", Record: 1}
	sealed := seal(t, v, b, "words")
	if err := v.AddOwners("ben", "ana", "ben"); err != nil {
		t.Fatal(err)
	}
	generation := v.keys.generation
	if err := v.AddOwners("ana", "ben"); err != nil || v.keys.generation != generation {
		t.Errorf("adding them again wrote the file, or failed: %v", err)
	}
	v = reload(t, v, nil)
	if !v.Has("ana") || !v.Has("ben") || v.Has("cleo") {
		t.Error("the owners are others")
	}
	if !opens(v, b, sealed, "words") {
		t.Error("adding an owner again changed the keys")
	}
	for _, id := range []nacre.OwnerID{"", nacre.OwnerID(strings.Repeat("x", 256))} {
		if err := v.AddOwners("cleo", id); nacre.KindOf(err) != nacre.Invalid || v.Has("cleo") {
			t.Errorf("an id of %d bytes: %v", len(id), err)
		}
	}
}

func TestDropOwner(t *testing.T) {
	v := newVault(t, nil, "ana", "ben")
	a, b := Binding{Owner: "ana", Table: "inbox", Record: 1}, Binding{Owner: "ben", Table: "inbox", Record: 1}
	ana, ben := seal(t, v, a, "words"), seal(t, v, b, "words")
	for range 2 { // the second time is no error and does not count
		if err := v.DropOwner("ana"); err != nil || v.Punctures() != 1 {
			t.Fatalf("punctures %d, %v", v.Punctures(), err)
		}
	}
	v = reload(t, v, nil)
	if _, err := v.Unseal(a, ana); nacre.KindOf(err) != nacre.NotFound {
		t.Errorf("dropped: %v", err)
	}
	if !opens(v, b, ben, "words") {
		t.Error("the other owner's record does not open")
	}
	if err := v.AddOwners("ana"); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Unseal(a, ana); err == nil {
		t.Error("the keys came back with the owner")
	}
}

func TestPuncture(t *testing.T) {
	for _, key := range [][]byte{nil, master} {
		v := newVault(t, key, "ana", "ben")
		way := leadsTo(v.state.Load().owners["ana"].nodes[0], 100)
		sealed := map[Binding][]byte{}
		for _, owner := range []nacre.OwnerID{"ana", "ben"} {
			for n := uint64(98); n < 104; n++ {
				b := Binding{Owner: owner, Table: "inbox", Record: n}
				sealed[b] = seal(t, v, b, "words")
			}
		}
		if !holdsAny(t, keyPath(v), key, way) {
			t.Fatal("the root is not in the file: this test would see nothing")
		}
		for _, c := range []struct {
			records []uint64
			count   uint64
		}{{nil, 0}, {[]uint64{100}, 1}, {[]uint64{100, 100}, 1}, {[]uint64{102, 100, 101}, 2}} {
			if err := v.Puncture("ana", c.records...); err != nil || v.Punctures() != c.count {
				t.Fatalf("puncturing %v: count %d, want %d, %v", c.records, v.Punctures(), c.count, err)
			}
		}
		for range 2 { // as it is, and loaded anew
			for b, s := range sealed {
				_, err := v.Unseal(b, s)
				gone := b.Owner == "ana" && b.Record >= 100 && b.Record <= 102
				if errors.Is(err, ErrPunctured) != gone || gone != (nacre.KindOf(err) == nacre.NotFound) || !gone && err != nil {
					t.Errorf("%s of %s: %v", b, b.Owner, err)
				}
			}
			if _, err := v.Seal(Binding{Owner: "ana", Table: "inbox", Record: 100}, nil); !errors.Is(err, ErrPunctured) {
				t.Errorf("sealing under a destroyed key: %v", err)
			}
			v = reload(t, v, key)
		}
		if holdsAny(t, keyPath(v), key, way) {
			t.Error("the file holds a way to a destroyed record")
		}
	}
}

func TestPunctureRefusesNumbers(t *testing.T) {
	v := newVault(t, nil, "ana")
	for _, n := range []uint64{0, records, 1 << 63} {
		if err := v.Puncture("ana", 5, n); nacre.KindOf(err) != nacre.Invalid || v.Punctures() != 0 {
			t.Errorf("record %d: %v, punctures %d", n, err, v.Punctures())
		}
	}
	if err := v.Puncture("nobody", 5); err != nil || v.Punctures() != 0 {
		t.Errorf("an owner without keys: %v, punctures %d", err, v.Punctures())
	}
	if err := v.Puncture("ana", 5, records-1); err != nil || v.Punctures() != 1 {
		t.Errorf("good numbers: %v, punctures %d", err, v.Punctures())
	}
}

func TestCheck(t *testing.T) {
	v := newVault(t, nil, "ana")
	id, unused := v.ID(), readFile(t, keyPath(v))
	n := next(t, v)
	early := readFile(t, keyPath(v))
	if err := v.Puncture("ana", n); err != nil {
		t.Fatal(err)
	}
	now := readFile(t, keyPath(v))
	other := newVault(t, nil)
	for _, c := range []struct {
		name               string
		file               []byte
		id                 string
		punctures, highest uint64
		says               string // empty if accepted
	}{
		{"the file of the database", now, id, 1, n, ""},
		{"an empty database", now, id, 0, 0, ""},
		{"an older database", now, id, 0, n, ""},
		{"the highest number", now, id, 1, block, ""},
		{"an unused pair", unused, id, 0, 0, ""},
		{"another database's", now, other.ID(), 1, n, "NACRE_KEYS"},
		{"a database without id", now, "", 1, n, "NACRE_KEYS"},
		{"older by a puncture", early, id, 1, n, "forgotten"},
		{"an older copy, nothing forgotten", unused, id, 0, n, ""},
		{"a copy from before the block", now, id, 1, block + 1, ""},
	} {
		v := loadFile(t, writeFile(t, c.file), nil)
		err := v.Check(c.id, c.punctures, c.highest)
		if c.says == "" && err != nil {
			t.Errorf("%s: refused: %v", c.name, err)
		}
		if got := next(t, v); c.says == "" && got <= c.highest {
			t.Errorf("%s: the next number %d is not above %d", c.name, got, c.highest)
		}
		if c.says != "" && (nacre.KindOf(err) != nacre.Conflict || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: got %v, want a conflict that says %q", c.name, err, c.says)
		}
	}
}

func TestManyGoroutines(t *testing.T) {
	v := newVault(t, nil, "a", "b")
	var wg sync.WaitGroup
	for i := range 6 {
		owner := nacre.OwnerID("ab"[i%2 : i%2+1])
		wg.Go(func() { useVault(t, v, owner) })
	}
	for i := range 4 {
		wg.Go(func() {
			id := nacre.OwnerID(fmt.Sprint("guest ", i))
			if err := errors.Join(v.AddOwners(id), v.Puncture(id, 1), v.DropOwner(id)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if v = reload(t, v, nil); !v.Has("a") || !v.Has("b") || v.Has("guest 1") {
		t.Error("the owners are others")
	}
}

// useVault stores records, reads each back, and forgets every tenth.
func useVault(t *testing.T, v *Vault, owner nacre.OwnerID) {
	for i := range 100 {
		n, err := v.Next()
		if err != nil {
			t.Error(err)
			return
		}
		b := Binding{Owner: owner, Table: "inbox", Record: n}
		sealed, err := v.Seal(b, []byte("words"))
		if err != nil || !opens(v, b, sealed, "words") {
			t.Errorf("record %d does not open: %v", n, err)
		}
		if i%10 > 0 {
			continue
		}
		if err := v.Puncture(owner, n); err != nil {
			t.Error(err)
		}
		if _, err := v.Unseal(b, sealed); !errors.Is(err, ErrPunctured) {
			t.Errorf("record %d after its puncture: %v", n, err)
		}
	}
}
