package audit

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"

	"golang.org/x/mod/sumdb/tlog"
)

// Verify reads the whole log and computes it anew. It compares every stored
// hash with the leaves, and the leaves with the given checkpoints, signed as
// Sign made them, which should come from where they were anchored and may be
// in any order. Leaves come in the order of their numbers, and stored and
// leaves are read from one snapshot; a leaf's bytes may be overwritten once
// the next one is asked for.
//
// What is wrong is in the Report; an error means that something could not be
// read. Memory grows with the logarithm of the log's length and with the
// number of checkpoints.
func Verify(leaves iter.Seq2[[]byte, error], stored HashReader, ours Verifier, anchors ...[]byte) (Report, error) {
	v := verification{stored: stored, hashes: cursor{stored: stored}}
	v.openAnchors(ours, anchors)
	if err := v.checkAnchors(); err != nil {
		return Report{}, err
	}
	for leaf, err := range leaves {
		if err != nil {
			return Report{}, fmt.Errorf("read leaf %d: %w", v.Size, err)
		}
		if err := v.add(leaf); err != nil {
			return Report{}, fmt.Errorf("verify leaf %d: %w", v.Size, err)
		}
	}
	return v.finish()
}

// verification is a Verify under way.
type verification struct {
	Report
	stored   HashReader
	hashes   cursor
	frontier []subtree    // the complete subtrees that make up the leaves read, largest first
	anchors  []Checkpoint // ours, not reached yet, by size
	settled  int64        // the largest size below Anchored that a checkpoint confirms
	broken   bool         // the checkpoint before did not match
}

// subtree is the hash over the leaves of a complete subtree.
type subtree struct {
	hash    Hash
	doubted bool // something below it was already reported
}

// openAnchors keeps the checkpoints that are ours, sorted by size.
func (v *verification) openAnchors(ours Verifier, anchors [][]byte) {
	for i, signed := range anchors {
		c, err := Open(signed, ours)
		if err != nil {
			v.Report.Add(Finding{Fault: NotOurs, First: int64(i), Last: int64(i)})
			continue
		}
		v.anchors = append(v.anchors, c)
	}
	slices.SortStableFunc(v.anchors, func(a, b Checkpoint) int { return cmp.Compare(a.Size, b.Size) })
}

// add takes the next leaf, and completes the subtrees that end with it.
func (v *verification) add(leaf []byte) error {
	n := v.Size
	node, err := v.leaf(leaf)
	if err != nil {
		return err
	}
	for width := int64(2); n&(width>>1) != 0; width <<= 1 {
		last := len(v.frontier) - 1
		left := v.frontier[last]
		v.frontier = v.frontier[:last]
		node = subtree{tlog.NodeHash(left.hash, node.hash), left.doubted || node.doubted}
		if err := v.compare(&node, Finding{Fault: Rehashed, First: n + 1 - width, Last: n}); err != nil {
			return err
		}
	}
	v.frontier = append(v.frontier, node)
	v.Size++
	return v.checkAnchors()
}

// leaf hashes the next leaf and looks at it alone.
func (v *verification) leaf(leaf []byte) (subtree, error) {
	here := Finding{First: v.Size, Last: v.Size}
	node := subtree{hash: tlog.RecordHash(leaf)}
	l, unreadable := Decode(leaf)
	if unreadable == nil && l.Sequence != v.Size {
		node.doubted = true
		moved := here
		moved.Fault, moved.Shift = Moved, l.Sequence-v.Size
		v.Report.Add(moved)
	}
	here.Fault = Edited
	if err := v.compare(&node, here); err != nil {
		return subtree{}, err
	}
	if unreadable != nil && !node.doubted {
		here.Fault = Unreadable
		v.Report.Add(here)
	}
	return node, nil
}

