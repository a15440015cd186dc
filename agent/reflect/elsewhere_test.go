package reflect_test

import (
	"fmt"
	"testing"
	"time"

	"nacre"
	"nacre/agent/reflect"
	"nacre/memory/ledger"
)

// brings takes over what Ann said to another assistant long ago.
func (w *world) brings(chat string, n int, text string) {
	w.t.Helper()
	var in []nacre.Inbound
	for i := range n {
		at, id := ledger.ElsewhereID(w.ann, "chatgpt", chat, fmt.Sprint(i))
		in = append(in, nacre.Inbound{Owner: w.ann, Message: nacre.Message{Chat: at, External: id, Private: true,
			Author: nacre.Address{Channel: nacre.Elsewhere, ID: nacre.ElsewhereOwner}, Sent: time.Now().AddDate(-1, 0, 0),
			Segments: []nacre.Segment{{Provenance: nacre.Imported, Text: text}}}})
	}
	if added, err := w.ledger.PutElsewhere(w.t.Context(), in); err != nil || added != n {
		w.t.Fatal(added, err)
	}
}

// What was said to another assistant is nobody's evidence, however much it is: no
// model is asked about it, and what was said here before and after it is read.
func TestElsewhereIsNotReflectedOn(t *testing.T) {
	hours(t, func(t *testing.T, w *world) {
		w.says("My dog is called Rex")
		for i := range 4 {
			w.brings(fmt.Sprint(i), ledger.ElsewhereAtOnce, "My cat is called Mia")
		}
		w.answers(note("m1", "My dog is called Rex", "about/dog"))
		w.must()
		w.wantAsked(1, "My dog is called Rex")
		if rep := w.must(); rep.Calls != 0 || rep.Messages != 0 {
			t.Errorf("of what was brought it read %+v", rep)
		}
		w.wantAsked(0)

		w.brings("late", 10, "My cat is called Mia")
		last := w.says("My boat is called Anna")
		w.answers(note("m1", "My boat is called Anna", "about/boat"))
		w.must()
		w.wantAsked(1, "My boat is called Anna")
		if through, _, err := w.ledger.Mark(t.Context(), w.ann, reflect.Reader); err != nil || through != last.Message.Seq {
			t.Errorf("the mark is at %d, %v, want %d", through, err, last.Message.Seq)
		}
	})
}
