package recollect_test

import (
	"fmt"
	"testing"

	"nacre/memory"
	"nacre/memory/recall"
)

// A turn waits for this before its first request.
func BenchmarkRecall(b *testing.B) {
	w := newWorld(b)
	ann := w.private()
	for i := range 20_000 {
		ann.put(recall.ByOwner, "2026-03-02 10:00", fmt.Sprintf("On day %d the neighbour's cat number %d sat on the wall of garden %d", i, i%97, i%31))
	}
	var list []memory.Proposal
	for i := range 500 {
		list = append(list, memory.Proposal{Writer: memory.ByPage, Do: memory.Learn, Draft: memory.Draft{Area: memory.People, Slug: fmt.Sprint("friend-", i),
			Text: fmt.Sprintf("Friend number %d lives in street %d and likes chess", i, i%40)}})
	}
	if _, err := w.library.Book(w.ann).Propose(b.Context(), list...); err != nil {
		b.Fatal(err)
	}
	for name, question := range map[string]string{"few": "Where did cat number 77 sit in the garden?", "total": "How often did cat number 77 sit in the garden?", "none": "Who wrote the Odyssey?"} {
		caller := ann.asks(question)
		w.recall(caller, room)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w.recall(caller, room)
			}
		})
	}
}
