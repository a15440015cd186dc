package audit

import (
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"
)

const length = 100 // leaves of the logs below; anchored at 40, 64 and 90

func signedAt(n int64) time.Time { return start.Add(time.Duration(n) * time.Second) }

// rehash corrects the hash of leaf n and those over it, so many in all.
func (s *store) rehash(t *testing.T, n int64, levels int) {
	t.Helper()
	forged := new(store)
	for _, leaf := range s.leaves {
		forged.append(t, leaf)
	}
	for level := range levels {
		if index := tlog.StoredHashIndex(level, n>>level); index < int64(len(s.hashes)) {
			s.hashes[index] = forged.hashes[index]
		}
	}
}

// forge makes a history of another content, which agrees with itself.
func forge(t *testing.T, from, to int64) func(*store) {
	return func(s *store) {
		s.cut(from)
		s.grow(t, to, 2)
	}
}

func edit(t *testing.T, numbers ...int64) func(*store) {
	return func(s *store) {
		for _, n := range numbers {
			s.leaves[n] = encode(t, sample(n, 2))
		}
	}
}

// TestVerify does one thing to a log and asks what is wrong. Each case is
// tried with the checkpoints of the genuine log, and without any.
func TestVerify(t *testing.T) {
	genuine, ours := newStore(t, length), newLog(t)
	anchors := [][]byte{ours.sign(t, genuine, 90), ours.sign(t, genuine, 40), ours.sign(t, genuine, 64)}
	for _, c := range []struct {
		name     string
		do       func(*store)
		anchored []Finding // with checkpoints
		alone    []Finding // without
	}{
		{"nothing", func(*store) {}, nil, nil},
		{"edited leaf", edit(t, 5),
			[]Finding{{Fault: Edited, First: 5, Last: 5}},
			[]Finding{{Fault: Edited, First: 5, Last: 5}}},
		{"edited last leaf", edit(t, 99),
			[]Finding{{Fault: Edited, First: 99, Last: 99}},
			[]Finding{{Fault: Edited, First: 99, Last: 99}}},
		{"edited leaves", edit(t, 5, 6, 7, 20),
			[]Finding{{Fault: Edited, First: 5, Last: 7}, {Fault: Edited, First: 20, Last: 20}},
			[]Finding{{Fault: Edited, First: 5, Last: 7}, {Fault: Edited, First: 20, Last: 20}}},
		{"one bit", func(s *store) { s.leaves[7] = slices.Clone(s.leaves[7]); s.leaves[7][60] ^= 1 },
			[]Finding{{Fault: Edited, First: 7, Last: 7}},
			[]Finding{{Fault: Edited, First: 7, Last: 7}}},
		{"prose for a leaf", func(s *store) { s.leaves[7] = []byte("hello") },
			[]Finding{{Fault: Edited, First: 7, Last: 7}},
			[]Finding{{Fault: Edited, First: 7, Last: 7}}},
		{"edited with its hash", func(s *store) { edit(t, 5)(s); s.rehash(t, 5, 1) },
			[]Finding{{Fault: Rehashed, First: 4, Last: 5}},
			[]Finding{{Fault: Rehashed, First: 4, Last: 5}}},
		{"edited with three hashes", func(s *store) { edit(t, 5)(s); s.rehash(t, 5, 3) },
			[]Finding{{Fault: Rehashed, First: 0, Last: 7}},
			[]Finding{{Fault: Rehashed, First: 0, Last: 7}}},
		{"edited with all hashes", func(s *store) { edit(t, 70)(s); s.rehash(t, 70, 7) },
			[]Finding{{Fault: Rewritten, First: 64, Last: 89, Time: signedAt(90)}}, nil},
		{"swapped leaves", func(s *store) { s.leaves[5], s.leaves[9] = s.leaves[9], s.leaves[5] },
			[]Finding{{Fault: Moved, First: 5, Last: 5, Shift: 4}, {Fault: Moved, First: 9, Last: 9, Shift: -4}},
			[]Finding{{Fault: Moved, First: 5, Last: 5, Shift: 4}, {Fault: Moved, First: 9, Last: 9, Shift: -4}}},
		{"swapped neighbours", func(s *store) { s.leaves[5], s.leaves[6] = s.leaves[6], s.leaves[5] },
			[]Finding{{Fault: Moved, First: 5, Last: 5, Shift: 1}, {Fault: Moved, First: 6, Last: 6, Shift: -1}},
			[]Finding{{Fault: Moved, First: 5, Last: 5, Shift: 1}, {Fault: Moved, First: 6, Last: 6, Shift: -1}}},
		{"leaf taken out", func(s *store) { s.leaves = slices.Delete(s.leaves, 50, 51) },
			[]Finding{{Fault: Moved, First: 50, Last: 98, Shift: 1}, {Fault: Truncated, First: 99, Last: 99}},
			[]Finding{{Fault: Moved, First: 50, Last: 98, Shift: 1}, {Fault: Truncated, First: 99, Last: 99}}},
		{"tail cut off", func(s *store) { s.leaves = s.leaves[:70] },
			[]Finding{{Fault: Truncated, First: 70, Last: 89, Time: signedAt(90)}},
			[]Finding{{Fault: Truncated, First: 70, Last: 70}}},
		{"tail cut off behind the checkpoints", func(s *store) { s.leaves = s.leaves[:95] },
			[]Finding{{Fault: Truncated, First: 95, Last: 95}},
			[]Finding{{Fault: Truncated, First: 95, Last: 95}}},
		{"older copy", func(s *store) { s.cut(70) },
			[]Finding{{Fault: RolledBack, First: 70, Last: 89, Time: signedAt(90)}}, nil},
		{"copy from before everything", func(s *store) { s.cut(0) },
			[]Finding{{Fault: RolledBack, First: 0, Last: 89, Time: signedAt(90)}}, nil},
		{"older copy, written on", forge(t, 70, length),
			[]Finding{{Fault: Rewritten, First: 64, Last: 89, Time: signedAt(90)}}, nil},
		{"forged history", forge(t, 0, length),
			[]Finding{{Fault: Rewritten, First: 0, Last: 39, Time: signedAt(40)}}, nil},
		{"forged history, cut off", forge(t, 0, 80),
			[]Finding{{Fault: Rewritten, First: 0, Last: 39, Time: signedAt(40)}, {Fault: RolledBack, First: 80, Last: 89, Time: signedAt(90)}}, nil},
		{"hash gone", func(s *store) { s.hashes[17] = Hash{} },
			[]Finding{{Fault: Missing, First: 17, Last: 17}},
			[]Finding{{Fault: Missing, First: 17, Last: 17}}},
		{"all hashes gone", func(s *store) { s.hashes = nil },
			[]Finding{{Fault: Missing, First: 0, Last: HashCount(length) - 1}},
			[]Finding{{Fault: Missing, First: 0, Last: HashCount(length) - 1}}},
		{"hash changed", func(s *store) { s.hashes[HashCount(5)][0] ^= 1 },
			[]Finding{{Fault: WrongHash, First: 5, Last: 5}},
			[]Finding{{Fault: Edited, First: 5, Last: 5}}},
		{"hash over leaves changed", func(s *store) { s.hashes[HashCount(5)+1][0] ^= 1 },
			[]Finding{{Fault: WrongHash, First: 4, Last: 5}},
			[]Finding{{Fault: Rehashed, First: 4, Last: 5}}},
		{"edited, and a hash gone", func(s *store) { edit(t, 5)(s); s.hashes[HashCount(30)] = Hash{} },
			[]Finding{{Fault: Edited, First: 5, Last: 5}, {Fault: Missing, First: HashCount(30), Last: HashCount(30)}},
			[]Finding{{Fault: Edited, First: 5, Last: 5}, {Fault: Missing, First: HashCount(30), Last: HashCount(30)}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := genuine.clone()
			c.do(s)
			expect(t, verify(t, s, anchors...), c.anchored)
			expect(t, verify(t, s), c.alone)
		})
	}
}

