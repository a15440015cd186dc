package audit

import (
	"iter"
	"slices"
	"testing"
	"time"
)

// start is when the logs of the tests begin.
var start = time.Date(2026, 2, 3, 4, 5, 6, 789e6, time.UTC)

// store is a log in memory, as the ledger keeps it in tables.
type store struct {
	leaves [][]byte
	hashes []Hash
	reads  int // calls of ReadHashes
}

func (s *store) ReadHashes(indexes []int64) ([]Hash, error) {
	s.reads++
	out := make([]Hash, len(indexes))
	for i, index := range indexes {
		if index < int64(len(s.hashes)) {
			out[i] = s.hashes[index]
		}
	}
	return out, nil
}

func (s *store) all() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for _, leaf := range s.leaves {
			if !yield(leaf, nil) {
				return
			}
		}
	}
}

func (s *store) clone() *store {
	return &store{leaves: slices.Clone(s.leaves), hashes: slices.Clone(s.hashes)}
}

// append adds a leaf as the next one.
func (s *store) append(t testing.TB, leaf []byte) {
	t.Helper()
	n := int64(len(s.leaves))
	hashes, err := Append(n, leaf, s)
	if err != nil {
		t.Fatal(err)
	}
	if int64(len(s.hashes)) != HashCount(n) {
		t.Fatalf("%d hashes for %d leaves, want %d", len(s.hashes), n, HashCount(n))
	}
	s.leaves, s.hashes = append(s.leaves, leaf), append(s.hashes, hashes...)
}

// cut takes the log back to n leaves, with its hashes.
func (s *store) cut(n int64) { s.leaves, s.hashes = s.leaves[:n], s.hashes[:HashCount(n)] }

func (s *store) root(t testing.TB, n int64) Hash {
	t.Helper()
	h, err := Root(n, s)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// grow appends leaves until there are n. What they tell depends on the version.
func (s *store) grow(t testing.TB, n, version int64) *store {
	t.Helper()
	for i := int64(len(s.leaves)); i < n; i++ {
		s.append(t, encode(t, sample(i, version)))
	}
	return s
}

func newStore(t testing.TB, n int64) *store { return new(store).grow(t, n, 1) }

// sample is a leaf that may stand at place n.
func sample(n, version int64) Leaf {
	return Leaf{
		Sequence: n, Time: start.Add(time.Duration(n) * time.Second), Owner: [32]byte{1}, Actor: Owner,
		Channel: "telegram", Action: "note.add", Record: "019c2fd1-2a95-7cc1-9d2b-000000000001", Version: version,
		Reason: "asked-to", Commitment: [32]byte{2},
	}
}

func encode(t testing.TB, l Leaf) []byte {
	t.Helper()
	b, err := l.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return b
}
