package main

import (
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/memory/ledger"
)

// What the owner told another assistant, and imported, answers where nothing that was said
// here does; another owner's answers nothing.
func TestRecallOfWhatWasImported(t *testing.T) {
	readBy(t, func(b *bubble, r *reader) {
		b.say(1001, "It rains again.")
		b.say(1002, "It rains again.")
		m := nacre.Message{Private: true, Sent: time.Date(1999, 5, 1, 12, 0, 0, 0, time.UTC),
			Author: nacre.Address{Channel: nacre.Elsewhere, ID: nacre.ElsewhereOwner}, Segments: []nacre.Segment{{Provenance: nacre.Imported, Text: "My kite Marigold is made of silk."}}}
		m.Chat, m.External = ledger.ElsewhereID(b.ownerOf(1001), "chatgpt", "kites", "1")
		if n, err := b.app.ledger.PutElsewhere(b.t.Context(), []nacre.Inbound{{Owner: b.ownerOf(1001), Message: m}}); n != 1 || err != nil {
			t.Fatal(n, err)
		}
		b.app.index.Drop(b.ownerOf(1001)) // as an import does
		b.pass(time.Minute)
		for user, want := range map[int64]string{1001: "On 1999-05-01 (ChatGPT) you said: “My kite Marigold is made of silk.”", 1002: "I find nothing about that"} {
			b.say(user, "What did I say about Marigold?")
			if got := b.last(user); !strings.HasPrefix(got, want) {
				t.Errorf("%d reads %q, want %q", user, got, want)
			}
		}
		if tail := r.newest().Tail; strings.Contains(tail, "Marigold") != strings.Contains(tail, "they said to ChatGPT") {
			t.Errorf("the evidence is %q", tail)
		}
	})
}
