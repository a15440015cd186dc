package ledger_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"nacre"
)

// BenchmarkMessage is the ledger's whole share of one message: stored, read by
// its session, answered and delivered, each step durable.
func BenchmarkMessage(b *testing.B) {
	l := open(b, b.TempDir())
	ids := make([]string, 64)
	for i := range ids {
		ids[i] = fmt.Sprint(1001 + i)
	}
	who := owners(b, l, ids...)
	var workers, external atomic.Int64
	b.SetParallelism(10)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		n := int(workers.Add(1)) % len(ids)
		for pb.Next() {
			in := []nacre.Inbound{message(who[n], ids[n], fmt.Sprint(external.Add(1)), "Please note item and answer in one short line.")}
			if err := l.Put(ctx, in); err != nil {
				b.Fatal(err)
			}
			if _, err := l.Pending(ctx, in[0].Session, in[0].Message.Seq-1); err != nil {
				b.Fatal(err)
			}
			ds, err := l.Commit(ctx, turnOver(in, "ok this is a fixed reply"))
			if err != nil {
				b.Fatal(err)
			}
			ds[0].State = nacre.Sent
			if _, err := l.Settle(ctx, ds[0], "1", "", ""); err != nil {
				b.Fatal(err)
			}
		}
	})
}
