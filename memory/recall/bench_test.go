package recall

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func BenchmarkSearch50k(b *testing.B) { benchmarkSearch(b, 50_000) }
func BenchmarkSearch1M(b *testing.B)  { benchmarkSearch(b, 1_000_000) }

func benchmarkSearch(b *testing.B, n int) {
	store := newSynthetic(n)
	before := heap()
	x := New(store, Options{Memory: 1 << 30})
	defer x.Close()
	began := time.Now()
	x.Warm(syntheticOwner)
	x.running.Wait()
	b.Logf("%d messages indexed in %v, heap %d KiB", n, time.Since(began).Round(time.Millisecond), (heap()-before)>>10)
	for _, kind := range []struct {
		name  string
		words func(r *rand.Rand) string
	}{
		{"natural10", func(r *rand.Rand) string { return store.words(r, 10) }},
		{"content10", func(r *rand.Rand) string {
			var list []string
			for range 10 {
				list = append(list, store.word(r))
			}
			return strings.Join(list, " ")
		}},
	} {
		b.Run(kind.name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(2, 3))
			var took []time.Duration
			for b.Loop() {
				text := kind.words(r)
				began := time.Now()
				if _, err := x.Search(context.Background(), syntheticOwner, Query{Text: text, Now: syntheticEpoch, Limit: 10}); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds()), "p95-µs")
		})
	}
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
