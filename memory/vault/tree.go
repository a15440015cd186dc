package vault

import (
	"crypto/rand"
	"crypto/sha256"
	"math/bits"
	"slices"
	"sync"
)

const (
	depth   = 40                 // levels below the root
	records = 1 << depth         // leaves of a tree; record numbers are below it
	nodeTag = "nacre vault node" // 16 bytes, so that a child costs one block of SHA-256
	keyTag  = "nacre record key" // 16 bytes
)

// secret is the value of a node or the key of a record.
type secret [32]byte

// child steps down the tree, to the left for 0 and to the right for 1.
func (s secret) child(bit byte) secret {
	var b [len(nodeTag) + len(s) + 1]byte
	copy(b[:], nodeTag)
	copy(b[len(nodeTag):], s[:])
	b[len(b)-1] = bit
	return sha256.Sum256(b[:])
}

// recordKey makes the key of a record from its leaf.
func (s secret) recordKey() secret {
	var b [len(keyTag) + len(s)]byte
	copy(b[:], keyTag)
	copy(b[len(keyTag):], s[:])
	return sha256.Sum256(b[:])
}

// node is a secret and the records that it opens.
type node struct {
	first  uint64 // record number of its first leaf
	level  uint8  // 0 for the root, depth for a leaf
	secret secret
}

// end is the record number behind the node's last leaf.
func (n node) end() uint64 { return n.first + records>>n.level }

func (n node) children() (left, right node) {
	left = node{n.first, n.level + 1, n.secret.child(0)}
	return left, node{left.end(), n.level + 1, n.secret.child(1)}
}

// without appends to out what is left of n when gone, which are sorted and lie
// inside n, are destroyed. A subtree that is wholly gone leaves nothing.
func (n node) without(gone []uint64, out []node) []node {
	if len(gone) == 0 {
		return append(out, n)
	}
	if n.level == depth {
		return out
	}
	left, right := n.children()
	i, _ := slices.BinarySearch(gone, right.first)
	return right.without(gone[i:], left.without(gone[:i], out))
}

// tree is what remains of one owner's key tree. The nodes never change; a
// puncture makes another tree.
type tree struct {
	nodes []node // disjoint, in the order of their records

	mu   sync.Mutex
	last *path // guarded by mu; nil until a key was derived
}

// path is the way to the leaf derived last. Records are numbered in sequence,
// so the next leaf shares most of it.
type path struct {
	record uint64
	top    int               // level of the remaining node that it begins with
	at     [depth + 1]secret // by level, from top
}

func newTree() *tree {
	t := &tree{nodes: make([]node, 1)}
	rand.Read(t.nodes[0].secret[:])
	return t
}

// key derives the key of a record below records; false if it was destroyed.
func (t *tree) key(record uint64) (secret, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	level := t.shared(record)
	if level < 0 {
		n, ok := t.find(record)
		if !ok {
			return secret{}, false
		}
		if t.last == nil {
			t.last = new(path)
		}
		level = int(n.level)
		t.last.top, t.last.at[level] = level, n.secret
	}
	at := &t.last.at
	for ; level < depth; level++ {
		at[level+1] = at[level].child(byte(record >> (depth - 1 - level) & 1))
	}
	t.last.record = record
	return at[depth].recordKey(), true
}

// shared is the deepest level at which the path to a record is the last one,
// or -1 if they share nothing.
func (t *tree) shared(record uint64) int {
	if t.last == nil {
		return -1
	}
	level := depth - bits.Len64(record^t.last.record)
	if level < t.last.top {
		return -1
	}
	return level
}

func (t *tree) find(record uint64) (node, bool) {
	i, found := slices.BinarySearchFunc(t.nodes, record, func(n node, r uint64) int {
		switch {
		case n.end() <= r:
			return -1
		case n.first > r:
			return 1
		}
		return 0
	})
	if !found {
		return node{}, false
	}
	return t.nodes[i], true
}

// without returns the tree that is left when gone, which must be sorted, are
// destroyed: t itself if they all were already.
func (t *tree) without(gone []uint64) *tree {
	left, changed := make([]node, 0, len(t.nodes)+depth), false
	for _, n := range t.nodes {
		from, _ := slices.BinarySearch(gone, n.first)
		to, _ := slices.BinarySearch(gone, n.end())
		changed = changed || from < to
		left = n.without(gone[from:to], left)
	}
	if !changed {
		return t
	}
	return &tree{nodes: slices.Clip(left)}
}