func verify(t *testing.T, s *store, anchors ...[]byte) Report {
	t.Helper()
	r, err := Verify(s.all(), s, newLog(t).verifier, anchors...)
	if err != nil {
		t.Fatal(err)
	}
	if want := int64(len(s.leaves)); r.Size != want || r.Root != naive(s.leaves) {
		t.Errorf("size %d and root %v, want %d and %v", r.Size, r.Root, want, naive(s.leaves))
	}
	return r
}

func expect(t *testing.T, r Report, want []Finding) {
	t.Helper()
	if !slices.Equal(r.Findings, want) || r.OK() != (len(want) == 0) || r.Omitted != 0 {
		t.Errorf("found %+v, want %+v", r.Findings, want)
	}
}

func TestVerifyEverySize(t *testing.T) {
	whole, ours := newStore(t, small), newLog(t)
	for n := range int64(small + 1) {
		s := whole.clone()
		s.cut(n)
		r := verify(t, s, ours.sign(t, whole, n/2), ours.sign(t, whole, n))
		if !r.OK() || r.Anchored != n {
			t.Errorf("%d leaves: %+v", n, r)
		}
	}
}

// TestVerifyEveryLeaf edits each leaf of a log, with the hashes of as many
// levels as there are.
func TestVerifyEveryLeaf(t *testing.T) {
	const size = 21
	genuine, ours := newStore(t, size), newLog(t)
	anchor := ours.sign(t, genuine, size)
	for n := range int64(size) {
		for levels := range 7 {
			s := genuine.clone()
			edit(t, n)(s)
			s.rehash(t, n, levels)
			r := verify(t, s, anchor)
			if len(r.Findings) != 1 || r.Findings[0].First > n || r.Findings[0].Last < n || r.Anchored != 0 {
				t.Errorf("leaf %d with %d hashes: %+v", n, levels, r)
			}
		}
	}
}

