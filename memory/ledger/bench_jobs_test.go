package ledger_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"nacre"
	"nacre/memory/ledger"
)

// benchJobs fills a ledger with 10,000 jobs of 1,000 owners, of which 500 are due
// now and the others in a year.
func benchJobs(b *testing.B) (l *ledger.Ledger, now time.Time) {
	b.Helper()
	const people, each, due = 1000, 10, 500
	l, now = open(b, b.TempDir()), at(0)
	ids := make([]string, people)
	for i := range ids {
		ids[i] = fmt.Sprint(1001 + i)
	}
	var in []nacre.Inbound
	for i, o := range owners(b, l, ids...) {
		in = append(in, message(o, ids[i], "1", "hello"))
	}
	put(b, l, in...)
	var storing sync.WaitGroup
	for i := range in {
		storing.Go(func() {
			for n := range each {
				next := now.AddDate(1, 0, 0)
				if n == 0 && i < due {
					next = now
				}
				storedJob(b, l, reminder(in[i].Session, "water the plants on the balcony", next))
			}
		})
	}
	storing.Wait()
	return l, now
}

// BenchmarkClaim claims 500 slots that are due at the same moment, as a clock does.
func BenchmarkClaim(b *testing.B) {
	l, now := benchJobs(b)
	for b.Loop() {
		list, err := l.Due(ctx, now, 1000)
		if err != nil || len(list) != 500 {
			b.Fatal(len(list), err)
		}
		claims := make([]nacre.JobClaim, len(list))
		for i, job := range list {
			if gone, err := l.Gone(ctx, job.Session.Chat); gone || err != nil {
				b.Fatal(gone, err)
			}
			claims[i] = claimOf(job)
		}
		taken, err := l.Claim(ctx, claims)
		if err != nil {
			b.Fatal(err)
		}
		for i := range taken {
			if !taken[i] || claims[i].Say.Message.Seq == 0 {
				b.Fatal("not taken")
			}
		}
		now = now.Add(time.Hour)
	}
}

// BenchmarkDue reads 500 jobs that are due among 10,000.
func BenchmarkDue(b *testing.B) {
	l, now := benchJobs(b)
	for b.Loop() {
		if list, err := l.Due(ctx, now, 1000); err != nil || len(list) != 500 {
			b.Fatal(len(list), err)
		}
	}
}

// BenchmarkNextDue is what a clock that rests asks for.
func BenchmarkNextDue(b *testing.B) {
	l, now := benchJobs(b)
	for b.Loop() {
		if next, err := l.NextDue(ctx); err != nil || !next.Equal(now) {
			b.Fatal(next, err)
		}
	}
}

// BenchmarkActive reads all 10,000 jobs, as a clock does when it starts.
func BenchmarkActive(b *testing.B) {
	l, _ := benchJobs(b)
	for b.Loop() {
		if list, err := l.Active(ctx); err != nil || len(list) != 10_000 {
			b.Fatal(len(list), err)
		}
	}
}
