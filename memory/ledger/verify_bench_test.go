package ledger

import (
	"path/filepath"
	"testing"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/audit"
)

// BenchmarkVerifyLog is the part of VerifyMemory that computes the log anew.
func BenchmarkVerifyLog(b *testing.B) {
	const many = 20_000
	dir := b.TempDir()
	l, err := Open(b.Context(), Options{Dir: dir, Keys: filepath.Join(dir, "keys.nacre")})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	owners, err := l.SyncOwners(b.Context(), nil)
	if err != nil {
		b.Fatal(err)
	}
	refusals := make([]memory.Op, many)
	for i := range refusals {
		refusals[i] = memory.Op{Writer: memory.ByReflect, Via: nacre.Telegram, Kind: memory.Refuse, Note: nacre.NoteID(nacre.NewID(time.Now())), Reason: memory.IsSecret}
	}
	if _, err := l.Append(b.Context(), owners[0].ID, 0, refusals, nil); err != nil {
		b.Fatal(err)
	}
	_, ours, err := l.auditKey()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		err := l.snapshot(b.Context(), func(query queries) error {
			r, err := audit.Verify(leaves(query), hashTable{query}, ours)
			if !r.OK() || r.Size != many {
				b.Fatal(r)
			}
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(many)*float64(b.N)/b.Elapsed().Seconds(), "leaves/s")
}
