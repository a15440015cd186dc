package vault

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"nacre"
)

func BenchmarkSeal(b *testing.B) {
	for _, c := range []struct {
		name   string
		record func(i uint64) uint64
	}{
		{"sequential", func(i uint64) uint64 { return i + 1 }},
		{"random", func(uint64) uint64 { return 1 + rand.Uint64N(records-1) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			v, plain, i := newVault(b, nil, "ana"), make([]byte, 500), uint64(0)
			for b.Loop() {
				if _, err := v.Seal(Binding{Owner: "ana", Table: "inbox", Record: c.record(i)}, plain); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}

func BenchmarkUnseal(b *testing.B) {
	v := newVault(b, nil, "ana")
	sealed := make([][]byte, 4096)
	at := func(i int) Binding { return Binding{Owner: "ana", Table: "inbox", Record: uint64(i + 1)} }
	for i := range sealed {
		sealed[i] = seal(b, v, at(i), string(make([]byte, 500)))
	}
	i := 0
	for b.Loop() {
		if _, err := v.Unseal(at(i), sealed[i]); err != nil {
			b.Fatal(err)
		}
		i = (i + 1) % len(sealed)
	}
}

func BenchmarkNext(b *testing.B) {
	v := newVault(b, nil)
	for b.Loop() {
		if _, err := v.Next(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPuncture(b *testing.B) {
	v := newVault(b, nil, "ana")
	n := uint64(0)
	for b.Loop() {
		n++
		if err := v.Puncture("ana", n); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAddOwners512 adds them to a vault that has none.
func BenchmarkAddOwners512(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		v, ids := newVault(b, nil), manyOwners()
		b.StartTimer()
		if err := v.AddOwners(ids...); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		v.Close()
		b.StartTimer()
	}
}

// BenchmarkPunctureAmong10000 destroys a record in an installation of 10,000
// owners, whose keys are all in the file that is written.
func BenchmarkPunctureAmong10000(b *testing.B) {
	v, n := newVault(b, nil, "ana"), uint64(0)
	ids := make([]nacre.OwnerID, 10_000)
	for i := range ids {
		ids[i] = nacre.OwnerID(fmt.Sprintf("%036d", i))
	}
	if err := v.AddOwners(ids...); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		n++
		if err := v.Puncture("ana", n); err != nil {
			b.Fatal(err)
		}
	}
}
