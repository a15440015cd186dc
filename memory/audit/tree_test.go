package audit

import (
	"crypto/sha256"
	"errors"
	"testing"
)

const small = 200 // leaves, for what is tried with every size

// naive is the hash of a log as RFC 6962 §2.1 defines it.
func naive(leaves [][]byte) Hash {
	switch n := len(leaves); n {
	case 0:
		return sha256.Sum256(nil)
	case 1:
		return sha256.Sum256(append([]byte{0}, leaves[0]...))
	default:
		k := 1
		for 2*k < n {
			k *= 2
		}
		left, right := naive(leaves[:k]), naive(leaves[k:])
		return sha256.Sum256(append(append([]byte{1}, left[:]...), right[:]...))
	}
}

func TestRootOfEverySize(t *testing.T) {
	s := newStore(t, small)
	for n := range int64(small + 1) {
		if got, want := s.root(t, n), naive(s.leaves[:n]); got != want {
			t.Errorf("%d leaves: root %v, want %v", n, got, want)
		}
	}
}

func TestInclusionInEverySize(t *testing.T) {
	s := newStore(t, small)
	for size := range int64(small + 1) {
		root := naive(s.leaves[:size])
		for n := range size {
			proof, err := Prove(size, n, s)
			if err != nil {
				t.Fatal(err)
			}
			if err := CheckInclusion(proof, size, root, n, s.leaves[n]); err != nil {
				t.Fatalf("leaf %d of %d: %v", n, size, err)
			}
			if CheckInclusion(proof, size, root, n, s.leaves[(n+1)%small]) == nil {
				t.Fatalf("leaf %d of %d: another leaf has the same proof", n, size)
			}
		}
	}
}

func TestConsistencyOfEveryTwoSizes(t *testing.T) {
	s, other := newStore(t, small), new(store).grow(t, small, 2)
	for size := range int64(small + 1) {
		for earlier := range size + 1 {
			proof, err := ProveConsistent(size, earlier, s)
			if err != nil {
				t.Fatal(err)
			}
			if err := CheckConsistent(proof, size, s.root(t, size), earlier, s.root(t, earlier)); err != nil {
				t.Fatalf("%d before %d: %v", earlier, size, err)
			}
			if earlier > 0 && CheckConsistent(proof, size, s.root(t, size), earlier, other.root(t, earlier)) == nil {
				t.Fatalf("%d before %d: another history has the same proof", earlier, size)
			}
		}
	}
}

func TestEmptyBeginningNeedsNoProof(t *testing.T) {
	s := newStore(t, 3)
	empty, root := s.root(t, 0), s.root(t, 3)
	for _, c := range []struct {
		name  string
		proof []Hash
		size  int64
		root  Hash
		early Hash
		want  bool
	}{
		{"of a log", nil, 3, root, empty, true},
		{"of the empty log", nil, 0, empty, empty, true},
		{"with another hash", nil, 3, root, root, false},
		{"with a proof", []Hash{root}, 3, root, empty, false},
		{"of an empty log with leaves", nil, 0, root, empty, false},
		{"of a negative log", nil, -1, empty, empty, false},
	} {
		if got := CheckConsistent(c.proof, c.size, c.root, 0, c.early) == nil; got != c.want {
			t.Errorf("%s: consistent is %v, want %v", c.name, got, c.want)
		}
	}
}

func TestImpossibleSizes(t *testing.T) {
	s := newStore(t, 3)
	for name, call := range map[string]func() error{
		"root of less than nothing":    func() error { _, err := Root(-1, s); return err },
		"leaf behind the end":          func() error { _, err := Prove(3, 3, s); return err },
		"leaf before the beginning":    func() error { _, err := Prove(3, -1, s); return err },
		"longer before":                func() error { _, err := ProveConsistent(2, 3, s); return err },
		"less than nothing before":     func() error { _, err := ProveConsistent(2, -1, s); return err },
		"leaf of another number":       func() error { _, err := Append(3, s.leaves[2], s); return err },
		"something that is not a leaf": func() error { _, err := Append(3, []byte("hello"), s); return err },
		"inclusion behind the end":     func() error { return CheckInclusion(nil, 1, s.root(t, 1), 1, s.leaves[0]) },
	} {
		if call() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestMissingHash takes away one hash after another.
func TestMissingHash(t *testing.T) {
	const size = 7 // completes leaf 7, so that each subtree's hash is read once
	s := newStore(t, size)
	next := encode(t, sample(size, 1))
	for _, index := range []int64{3 + 3, 7 + 2, 7 + 3} { // of leaves 0–3, 4–5 and 6
		broken := s.clone()
		broken.hashes[index] = Hash{}
		_, err := Append(size, next, broken)
		var missing *MissingError
		if !errors.As(err, &missing) || missing.Index != index {
			t.Errorf("append without hash %d: %v", index, err)
		}
		if _, err := Root(size, broken); !errors.As(err, &missing) || missing.Index != index {
			t.Errorf("root without hash %d: %v", index, err)
		}
	}
	if _, err := Append(size, next, s); err != nil {
		t.Error(err)
	}
}

// short breaks the promise of one hash for each index.
type short struct{}

func (short) ReadHashes([]int64) ([]Hash, error) { return nil, nil }

var errDisk = errors.New("disk is gone")

type failing struct{}

func (failing) ReadHashes([]int64) ([]Hash, error) { return nil, errDisk }

func TestBadReader(t *testing.T) {
	if _, err := Root(3, short{}); err == nil {
		t.Error("a root from too few hashes")
	}
	if _, err := Root(3, failing{}); !errors.Is(err, errDisk) {
		t.Errorf("got %v, want %v", err, errDisk)
	}
}

// TestProofOutlivesPayload: what the leaf proves does not rest on the words.
func TestProofOutlivesPayload(t *testing.T) {
	s := newStore(t, 4)
	salt, payload := NewSalt(), []byte("lives in Lyon")
	l := sample(4, 1)
	l.Commitment = Commit(salt, payload)
	s.append(t, encode(t, l))
	s.grow(t, 100, 1)

	clear(salt[:])
	clear(payload)
	proof, err := Prove(100, 4, s)
	if err != nil {
		t.Fatal(err)
	}
	if err := CheckInclusion(proof, 100, s.root(t, 100), 4, s.leaves[4]); err != nil {
		t.Error(err)
	}
	if Commit(salt, []byte("lives in Lyon")) == l.Commitment {
		t.Error("the guess is confirmed without the salt")
	}
}
