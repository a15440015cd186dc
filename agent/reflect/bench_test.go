package reflect_test

import (
	"testing"

	"nacre"
	"nacre/agent/llm/llmtest"
)

// benchWorld is a world with an owner whose messages are read from now on.
func benchWorld(b *testing.B) *world {
	w := &world{t: b, dir: b.TempDir(), model: llmtest.NewModel()}
	w.open()
	b.Cleanup(func() { w.ledger.Close() })
	list, err := w.ledger.SyncOwners(b.Context(), [][]nacre.Address{{addr("1001")}})
	if err != nil {
		b.Fatal(err)
	}
	w.ann = list[0].ID
	if _, err := w.reflector.Reflect(b.Context(), w.ann); err != nil {
		b.Fatal(err)
	}
	return w
}

// An hour without anything new, of an owner who said much before.
func BenchmarkNothingNew(b *testing.B) {
	w := benchWorld(b)
	now := nacre.Caller{Owner: w.ann, Said: []nacre.Message{w.types(10_000, "ok")}}
	for range 10 { // a thousand each
		if err := w.reflector.Flush(b.Context(), now, nil); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if rep, err := w.reflector.Reflect(b.Context(), w.ann); err != nil || rep.Calls > 0 {
			b.Fatalf("%+v, %v", rep, err)
		}
	}
}

// Forty messages in which there is nothing to read.
func BenchmarkSmallTalk(b *testing.B) {
	w := benchWorld(b)
	for b.Loop() {
		b.StopTimer()
		now := nacre.Caller{Owner: w.ann, Said: []nacre.Message{w.types(41, "Where did I park the car this morning?")}}
		b.StartTimer()
		if err := w.reflector.Flush(b.Context(), now, nil); err != nil {
			b.Fatal(err)
		}
	}
}
