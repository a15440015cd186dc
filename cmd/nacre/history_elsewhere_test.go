package main

import (
	"slices"
	"testing"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/ledger"
	"nacre/web"
)

// brought gives an owner a chat on Telegram, and two messages of one with ChatGPT.
func brought(w *world, a *app, user string) {
	owner := w.owner(a, user)
	w.speaks(a, owner, nacre.Chat{Channel: nacre.Telegram, ID: nacre.ChatID(user)}, true, "1", "My bike of "+user+" is green")
	var in []nacre.Inbound
	for i, text := range []string{"Which bike suits " + user + "?", "A green bike suits everybody."} {
		m := nacre.Message{Private: true, Sent: time.Date(2023, 5, 1, 12, i, 0, 0, time.UTC),
			Author: nacre.Address{Channel: nacre.Elsewhere, ID: nacre.ElsewhereOwner}, Segments: []nacre.Segment{{Provenance: nacre.Imported, Text: text}}}
		if i == 1 {
			m.Author.ID, m.Segments[0].Provenance = "chatgpt", nacre.Forwarded
		}
		m.Chat, m.External = ledger.ElsewhereID(owner, "chatgpt", "about bikes", text)
		in = append(in, nacre.Inbound{Owner: owner, Message: m})
	}
	if n, err := a.ledger.PutElsewhere(w.t.Context(), in); err != nil || n != 2 {
		w.t.Fatal(n, err)
	}
}

// What was said to other assistants is found with who said it, when and where, and a
// forgetting reaches it.
func TestHistoryElsewhere(t *testing.T) {
	inEveryHand(t, brought, func(t *testing.T, h handed) {
		history := h.History(h.hand)
		found, err := history.Search(t.Context(), web.SearchQuery{Words: "bike", To: "2023"})
		if err != nil || len(found.Hits) != 2 {
			t.Fatalf("%+v, %v", found, err)
		}
		own := slices.IndexFunc(found.Hits, func(s web.FoundSaying) bool { return s.Who == web.You })
		if own < 0 {
			t.Fatalf("%+v", found.Hits)
		}
		mine, theirs := found.Hits[own], found.Hits[1-own]
		if mine.Text != "Which bike suits "+h.user+"?" || mine.Strange || mine.Elsewhere != "ChatGPT" || mine.Place != (web.Place{Channel: nacre.Elsewhere, Private: true}) {
			t.Errorf("the owner's is %+v", mine)
		}
		if theirs.Who != web.Others || theirs.Name != "ChatGPT" || !theirs.Strange || theirs.Elsewhere != "ChatGPT" || !theirs.Sent.Equal(time.Date(2023, 5, 1, 12, 1, 0, 0, time.UTC)) {
			t.Errorf("the other's is %+v", theirs)
		}
		if c, err := history.Around(t.Context(), web.AroundQuery{Message: mine.Message}); err != nil || len(c.Sayings) != 2 || c.Place.Channel != nacre.Elsewhere || c.Sayings[1].Name != "ChatGPT" {
			t.Errorf("around it %+v, %v", c, err)
		}
		here, err := history.Search(t.Context(), web.SearchQuery{Words: "bike", From: "2024", To: "2026-08"})
		if err != nil || len(here.Hits) != 1 || here.Hits[0].Elsewhere != "" || here.Hits[0].Place.Channel != nacre.Telegram {
			t.Errorf("here %+v, %v", here, err)
		}
		plan, err := h.memory().Plan(t.Context(), web.Forgetting{Size: memory.SizeAbout, Words: "bike"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.memory().Forget(t.Context(), web.Forgetting{Size: memory.SizeAbout, Words: "bike", Base: plan.Base}); err != nil {
			t.Fatal(err)
		}
		if found, err := history.Search(t.Context(), web.SearchQuery{Words: "bike"}); err != nil || len(found.Hits) != 0 {
			t.Errorf("after it was forgotten: %+v, %v", found, err)
		}
	})
}
