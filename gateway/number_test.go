package gateway_test

import (
	"slices"
	"testing"
	"time"

	"nacre"
)

// question asks Ann, who chooses by numbers, what to drink, and returns her
// message that made us ask.
func question(w *world) (nacre.RenderedReply, nacre.Inbound) {
	w.t.Helper()
	in := w.receive(w.message("ask me", wa("15550000001")))[0]
	return w.answer(in, "What do you drink?", "Tea", "Coffee"), in
}

// chosen is the place of what was chosen; -1 while the question is open.
func chosen(w *world, q nacre.RenderedReply) int {
	w.t.Helper()
	got, err := w.ledger.Question(w.t.Context(), q.ID)
	w.must(err)
	return got.Chosen
}

func TestANumberChooses(t *testing.T) {
	inWorld(t, listed, func(t *testing.T, w *world) {
		for _, c := range []struct {
			text string
			want int // place of the option; -1 for an ordinary message
		}{
			{"1", 0}, {"2", 1}, {" 2 \n", 1}, {"2.", 1}, {"2)", 1}, {"２", 1}, {"２．", 1}, {"２）", 1}, {"2️⃣", 1}, {"2⃣", 1}, {"1️⃣.", 0},
			{"0", -1}, {"3", -1}, {"-1", -1}, {"+1", -1}, {"1 2", -1}, {"1.5", -1}, {"1 please", -1}, {"Tea", -1}, {"1..", -1}, {"0002", -1},
			{"99999999999999999999", -1}, {"½", -1}, {"②", -1}, {"٢", -1}, {"⃣", -1}, {".", -1}, {"🔟", -1}, {"/1", -1},
		} {
			q, _ := question(w)
			m := w.message(c.text, wa("15550000001"))
			got := w.receive(m)
			if n := chosen(w, q); n != c.want || len(got) != 1 {
				t.Fatalf("%q chose %d and gave %d messages, want %d and one", c.text, n, len(got), c.want)
			}
			want, id := m.Segments, m.External
			if c.want >= 0 {
				id = nacre.Pressed + id
				want = []nacre.Segment{{Provenance: nacre.Quoted, Text: "What do you drink?"}, {Provenance: nacre.Prefill, Text: q.Options[c.want]}}
			}
			if stored := got[0].Message; !slices.Equal(stored.Segments, want) || stored.External != id || stored.Author != m.Author || !stored.Private {
				t.Errorf("%q is stored as %+v", c.text, stored)
			}
			pending, err := w.ledger.Pending(t.Context(), got[0].Session, got[0].Message.Seq-1)
			if err != nil || len(pending) != 1 || !slices.Equal(pending[0].Segments, want) {
				t.Errorf("%q waits as %+v, %v", c.text, pending, err)
			}
			if again := w.receive(m); len(again) != 0 || chosen(w, q) != c.want {
				t.Errorf("%q, offered again, gave %+v", c.text, again)
			}
		}
	})
}

func TestWhatChoosesNothing(t *testing.T) {
	ann := wa("15550000001")
	for _, c := range []struct {
		name string
		what func(w *world, m *nacre.Message) // happens before the number comes
		want int
	}{
		{"nothing in between", func(*world, *nacre.Message) {}, 0},
		{"a reaction in between", func(w *world, _ *nacre.Message) {
			r := w.message("[reaction]", ann)
			r.Quiet = true
			w.receive(r)
		}, 0},
		{"by the other identity", func(_ *world, m *nacre.Message) { m.Author, m.Also = wa(annLID), []nacre.Address{ann} }, 0},
		{"something said in between", func(w *world, _ *nacre.Message) { w.receive(w.message("hm", ann)) }, -1},
		{"something said and answered in between", func(w *world, _ *nacre.Message) {
			w.answer(w.receive(w.message("hm", ann))[0], "So?")
		}, -1},
		{"by somebody else", func(_ *world, m *nacre.Message) { m.Author = wa("15550000002") }, -1},
		{"in another chat", func(_ *world, m *nacre.Message) { m.Chat.ID = "1@g.us" }, -1},
		{"an edit", func(_ *world, m *nacre.Message) { m.Revision, m.Quiet = 7, true }, -1},
		{"too late", func(_ *world, m *nacre.Message) { m.Late = true }, -1},
		{"a forwarded one", func(_ *world, m *nacre.Message) { m.Segments[0].Provenance = nacre.Forwarded }, -1},
		{"with a picture", func(_ *world, m *nacre.Message) { m.Attachments = []nacre.Attachment{{Kind: nacre.Photo, Ref: "p"}} }, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, listed, func(t *testing.T, w *world) {
				q, _ := question(w)
				m := w.message("1", ann)
				c.what(w, &m)
				if got := w.receive(m); len(got) != 1 {
					t.Errorf("%d messages are stored", len(got))
				}
				if n := chosen(w, q); n != c.want {
					t.Errorf("chosen is %d, want %d", n, c.want)
				}
			})
		})
	}
}