func TestVerifyCheckpoints(t *testing.T) {
	s, ours := newStore(t, 10), newLog(t)
	good := ours.sign(t, s, 8)
	for _, c := range []struct {
		name   string
		second []byte
	}{
		{"forged", []byte(strings.Replace(string(good), "\n8\n", "\n7\n", 1))},
		{"another key", newKey(t, origin, 2).sign(t, s, 8)},
		{"another origin", newKey(t, "nacre/other", 1).sign(t, s, 8)},
		{"prose", []byte("all is well")},
	} {
		r := verify(t, s, good, c.second)
		if expect(t, r, []Finding{{Fault: NotOurs, First: 1, Last: 1}}); r.Anchored != 8 {
			t.Errorf("%s: anchored %d, want 8", c.name, r.Anchored)
		}
	}
	expect(t, verify(t, s, good, good), nil)
}

// TestVerifyContradictions has checkpoints of another history among ours, as
// after a copy was put back and written on.
func TestVerifyContradictions(t *testing.T) {
	s, other, ours := newStore(t, 10), new(store).grow(t, 10, 2), newLog(t)
	at := func(s *store, n int64, second int64) []byte {
		c := s.checkpoint(t, n)
		c.Time = signedAt(second)
		signed, err := Sign(c, ours.signer)
		if err != nil {
			t.Fatal(err)
		}
		return signed
	}
	rewritten := func(first, last, second int64) Finding {
		return Finding{Fault: Rewritten, First: first, Last: last, Time: signedAt(second)}
	}
	for _, c := range []struct {
		name    string
		anchors [][]byte
		want    []Finding
	}{
		{"none", [][]byte{at(s, 8, 1), at(s, 3, 2), at(s, 8, 3)}, nil},
		{"later", [][]byte{at(s, 8, 1), at(other, 9, 2)}, []Finding{rewritten(8, 8, 2)}},
		{"several", [][]byte{at(s, 8, 1), at(other, 9, 2), at(other, 10, 3)}, []Finding{rewritten(8, 8, 2)}},
		{"of the same size", [][]byte{at(s, 8, 1), at(s, 8, 2), at(other, 8, 3)}, []Finding{rewritten(0, 7, 3)}},
		{"around a size", [][]byte{at(other, 8, 1), at(s, 8, 2), at(other, 9, 3)}, []Finding{rewritten(0, 7, 1), rewritten(8, 8, 3)}},
		{"written on", [][]byte{at(other, 9, 1), at(s, 4, 2), at(s, 8, 3)}, []Finding{rewritten(8, 8, 1)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := verify(t, s, c.anchors...)
			if expect(t, r, c.want); r.Anchored != 8 {
				t.Errorf("anchored %d, want 8", r.Anchored)
			}
		})
	}
}

func TestVerifyEmptyLog(t *testing.T) {
	s, ours := newStore(t, 0), newLog(t)
	expect(t, verify(t, s), nil)
	expect(t, verify(t, s, ours.sign(t, s, 0)), nil)
	r := verify(t, s, ours.sign(t, newStore(t, 1), 1))
	expect(t, r, []Finding{{Fault: RolledBack, First: 0, Last: 0, Time: signedAt(1)}})
}

// TestVerifyUnreadable: the hashes fit, but this version knows no such leaf.
func TestVerifyUnreadable(t *testing.T) {
	s := newStore(t, 10)
	s.leaves[4] = append([]byte{leafFormat + 1}, s.leaves[4][1:]...)
	s.hashes = nil
	for n, leaf := range s.leaves {
		hashes, err := tlog.StoredHashes(int64(n), leaf, s)
		if err != nil {
			t.Fatal(err)
		}
		s.hashes = append(s.hashes, hashes...)
	}
	expect(t, verify(t, s), []Finding{{Fault: Unreadable, First: 4, Last: 4}})
}

func TestVerifyCountsWhatItOmits(t *testing.T) {
	s := newStore(t, 1000)
	for n := int64(0); n < 1000; n += 2 {
		edit(t, n)(s)
	}
	r := verify(t, s)
	if len(r.Findings) != maxFindings || r.Omitted != 500-maxFindings {
		t.Errorf("%d findings and %d omitted", len(r.Findings), r.Omitted)
	}
}

