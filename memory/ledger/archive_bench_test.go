package ledger_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"nacre"
	"nacre/memory/ledger"
)

// talk fills a ledger with messages and answers, half each, and beside them what
// another owner says.
func talk(b *testing.B, l *ledger.Ledger, many int) nacre.OwnerID {
	b.Helper()
	who := owners(b, l, "1001", "1002")
	for from := 0; from < many/2; from += 500 {
		var in []nacre.Inbound
		for i := range 500 {
			text := fmt.Sprintf("Reminder %d: the dentist called, the parcel for Tom is at the neighbour's, and dinner on Friday moves to %d pm.", from+i, i%12+1)
			in = append(in, message(who[0], "1001", fmt.Sprint(from+i), text))
		}
		put(b, l, in...)
		put(b, l, message(who[1], "1002", fmt.Sprint(from), "something else"))
		done := make(chan error, len(in))
		for i := range in {
			turn := turnOver(in[i : i+1])
			turn.History = json.RawMessage(fmt.Sprintf(`["%s","I moved the dinner on Friday and will remind you of parcel %d."]`, in[i].Message.Text(), i))
			turn.Replies = nil
			go func() { _, err := l.Commit(ctx, turn); done <- err }()
		}
		for range in {
			must(b, <-done)
		}
	}
	return who[0]
}

// BenchmarkBefore reads 100,000 messages and answers, newest first.
func BenchmarkBefore(b *testing.B) {
	const many = 100_000
	l := open(b, b.TempDir())
	o := talk(b, l, many)
	a := l.Archive(lastLine)
	m, err := a.Mark(ctx, o)
	must(b, err)
	for b.Loop() {
		n, newest := 0, time.Duration(0)
		began := time.Now()
		must(b, a.Before(ctx, o, m, func(ledger.Saying) bool {
			if n++; n == many/10 {
				newest = time.Since(began)
			}
			return true
		}))
		if n != many {
			b.Fatal(n)
		}
		b.ReportMetric(float64(newest.Milliseconds()), "first-10000-ms")
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/many, "µs/message")
}

// BenchmarkSinceNothing is what every search asks first.
func BenchmarkSinceNothing(b *testing.B) {
	l := open(b, b.TempDir())
	o := talk(b, l, 10_000)
	a := l.Archive(lastLine)
	m, err := a.Mark(ctx, o)
	must(b, err)
	for b.Loop() {
		if now, err := a.Since(ctx, o, m, func(ledger.Saying) {}); err != nil || now != m {
			b.Fatal(now, err)
		}
	}
}

// BenchmarkNear reads the surroundings of an old message.
func BenchmarkNear(b *testing.B) {
	l := open(b, b.TempDir())
	o := talk(b, l, 100_000)
	a := l.Archive(lastLine)
	for b.Loop() {
		if near, err := a.Near(ctx, o, "", 2*1000, 5); err != nil || len(near) != 11 {
			b.Fatal(len(near), err)
		}
	}
}

// BenchmarkTexts reads the best fifty.
func BenchmarkTexts(b *testing.B) {
	l := open(b, b.TempDir())
	o := talk(b, l, 20_000)
	a := l.Archive(lastLine)
	var keys []int64
	for i := range 50 {
		keys = append(keys, int64(100+397*i))
	}
	for b.Loop() {
		if texts, err := a.Texts(ctx, o, keys); err != nil || len(texts) < 49 {
			b.Fatal(len(texts), err)
		}
	}
}
