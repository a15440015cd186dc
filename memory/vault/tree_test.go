package vault

import (
	"encoding/hex"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// fixedTree has the bytes 0 to 31 as its root.
func fixedTree() *tree {
	t := &tree{nodes: make([]node, 1)}
	for i := range t.nodes[0].secret {
		t.nodes[0].secret[i] = byte(i)
	}
	return t
}

// The keys were computed apart from this package, by hashing level by level.
// They must never change: everything stored hangs on them.
func TestRecordKeysAreFixed(t *testing.T) {
	for record, want := range map[uint64]string{
		1:            "c886e563f001b72b6a36ab4d23c4a90ddb31bd29ba42e99e22c8ead4e0ef4a5f",
		2:            "69f5f7aed01ec1e5d38e5a175c0c72d301f36c53906f57df52dafb6a2f7db10e",
		0x123456789a: "2d0fff0faee163057a817ea8766109f0f0362afb5b2b1a04dfd2ac69e181baf3",
		1<<40 - 1:    "4e0fed97a643879edcfcde5ade2a7e049cdbbf4feda80b14687689cd39b9813f",
	} {
		key, ok := fixedTree().key(record)
		if got := hex.EncodeToString(key[:]); !ok || got != want {
			t.Errorf("key of record %d: got %s, %v, want %s", record, got, ok, want)
		}
	}
}

// coldKey derives without the path of the record before.
func coldKey(t *tree, record uint64) (secret, bool) {
	return (&tree{nodes: t.nodes}).key(record)
}

func TestKeyDoesNotDependOnTheOneBefore(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	whole := fixedTree()
	warm := whole.without([]uint64{3, 17, 40, 1 << 30})
	for i := range 5000 {
		record := r.Uint64N(64)
		if i%10 == 0 {
			record = r.Uint64N(records)
		}
		got, ok := warm.key(record)
		want, wantOK := coldKey(warm, record)
		if got != want || ok != wantOK {
			t.Fatalf("step %d, record %d: the cached path gives another key", i, record)
		}
		if original, _ := coldKey(whole, record); ok && got != original {
			t.Fatalf("step %d, record %d: the key changed by puncturing others", i, record)
		}
	}
}

// Whatever is destroyed, in whatever order and portions, exactly that is gone.
func TestPuncturesAgainstASet(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 0))
			whole := fixedTree()
			left, gone := whole, map[uint64]bool{}
			for range 12 {
				portion := make([]uint64, r.IntN(20))
				for i := range portion {
					portion[i] = r.Uint64N(200)
					gone[portion[i]] = true
				}
				slices.Sort(portion)
				left = left.without(portion)
				checkTree(t, whole, left, gone)
			}
		})
	}
}

func checkTree(t *testing.T, whole, left *tree, gone map[uint64]bool) {
	t.Helper()
	for record := range uint64(200) {
		want, _ := coldKey(whole, record)
		got, ok := left.key(record)
		if ok == gone[record] {
			t.Fatalf("record %d: open is %v, destroyed is %v", record, ok, gone[record])
		}
		if ok && got != want {
			t.Fatalf("record %d has another key", record)
		}
	}
	if _, ok := left.key(records - 1); !ok {
		t.Fatal("the last record, never destroyed, does not open")
	}
	behind := uint64(0)
	for i, n := range left.nodes {
		if n.first < behind {
			t.Fatalf("node %d overlaps the one before", i)
		}
		behind = n.end()
	}
}

func TestDestroyedRangesNeedNoNodes(t *testing.T) {
	one := fixedTree().without([]uint64{12345})
	if got := len(one.nodes); got != depth {
		t.Errorf("one record destroyed: %d nodes, want %d", got, depth)
	}
	run := make([]uint64, 1024)
	for i := range run {
		run[i] = 4096 + uint64(i)
	}
	if got, want := len(fixedTree().without(run).nodes), depth-bits.Len(1023); got != want {
		t.Errorf("a subtree of 1024 destroyed: %d nodes, want %d", got, want)
	}
	piecemeal := fixedTree()
	for _, i := range rand.New(rand.NewPCG(3, 4)).Perm(len(run)) {
		piecemeal = piecemeal.without(run[i : i+1])
	}
	if got, want := len(piecemeal.nodes), depth-bits.Len(1023); got != want {
		t.Errorf("the same one by one: %d nodes, want %d", got, want)
	}
}

func TestDestroyingAgainChangesNothing(t *testing.T) {
	once := fixedTree().without([]uint64{7, 9})
	if twice := once.without([]uint64{7, 9, 9}); twice != once {
		t.Error("the tree was made anew")
	}
	if more := once.without([]uint64{7, 8}); more == once {
		t.Error("a record more left the tree as it was")
	}
}