// compare reads the hash stored for a subtree. If it is another one, and
// nothing below explains that, f is what is wrong.
func (v *verification) compare(node *subtree, f Finding) error {
	index, stored, err := v.hashes.read()
	switch {
	case err != nil:
		return err
	case stored == Hash{}:
		v.Report.Add(Finding{Fault: Missing, First: index, Last: index})
	case stored != node.hash && !node.doubted:
		node.doubted = true
		v.Report.Add(f)
	}
	return nil
}

// root is the hash of the leaves read so far.
func (v *verification) root() Hash {
	if len(v.frontier) == 0 {
		return emptyRoot()
	}
	last := len(v.frontier) - 1
	h := v.frontier[last].hash
	for _, left := range slices.Backward(v.frontier[:last]) {
		h = tlog.NodeHash(left.hash, h)
	}
	return h
}

// checkAnchors takes the checkpoints that speak of the log as it was with the
// leaves read so far.
func (v *verification) checkAnchors() error {
	for len(v.anchors) > 0 && v.anchors[0].Size == v.Size {
		if err := v.checkAnchor(v.anchors[0]); err != nil {
			return err
		}
		v.anchors = v.anchors[1:]
	}
	return nil
}

// checkAnchor compares a checkpoint with the leaves. If they differ while the
// stored hashes are as signed, edited leaves explain it and are reported as
// such. Of several checkpoints in a row that fail, the first is reported: it
// says most closely where the log was rewritten.
func (v *verification) checkAnchor(c Checkpoint) error {
	if c.Root == v.root() {
		v.confirm(c.Size)
		return nil
	}
	hashed, err := Root(c.Size, v.stored)
	if missing := (*MissingError)(nil); err != nil && !errors.As(err, &missing) {
		return err
	}
	if hashed == c.Root {
		return nil
	}
	if !v.broken {
		v.Report.Add(Finding{Fault: Rewritten, First: v.confirmedBelow(c.Size), Last: c.Size - 1, Time: c.Time})
	}
	v.broken = true
	return nil
}

func (v *verification) confirm(size int64) {
	if size > v.Anchored {
		v.settled, v.Anchored = v.Anchored, size
	}
	v.broken = false
}

// confirmedBelow is the largest size under the given one that a checkpoint
// confirms, 0 without one.
func (v *verification) confirmedBelow(size int64) int64 {
	if v.Anchored < size {
		return v.Anchored
	}
	return v.settled
}

// finish looks at what should follow the last leaf, and settles which of leaf
// and hash was wrong where a checkpoint proves the leaf.
func (v *verification) finish() (Report, error) {
	_, beyond, err := v.hashes.read()
	if err != nil {
		return Report{}, fmt.Errorf("verify the end: %w", err)
	}
	end := Finding{Fault: RolledBack, First: v.Size, Last: v.Size}
	if beyond != (Hash{}) {
		end.Fault = Truncated
	}
	if len(v.anchors) > 0 {
		newest := v.anchors[len(v.anchors)-1]
		end.Last, end.Time = newest.Size-1, newest.Time
	}
	if len(v.anchors) > 0 || end.Fault == Truncated {
		v.Report.Add(end)
	}
	for i, f := range v.Findings {
		if (f.Fault == Edited || f.Fault == Rehashed) && f.Last < v.Anchored {
			v.Findings[i].Fault = WrongHash
		}
	}
	v.Root = v.root()
	return v.Report, nil
}

// hashBatch is how many hashes are read at once.
const hashBatch = 1024

// cursor reads all stored hashes in the order of their indexes.
type cursor struct {
	stored  HashReader
	next    int64
	indexes []int64
	ahead   []Hash
}

// read returns the next index and its hash, zero if that is not stored.
func (c *cursor) read() (int64, Hash, error) {
	if len(c.ahead) == 0 {
		c.indexes = c.indexes[:0]
		for i := range int64(hashBatch) {
			c.indexes = append(c.indexes, c.next+i)
		}
		var err error
		if c.ahead, err = readAll(c.stored, c.indexes); err != nil {
			return 0, Hash{}, err
		}
	}
	index, h := c.next, c.ahead[0]
	c.next, c.ahead = index+1, c.ahead[1:]
	return index, h, nil
}
