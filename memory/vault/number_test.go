package vault

import (
	"os"
	"slices"
	"sync"
	"testing"
)

func next(t testing.TB, v *Vault) uint64 {
	t.Helper()
	n, err := v.Next()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// counted counts the writes of a key file.
type counted struct {
	*os.File
	writes int
}

func (c *counted) WriteAt(b []byte, offset int64) (int, error) {
	c.writes++
	return c.File.WriteAt(b, offset)
}

func TestNextWritesOncePerBlock(t *testing.T) {
	v := newVault(t, nil)
	c := &counted{File: v.keys.file.(*os.File)}
	v.keys.file = c
	for i := range uint64(block) {
		if got := next(t, v); got != firstRecord+i {
			t.Fatalf("number %d is %d", i, got)
		}
	}
	if c.writes != 1 {
		t.Errorf("%d writes for one block, want 1", c.writes)
	}
	if got := next(t, v); got != firstRecord+block || c.writes != 2 {
		t.Errorf("then number %d and %d writes", got, c.writes)
	}
}

func TestNextNeverRepeatsAfterLoad(t *testing.T) {
	v := newVault(t, nil)
	highest := next(t, v)
	for range 3 {
		v = reload(t, v, nil)
		n := next(t, v)
		if n <= highest {
			t.Fatalf("number %d after %d", n, highest)
		}
		if n != firstRecord+(n-firstRecord)/block*block {
			t.Errorf("number %d does not begin a block", n)
		}
		highest = n
	}
	// Loading alone uses up no block.
	before := v.state.Load().reserved
	for range 3 {
		v = reload(t, v, nil)
	}
	if got := v.state.Load().reserved; got != before {
		t.Errorf("reserved moved from %d to %d by loading", before, got)
	}
}

func TestNextFromManyGoroutines(t *testing.T) {
	v := newVault(t, nil)
	v.next.Store(firstRecord + block - 500) // a block's end falls into the test
	s := v.state.Load().clone()
	s.reserved = firstRecord + block
	v.state.Store(s)
	const each = 500
	got := make([][]uint64, 8)
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() {
			for range each {
				n, err := v.Next()
				if err != nil {
					t.Error(err)
				}
				got[i] = append(got[i], n)
			}
		})
	}
	wg.Wait()
	all := slices.Concat(got...)
	slices.Sort(all)
	if unique := slices.Compact(slices.Clone(all)); len(unique) != len(got)*each {
		t.Errorf("%d different numbers of %d", len(unique), len(got)*each)
	}
	if got, want := v.state.Load().reserved, uint64(firstRecord+2*block); got != want || all[len(all)-1] >= got {
		t.Errorf("the bound is %d, want %d; the highest number %d", got, want, all[len(all)-1])
	}
}

func TestNextEndsWithTheTree(t *testing.T) {
	v := newVault(t, nil, "ana")
	s := v.state.Load().clone()
	s.reserved = records
	v.state.Store(s)
	v.next.Store(records - 1)
	last := next(t, v)
	if _, err := v.Seal(Binding{Owner: "ana", Table: "inbox", Record: last}, nil); err != nil {
		t.Errorf("the last number is no record: %v", err)
	}
	if n, err := v.Next(); err == nil {
		t.Errorf("a number behind the last: %d", n)
	}
}
