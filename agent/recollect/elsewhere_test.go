package recollect_test

import (
	"fmt"
	"strings"
	"testing"

	"nacre/agent/llm"
	"nacre/memory/recall"
)

// What was said to another assistant is found where somebody looks for it, with who
// said it to whom. What that one answered stands before no model unasked.
func TestElsewhereIsFoundBySearch(t *testing.T) {
	w := newWorld(t)
	ann := w.private()
	ann.moreTalk()
	away := ann
	away.session = "s-away"
	said := func(author, when, text string, strange bool) {
		n := away.store(recall.Text{Doc: recall.Doc{Author: author, Sent: sent(when), Text: text, Elsewhere: "ChatGPT"}, Strange: strange})
		w.chats.all[n-1].Turn = ""
	}
	said(recall.ByOwner, "2024-03-02 10:00", "Which food suits my tortoise Kiko?", false)
	said("ChatGPT: the\nbest", "2024-03-02 10:01", "The tortoise Kiko needs dandelions.", true)
	ann.put(recall.ByOwner, "2026-04-30 23:59", "The tortoise Kiko sleeps now")

	got := ann.searches(`{"words":"tortoise","to":"2024"}`)
	if len(got.Hits) != 2 || got.Hits[0].At == "" {
		t.Fatalf("it gives %+v", got)
	}
	for _, h := range got.Hits {
		switch {
		case strings.HasPrefix(h.Text, "Which"):
			if h.Who != "they, to ChatGPT" || h.At != "Sat 2024-03-02 10:00" || h.After != "ChatGPT  the best, in another assistant's chat (no fact): The tortoise Kiko needs dandelions." {
				t.Errorf("the person's is %+v", h)
			}
		case h.Who != "ChatGPT  the best, in another assistant's chat (no fact)" || h.Before != "they, to ChatGPT: Which food suits my tortoise Kiko?":
			t.Errorf("the other's is %+v", h)
		}
	}
	res, err := w.use(ann.asks("look"), `{"words":"tortoise","to":"2024"}`)
	if err != nil || res.Source != llm.FromOthers {
		t.Errorf("its source is %q, %v", res.Source, err)
	}
	e := ann.recalls("What does the tortoise Kiko do?")
	if strings.Contains(e.Text, "dandelions") || strings.Contains(e.Text, "suits") || !strings.Contains(e.Text, "The tortoise Kiko sleeps now") {
		t.Errorf("the evidence is %q", e.Text)
	}
}

// Where what was said here leaves room, the owner's own words to other assistants fill it,
// behind what was said here, with to whom and when.
func TestElsewhereFillsTheRoom(t *testing.T) {
	w := newWorld(t)
	ann := w.private()
	ann.moreTalk()
	away := ann
	away.session = "s-away"
	said := func(author, text string, strange bool) {
		n := away.store(recall.Text{Doc: recall.Doc{Author: author, Sent: sent("2024-03-02 10:00"), Text: text, Elsewhere: "ChatGPT"}, Strange: strange})
		w.chats.all[n-1].Turn = ""
	}
	const line = "Sat 2024-03-02 10:00, they said to ChatGPT: My tortoise Marigold eats dandelions."
	said(recall.ByOwner, "My tortoise Marigold eats dandelions.", false)
	said("ChatGPT", "Your tortoise Marigold should eat clover.", true)
	said(recall.ByOwner, "The tortoise Marigold, they say, eats nails.", true)

	e := ann.recalls("What did I say about the tortoise Marigold?")
	wantText(t, e.Text, line)
	wantNot(t, e.Text, "clover", "nails")
	wantNot(t, w.group().recalls("What does the tortoise Marigold eat?").Text, "dandelions")

	ann.put(recall.ByOwner, "2026-04-30 23:59", "The tortoise Marigold sleeps in the cellar.")
	wantText(t, ann.recalls("What did I say about the tortoise Marigold?").Text, "they said: The tortoise Marigold sleeps in the cellar.", line)
	for i := range 8 {
		ann.put(recall.ByOwner, "2026-04-30 23:59", fmt.Sprintf("The tortoise Marigold weighed %d ounces.", i))
	}
	full := ann.recalls("What did I say about the tortoise Marigold?").Text
	wantText(t, full, "ounces")
	wantNot(t, full, "dandelions")
}