func TestVerifyReadErrors(t *testing.T) {
	s, ours := newStore(t, 10), newLog(t)
	broken := iter.Seq2[[]byte, error](func(yield func([]byte, error) bool) {
		if yield(s.leaves[0], nil) {
			yield(nil, errDisk)
		}
	})
	if _, err := Verify(broken, s, ours.verifier); !errors.Is(err, errDisk) {
		t.Errorf("leaves: %v, want %v", err, errDisk)
	}
	for name, stored := range map[string]HashReader{"failing": failing{}, "short": short{}} {
		if _, err := Verify(s.all(), stored, ours.verifier); err == nil {
			t.Errorf("%s hashes: no error", name)
		}
		if _, err := Verify(newStore(t, 0).all(), stored, ours.verifier); err == nil {
			t.Errorf("%s hashes behind the end: no error", name)
		}
	}
}

// TestVerifyReadsInRuns: a database is asked once for about a thousand hashes.
func TestVerifyReadsInRuns(t *testing.T) {
	s := newStore(t, 2000)
	s.reads = 0
	verify(t, s)
	if want := int(HashCount(2000)/hashBatch) + 1; s.reads != want {
		t.Errorf("%d reads, want %d", s.reads, want)
	}
}

// TestVerifyReusedBuffer overwrites a leaf's bytes as soon as it is allowed.
func TestVerifyReusedBuffer(t *testing.T) {
	s := newStore(t, 50)
	buffer := make([]byte, 0, 256)
	reused := iter.Seq2[[]byte, error](func(yield func([]byte, error) bool) {
		for _, leaf := range s.leaves {
			buffer = append(buffer[:0], leaf...)
			if !yield(buffer, nil) {
				return
			}
		}
	})
	if r, err := Verify(reused, s, newLog(t).verifier); err != nil || !r.OK() {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestFindingSentences(t *testing.T) {
	at := signedAt(0)
	for _, c := range []struct {
		finding Finding
		want    string
	}{
		{Finding{Fault: Edited, First: 5, Last: 5}, "Edited: leaf 5 does not match the stored hash."},
		{Finding{Fault: Edited, First: 5, Last: 7}, "Edited: leaves 5 to 7 do not match the stored hash."},
		{Finding{Fault: Moved, First: 5, Last: 5, Shift: 4}, "Moved: in place of leaf 5 stands leaf 9."},
		{Finding{Fault: Moved, First: 5, Last: 8, Shift: 1}, "Moved: in place of leaves 5 to 8 stand leaves 6 to 9."},
		{Finding{Fault: Unreadable, First: 5, Last: 5}, "Unreadable: leaf 5 is not of a format that this version knows."},
		{Finding{Fault: Rehashed, First: 4, Last: 5}, "Edited: of leaves 4 to 5, at least one was changed along with its hash, or a hash over them was."},
		{Finding{Fault: WrongHash, First: 5, Last: 5}, "Wrong hash: leaf 5 is as signed, but a hash stored for it is not."},
		{Finding{Fault: Missing, First: 17, Last: 18}, "Missing: hashes 17 to 18 are not stored."},
		{Finding{Fault: Truncated, First: 70, Last: 70}, "Truncated: the log ends before leaf 70, but its hashes go on."},
		{Finding{Fault: Rewritten, First: 64, Last: 89, Time: at}, "Rewritten: leaves 64 to 89 are not as signed at 2026-02-03 04:05:06 UTC."},
		{Finding{Fault: RolledBack, First: 70, Last: 70, Time: at}, "Rolled back: leaf 70 is gone, though signed at 2026-02-03 04:05:06 UTC. An older copy was put back, or the end was cut off."},
		{Finding{Fault: Unlogged, First: 7, Last: 7}, "Not in the log: change 7 has no leaf."},
		{Finding{Fault: Dropped, First: 7, Last: 8}, "Dropped: what leaves 7 to 8 speak of is not stored."},
		{Finding{Fault: Altered, First: 7, Last: 8}, "Altered: changes 7 to 8 are not as in the log."},
		{Finding{Fault: Forged, First: 7, Last: 7}, "Forged: the content of change 7 is not that which was logged."},
		{Finding{Fault: Emptied, First: 7, Last: 7}, "Emptied: the content of change 7 is gone, and nobody had it forgotten."},
		{Finding{Fault: NotOurs, First: 0, Last: 0}, "Not ours: checkpoint 1 is not signed by this installation for this log."},
	} {
		if got := c.finding.String(); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}
