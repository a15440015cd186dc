package audit

import (
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"nacre"
)

// Hash is a hash of a leaf, of a subtree or of the whole log. Its text is
// base64.
type Hash = tlog.Hash

// HashReader reads stored hashes. The ledger implements it over a table with
// one row per index.
type HashReader interface {
	// ReadHashes returns one hash for every index, in their order. An index
	// that is not stored gives the zero Hash, which no leaf or subtree has; an
	// error means that the reading failed. Indexes rise. Verify asks for runs
	// of consecutive ones, best answered by one scan of a range. The caller
	// does not write while it is called.
	ReadHashes(indexes []int64) ([]Hash, error)
}

// HashCount returns how many hashes are stored for a log of n leaves, fewer
// than 2n. That is also the index of the first hash that leaf n adds.
func HashCount(n int64) int64 { return tlog.StoredHashCount(n) }

// Append returns the hashes to store for leaf n, encoded, in the transaction
// that stores the leaf. Their indexes start at HashCount(n). There is one for
// the leaf and one for every subtree that it completes. It fails if the leaf
// is not the n'th, or with a MissingError if an earlier hash it rests on is
// gone; then nothing may be written, the change itself included.
func Append(n int64, leaf []byte, stored HashReader) ([]Hash, error) {
	l, err := Decode(leaf)
	if err != nil {
		return nil, err
	}
	if l.Sequence != n {
		return nil, fmt.Errorf("leaf %d cannot become number %d of the log", l.Sequence, n)
	}
	return tlog.StoredHashes(n, leaf, present{stored})
}

// Root returns the hash of a log of n leaves.
func Root(n int64, stored HashReader) (Hash, error) {
	if n < 0 {
		return Hash{}, nacre.Errorf(nacre.Invalid, "a log cannot have %d leaves", n)
	}
	return tlog.TreeHash(n, present{stored})
}

// Prove returns the proof that leaf n is part of the log of the given size: at
// most one hash for each doubling of the size.
func Prove(size, n int64, stored HashReader) ([]Hash, error) {
	if n < 0 || n >= size {
		return nil, nacre.Errorf(nacre.NotFound, "a log of %d leaves has no leaf %d", size, n)
	}
	return tlog.ProveRecord(size, n, present{stored})
}

// CheckInclusion returns nil if the proof shows that the encoded leaf is
// number n of the log with the given size and root. It needs neither the log
// nor the payload of the leaf.
func CheckInclusion(proof []Hash, size int64, root Hash, n int64, leaf []byte) error {
	if err := tlog.CheckRecord(proof, size, root, n, tlog.RecordHash(leaf)); err != nil {
		return fmt.Errorf("inclusion of leaf %d: %w", n, err)
	}
	return nil
}

// ProveConsistent returns the proof that a log of the given size begins with
// the log that it was at the earlier size.
func ProveConsistent(size, earlier int64, stored HashReader) ([]Hash, error) {
	if earlier < 0 || earlier > size {
		return nil, nacre.Errorf(nacre.NotFound, "a log of %d leaves never had %d before", size, earlier)
	}
	if earlier == 0 {
		return nil, nil
	}
	return tlog.ProveTree(size, earlier, present{stored})
}

// CheckConsistent returns nil if the proof shows that the log with the given
// size and root begins with the earlier one. The empty log is a beginning of
// every log, without proof.
func CheckConsistent(proof []Hash, size int64, root Hash, earlier int64, earlierRoot Hash) error {
	if earlier == 0 && len(proof) == 0 && earlierRoot == emptyRoot() && (size > 0 || size == 0 && root == earlierRoot) {
		return nil
	}
	if err := tlog.CheckTree(proof, size, root, earlier, earlierRoot); err != nil {
		return fmt.Errorf("log of %d leaves as a beginning: %w", earlier, err)
	}
	return nil
}

// emptyRoot is the hash of a log without leaves.
func emptyRoot() Hash {
	h, _ := tlog.TreeHash(0, nil) // reads nothing, so nothing fails
	return h
}

// MissingError says that a hash which has to be stored is not.
type MissingError struct{ Index int64 }

func (e *MissingError) Error() string {
	return fmt.Sprintf("hash %d of the memory log is missing", e.Index)
}

// present reads hashes and fails where one is missing.
type present struct{ stored HashReader }

func (p present) ReadHashes(indexes []int64) ([]Hash, error) {
	if len(indexes) == 0 {
		return nil, nil
	}
	hashes, err := readAll(p.stored, indexes)
	if err != nil {
		return nil, err
	}
	for i, h := range hashes {
		if h == (Hash{}) {
			return nil, &MissingError{indexes[i]}
		}
	}
	return hashes, nil
}

// readAll holds a reader to its promise of one hash for each index.
func readAll(stored HashReader, indexes []int64) ([]Hash, error) {
	hashes, err := stored.ReadHashes(indexes)
	if err != nil {
		return nil, fmt.Errorf("read hashes: %w", err)
	}
	if len(hashes) != len(indexes) {
		return nil, fmt.Errorf("read hashes: %d for %d indexes", len(hashes), len(indexes))
	}
	return hashes, nil
}
