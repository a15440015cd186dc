package ledger_test

import (
	"crypto/sha256"
	"fmt"
	"testing"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/canon"
	"nacre/memory/ledger"
)

// years is a ledger with what comes together in some years: 100,000 messages of
// an owner, of which every tenth made a note.
type years struct {
	*ledger.Ledger
	owner nacre.OwnerID
	cited []nacre.Inbound
	notes []memory.Op
	next  int
}

func someYears(b *testing.B) *years {
	b.Helper()
	y := &years{Ledger: open(b, b.TempDir())}
	y.owner = owners(b, y.Ledger, "1001")[0]
	for from := 0; from < 100_000; from += 1000 {
		in := make([]nacre.Inbound, 1000)
		for i := range in {
			n := from + i
			text := fmt.Sprintf("Reminder %d: the dentist called, the parcel for Tom is at the neighbour's, and dinner on Friday moves to %d pm.", n, n%12+1)
			if n%10 == 0 {
				text = y.says(n / 10)
			}
			in[i] = message(y.owner, "1001", fmt.Sprint(n), text)
		}
		for i := 0; i < len(in); i += 10 {
			y.cited = append(y.cited, in[i])
		}
		put(b, y.Ledger, in...)
	}
	remember(b, y.Ledger, y.owner, 10_000)
	y.notes = history(b, y.Ledger, y.owner)
	return y
}

// says is what a message said: every other one something else.
func (y *years) says(n int) string { return fmt.Sprintf("My %s is in the %s.", name(2*n), name(2*n+1)) }

// name is a word that is like no other.
func name(n int) string {
	sum := sha256.Sum256([]byte(fmt.Sprint(n)))
	for i := range sum {
		sum[i] = 'a' + sum[i]%26
	}
	return string(sum[:9])
}

// forgetting is the Erasure of one more note.
func (y *years) forgetting() memory.Erasure {
	n := y.next
	y.next++
	text, at := y.says(n), memory.Evidence{Message: y.cited[n].Message.ID, Segment: 1, To: len(y.says(n))}
	return memory.Erasure{ID: nacre.NewID(time.Now()), Size: memory.SizeSaid, Writer: memory.ByCommand, Base: int64(len(y.notes) + n),
		Notes: []nacre.NoteID{y.notes[n].Note}, Cited: []memory.Evidence{at},
		Ops: []memory.Op{{Writer: memory.ByCommand, Kind: memory.Erase, Note: y.notes[n].Note, Reason: memory.ByOwner,
			Payload: memory.Payload{V: 1, Tomb: &memory.Tombstone{Exact: exactTag(text)}}}},
		Needle: &memory.Needle{Quotes: []string{canon.Form(text)}, Marks: []string{name(2 * n)},
			Words: [][]string{{name(2 * n), name(2*n + 1)}}}}
}

// BenchmarkForgetCommit is until nobody finds a note any more.
func BenchmarkForgetCommit(b *testing.B) {
	y := someYears(b)
	for b.Loop() {
		steps := y.EraseSteps(y.owner, y.forgetting())
		must(b, steps[0](ctx))
		must(b, steps[1](ctx))
		b.StopTimer()
		must(b, steps[2](ctx))
		b.StartTimer()
	}
}

// BenchmarkForgetReceipt is until it is certain that nothing is left.
func BenchmarkForgetReceipt(b *testing.B) {
	y := someYears(b)
	for b.Loop() {
		e := y.forgetting()
		_, _, err := y.Erase(ctx, y.owner, e)
		must(b, err)
		if swept, err := y.Sweep(ctx, y.owner, e); err != nil || swept.Left > 0 || swept.Pending != nil {
			b.Fatalf("%+v, %v", swept, err)
		}
	}
}

// BenchmarkCountMatches looks once through 100,000 messages.
func BenchmarkCountMatches(b *testing.B) {
	y := someYears(b)
	for b.Loop() {
		if _, err := y.Count(ctx, y.owner, y.forgetting().Needle); err != nil {
			b.Fatal(err)
		}
	}
}
