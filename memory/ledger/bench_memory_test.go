package ledger_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/ledger"
)

// remember appends changes of memory a thousand at a time.
func remember(b *testing.B, l *ledger.Ledger, owner nacre.OwnerID, many int) {
	b.Helper()
	for base := 0; base < many; base += 1000 {
		var ops []memory.Op
		for i := range 1000 {
			ops = append(ops, opAdding(fmt.Sprintf("rides bike number %d to the office every day but Sunday", base+i)))
		}
		appended(b, l, owner, int64(base), ops...)
	}
}

// BenchmarkAppend is one change of memory, durable.
func BenchmarkAppend(b *testing.B) {
	l := open(b, b.TempDir())
	o, base := owners(b, l, "1001")[0], int64(0)
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		appended(b, l, o, base, opAdding("rides a bike to the office every day but Sunday"))
		took = append(took, time.Since(began))
		base++
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
}

// BenchmarkAppendThousand is an import of a thousand notes.
func BenchmarkAppendThousand(b *testing.B) {
	l := open(b, b.TempDir())
	o, base := owners(b, l, "1001")[0], int64(0)
	for b.Loop() {
		ops := make([]memory.Op, 1000)
		for i := range ops {
			ops[i] = opAdding("rides a bike to the office every day but Sunday")
		}
		appended(b, l, o, base, ops...)
		base += 1000
	}
}

// BenchmarkLoadOps reads the history of a large memory for the first time.
func BenchmarkLoadOps(b *testing.B) {
	const many = 10_000
	dir := b.TempDir()
	l := open(b, dir)
	o := owners(b, l, "1001")[0]
	remember(b, l, o, many)
	for b.Loop() {
		b.StopTimer()
		l.Close()
		l = open(b, dir)
		b.StartTimer()
		if ops, err := l.Ops(ctx, o, -1, false); err != nil || len(ops) != many {
			b.Fatal(len(ops), err)
		}
	}
}

// BenchmarkVerifyMemory verifies leaves, hashes, ops and their contents.
func BenchmarkVerifyMemory(b *testing.B) {
	const many = 20_000
	l := open(b, b.TempDir())
	remember(b, l, owners(b, l, "1001")[0], many)
	for b.Loop() {
		if r, err := l.VerifyMemory(ctx); err != nil || !r.OK() || r.Size != many {
			b.Fatal(r, err)
		}
	}
	b.ReportMetric(float64(many)*float64(b.N)/b.Elapsed().Seconds(), "leaves/s")
}

func BenchmarkRecent(b *testing.B) {
	l := open(b, b.TempDir())
	o := owners(b, l, "1001")[0]
	var in []nacre.Inbound
	for i := range 10_000 {
		m := from(o, fmt.Sprint(i), said("what I had to say that day"))
		m.Message.Chat.ID = nacre.ChatID(fmt.Sprint(i % 10))
		in = append(in, m)
	}
	s := put(b, l, in...)[0].Session
	for b.Loop() {
		if recent, err := l.Recent(ctx, s, 1<<40, 10); err != nil || len(recent) != 10 {
			b.Fatal(len(recent), err)
		}
	}
}