// The words of one call count in their order.
func TestANumberAfterOtherWordsChoosesNothing(t *testing.T) {
	ann := wa("15550000001")
	inWorld(t, listed, func(t *testing.T, w *world) {
		q, _ := question(w)
		if got := w.receive(w.message("hm", ann), w.message("1", ann)); len(got) != 2 || chosen(w, q) != -1 {
			t.Errorf("stored %+v, chosen %d", got, chosen(w, q))
		}
		later := w.answer(w.receive(w.message("ask me again", ann))[0], "And now?", "Red", "Blue", "Green")
		if got := w.receive(w.message("3", ann), w.message("1", ann)); len(got) != 2 || chosen(w, later) != 2 || chosen(w, q) != -1 {
			t.Errorf("stored %+v, chosen %d and %d", got, chosen(w, later), chosen(w, q))
		}
	})
}

// A number that the network offers again does not answer what was asked since.
func TestAnOldNumberDoesNotChooseAgain(t *testing.T) {
	inWorld(t, listed, func(t *testing.T, w *world) {
		_, in := question(w)
		m := w.message("1", wa("15550000001"))
		choice := w.receive(m)[0]
		if choice.Session != in.Session {
			t.Fatalf("the choice is in %+v", choice.Session)
		}
		next := w.answer(choice, "And with it?", "Milk", "Sugar")
		w.restart(listed)
		if got := w.receive(m); len(got) != 0 || chosen(w, next) != -1 {
			t.Errorf("stored %+v, chosen %d", got, chosen(w, next))
		}
		if got := w.receive(w.message("1", wa("15550000001"))); len(got) != 1 || chosen(w, next) != 0 {
			t.Errorf("a new one: stored %+v, chosen %d", got, chosen(w, next))
		}
	})
}

// Where options are buttons a number is a number.
func TestNumbersChooseNothingWhereThereAreButtons(t *testing.T) {
	inWorld(t, listed, func(t *testing.T, w *world) {
		q := w.answer(w.receive(w.message("ask me", tg("1002")))[0], "What do you drink?", "Tea", "Coffee")
		if got := w.receive(w.message("1", tg("1002"))); len(got) != 1 || chosen(w, q) != -1 {
			t.Errorf("stored %+v, chosen %d", got, chosen(w, q))
		}
		if _, err := w.gateway.Press(t.Context(), nacre.Press{Author: tg("1002"), Chat: q.Chat, Private: true, Question: q.ID}); err != nil || chosen(w, q) != 0 {
			t.Errorf("a press chose %d, %v", chosen(w, q), err)
		}
	})
}

// A question goes with its chat when that goes on under another id.
func TestANumberChoosesWhereTheChatGoesOn(t *testing.T) {
	inWorld(t, listed, func(t *testing.T, w *world) {
		q, in := question(w)
		m := w.message("2", wa(annLID), wa("15550000001"))
		for range 2 {
			w.must(w.gateway.Move(t.Context(), in.Session.Chat, m.Chat))
		}
		if got := w.receive(m); len(got) != 1 || chosen(w, q) != 1 || got[0].Session.ID != in.Session.ID || got[0].Session.Chat != m.Chat {
			t.Errorf("stored %+v, chosen %d", got, chosen(w, q))
		}
	})
}

// What was sent is kept where the network may ask for it again, for as long.
func TestPartsAreKeptWhereTheyMayBeAskedFor(t *testing.T) {
	inWorld(t, listed, func(t *testing.T, w *world) {
		for _, c := range []struct {
			author nacre.Address
			on     *wire
			kept   bool
		}{{wa("15550000001"), &w.whatsapp.wire, true}, {tg("1002"), w.telegram, false}} {
			w.answer(w.receive(w.message("hello", c.author))[0], "hello yourself")
			if got := w.sent(c.on); len(got) != 1 {
				t.Fatalf("sent %q", got)
			}
			id := idOf(c.on.sent[0])
			part, err := w.ledger.SentPart(t.Context(), c.on.sent[0].Chat, id)
			if kept := err == nil && part.Text == "hello yourself"; kept != c.kept || !kept && nacre.KindOf(err) != nacre.NotFound {
				t.Errorf("%s keeps %+v, %v", c.author.Channel, part, err)
			}
			w.must(w.ledger.ClearSent(t.Context(), time.Now().Add(time.Hour-time.Millisecond)))
			if _, err := w.ledger.SentPart(t.Context(), c.on.sent[0].Chat, id); (err == nil) != c.kept {
				t.Errorf("within the hour %s keeps it no more: %v", c.author.Channel, err)
			}
			w.must(w.ledger.ClearSent(t.Context(), time.Now().Add(time.Hour)))
			if _, err := w.ledger.SentPart(t.Context(), c.on.sent[0].Chat, id); nacre.KindOf(err) != nacre.NotFound {
				t.Errorf("after the hour: %v", err)
			}
		}
	})
}

// An ordinary number that comes again answers nothing that was asked since.
func TestAnOrdinaryNumberComesAgain(t *testing.T) {
	inWorld(t, listed, func(t *testing.T, w *world) {
		m := w.message("1", wa("15550000001"))
		if got := w.receive(m); len(got) != 1 || got[0].Message.External != m.External {
			t.Fatalf("stored %+v, want an ordinary message", got)
		}
		q, _ := question(w)
		if got := w.receive(m); len(got) != 0 || chosen(w, q) != -1 {
			t.Errorf("when it comes again %+v is stored, chosen is %d", got, chosen(w, q))
		}
		if got := w.receive(w.message("1", wa("15550000001"))); len(got) != 1 || chosen(w, q) != 0 {
			t.Errorf("a new one gives %+v, chosen is %d", got, chosen(w, q))
		}
	})
}
