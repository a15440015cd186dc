package ledger_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"nacre"
	"nacre/memory/ledger"
)

// BenchmarkPutElsewhere takes over 100,000 messages of 10,000 conversations.
func BenchmarkPutElsewhere(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		l := open(b, b.TempDir())
		o := owners(b, l, "1001")[0]
		before := heap()
		b.StartTimer()
		bring(b, l, o, 100_000)
		b.StopTimer()
		b.ReportMetric(float64(heap()-before)/(1<<20), "MiB-kept")
		l.Close()
		b.StartTimer()
	}
}

// bring takes over so many messages, ten to a conversation, each with an answer.
func bring(b *testing.B, l *ledger.Ledger, o nacre.OwnerID, many int) {
	b.Helper()
	at := time.Date(2023, 1, 1, 12, 0, 0, 0, time.UTC)
	for from := 0; from < many; from += ledger.ElsewhereAtOnce {
		var in []nacre.Inbound
		for i := from; i < min(many, from+ledger.ElsewhereAtOnce); i++ {
			text := fmt.Sprintf("Question %d: which train goes to the coast on Friday, and is there a place for the bicycle? The last time we had to leave it behind, and the parcel for Tom with it, number %d.", i, i*7)
			m := elsewhere(o, fmt.Sprint("conversation ", i/10), fmt.Sprint(i), text)
			if i%2 == 1 {
				m = theirs(m, "chatgpt")
			}
			m.Message.Sent = at.Add(time.Duration(i) * 15 * time.Minute)
			in = append(in, m)
		}
		if n, err := l.PutElsewhere(ctx, in); err != nil || n != len(in) {
			b.Fatal(n, err)
		}
	}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkAfterElsewhere is what is asked often, in an installation into which
// 100,000 messages were taken over.
func BenchmarkAfterElsewhere(b *testing.B) {
	l := open(b, b.TempDir())
	o := owners(b, l, "1001")[0]
	in := put(b, l, message(o, "1001", "1", "one"))
	commit(b, l, turnOver(in, "ok"))
	bring(b, l, o, 100_000)
	last := put(b, l, message(o, "1001", "2", "two"))
	a := l.Archive(lastLine)
	for _, one := range []struct {
		name string
		run  func() error
	}{
		{"Homes", func() error { _, err := l.Homes(ctx, o); return err }},
		{"Counts", func() error { _, err := l.Counts(ctx); return err }},
		{"Mark", func() error { _, err := a.Mark(ctx, o); return err }},
		{"Near", func() error { _, err := a.Near(ctx, o, "", 2*1000, 5); return err }},
		{"Unread", func() error { _, _, err := l.Unread(ctx, o, 1, time.Now(), 40); return err }},
		{"UnreadNothing", func() error { _, _, err := l.Unread(ctx, o, 1, time.Now().Add(-time.Hour), 40); return err }},
		{"Since", func() error {
			_, err := a.Since(ctx, o, ledger.Mark{Said: 2, Answered: 2}, func(ledger.Saying) {})
			return err
		}},
		{"Before", func() error {
			n := 0
			err := a.Before(ctx, o, ledger.Mark{Said: last[0].Message.Seq + 1, Answered: 9}, func(ledger.Saying) bool { n++; return true })
			if n != 100_003 {
				b.Fatal(n)
			}
			return err
		}},
		{"Again", func() error {
			n, err := l.PutElsewhere(ctx, again(o))
			must(b, err)
			if n != 0 {
				b.Fatal(n)
			}
			return err
		}},
	} {
		b.Run(one.name, func(b *testing.B) {
			for b.Loop() {
				must(b, one.run())
			}
		})
	}
}

// again are messages that bring brought.
func again(o nacre.OwnerID) (in []nacre.Inbound) {
	for i := range ledger.ElsewhereAtOnce {
		in = append(in, elsewhere(o, fmt.Sprint("conversation ", i/10), fmt.Sprint(i), "again"))
	}
	return in
}
