package audit

import "testing"

const many = 100_000

func BenchmarkVerify(b *testing.B) {
	s := newStore(b, many)
	ours := newLog(b)
	anchors := [][]byte{ours.sign(b, s, many/2), ours.sign(b, s, many)}
	b.ReportAllocs()
	for b.Loop() {
		r, err := Verify(s.all(), s, ours.verifier, anchors...)
		if err != nil || !r.OK() || r.Anchored != many {
			b.Fatal(r, err)
		}
	}
	b.ReportMetric(float64(many)*float64(b.N)/b.Elapsed().Seconds(), "leaves/s")
}

// BenchmarkVerifyDamaged has every second leaf changed, the worst for the
// list of findings.
func BenchmarkVerifyDamaged(b *testing.B) {
	s := newStore(b, many)
	for n := int64(0); n < many; n += 2 {
		s.leaves[n] = encode(b, sample(n, 2))
	}
	for b.Loop() {
		if r, err := Verify(s.all(), s, newLog(b).verifier); err != nil || r.OK() {
			b.Fatal(r, err)
		}
	}
	b.ReportMetric(float64(many)*float64(b.N)/b.Elapsed().Seconds(), "leaves/s")
}

func BenchmarkAppend(b *testing.B) {
	s, l := newStore(b, 0), sample(0, 1)
	for b.Loop() {
		l.Sequence = int64(len(s.leaves))
		s.append(b, encode(b, l))
	}
}

func BenchmarkProve(b *testing.B) {
	s := newStore(b, many)
	root, n := s.root(b, many), int64(0)
	for b.Loop() {
		proof, err := Prove(many, n, s)
		if err != nil || CheckInclusion(proof, many, root, n, s.leaves[n]) != nil {
			b.Fatal(err)
		}
		n = (n + 7919) % many
	}
}

func BenchmarkOpen(b *testing.B) {
	ours := newLog(b)
	signed := ours.sign(b, newStore(b, 3), 3)
	for b.Loop() {
		if _, err := Open(signed, ours.verifier); err != nil {
			b.Fatal(err)
		}
	}
}
