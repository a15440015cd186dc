package gateway_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
)

// counts makes a world count what is refused.
func (w *world) counts() map[string]int {
	n := map[string]int{}
	w.gateway.Refused = func(c nacre.ChannelName, code string) { n[string(c)+" "+code]++ }
	return n
}

// many are messages of one author, made by shape.
func (w *world) many(n int, author nacre.Address, shape func(*nacre.Message)) []nacre.Message {
	list := make([]nacre.Message, n)
	for i := range list {
		list[i] = w.message("on and on", author)
		if shape != nil {
			shape(&list[i])
		}
	}
	return list
}

// loud counts the messages that are to be answered.
func loud(in []nacre.Inbound) (n int) {
	for i := range in {
		if !in[i].Message.Quiet {
			n++
		}
	}
	return n
}

// begin counts the texts that begin so.
func begin(texts []string, with string) (n int) {
	for _, t := range texts {
		if strings.HasPrefix(t, with) {
			n++
		}
	}
	return n
}

const (
	fast = "You write faster"
	full = "You write so much"
)

func TestWhoWritesTooFastIsReadTogether(t *testing.T) {
	inWorld(t, listed, func(t *testing.T, w *world) {
		refused, ann, bob := w.counts(), wa("15550000001"), wa("15550000002")
		if n := loud(w.receive(w.many(600, ann, nil)...)); n != 600 || len(w.sent(&w.whatsapp.wire)) != 0 {
			t.Errorf("of 600 at once %d are answered, and they are told %q", n, w.sent(&w.whatsapp.wire))
		}
		over := w.receive(w.many(50, ann, nil)...)
		if len(over) != 50 || loud(over) != 0 || begin(w.sent(&w.whatsapp.wire), fast) != 1 || refused["whatsapp fast"] != 50 {
			t.Errorf("of 50 more %d are kept and %d answered, told: %q, refused: %v", len(over), loud(over), w.sent(&w.whatsapp.wire), refused)
		}
		if n := loud(w.receive(w.message("hello", bob))); n != 1 {
			t.Error("somebody else is not answered meanwhile")
		}
		time.Sleep(time.Minute)
		if n := loud(w.receive(w.many(40, ann, nil)...)); n != 30 || begin(w.sent(&w.whatsapp.wire), fast) != 2 {
			t.Errorf("a minute later %d are answered, told: %q", n, w.sent(&w.whatsapp.wire))
		}
		time.Sleep(7 * 24 * time.Hour)
		if n := loud(w.receive(w.many(650, ann, nil)...)); n != 600 {
			t.Errorf("after a week's rest %d are answered", n)
		}
	})
}

func TestFloodIsNotKeptForever(t *testing.T) {
	inWorld(t, listed, func(t *testing.T, w *world) {
		refused, ann := w.counts(), wa("15550000001")
		reaction := func(m *nacre.Message) { m.Quiet = true }
		if n := len(w.receive(w.many(3000, ann, reaction)...)); n != 3000 || len(refused) != 0 {
			t.Errorf("of 3000 reactions %d are kept, refused: %v", n, refused)
		}
		if n := len(w.receive(w.many(10, ann, reaction)...)); n != 0 || begin(w.sent(&w.whatsapp.wire), full) != 1 || refused["whatsapp full"] != 10 {
			t.Errorf("of 10 more %d are kept, told: %q, refused: %v", n, w.sent(&w.whatsapp.wire), refused)
		}
		late := func(m *nacre.Message) { m.Late = true }
		if n := len(w.receive(w.many(10, ann, late)...)); n != 10 {
			t.Errorf("of 10 that were written while nobody was here %d are kept", n)
		}
		time.Sleep(time.Minute)
		if n := len(w.receive(w.many(20, ann, nil)...)); n != 10 {
			t.Errorf("a minute later %d are kept, want 10", n)
		}
	})
}

func TestGroupIsAnsweredOnlySoOften(t *testing.T) {
	inWorld(t, listed, func(t *testing.T, w *world) {
		bob := tg("1002")
		mention := func(m *nacre.Message) { m.Chat.ID, m.Private, m.ToUs = "-7", false, true }
		if n := loud(w.receive(w.many(100, bob, mention)...)); n != 60 || begin(w.sent(w.telegram), fast) != 1 {
			t.Errorf("of 100 mentions %d are answered, told: %q", n, w.sent(w.telegram))
		}
		if n := loud(w.receive(w.message("hello", bob))); n != 1 {
			t.Error("the same person is not answered in private")
		}
		time.Sleep(30 * time.Minute)
		if n := loud(w.receive(w.many(100, bob, mention)...)); n != 30 || begin(w.sent(w.telegram), fast) != 1 {
			t.Errorf("half an hour later %d are answered, told: %q", n, w.sent(w.telegram))
		}
	})
}

// Many strangers and one who writes on cost a bounded number of looks into the
// database, and no more codes than without them.
func TestStrangersAreHeardOnlySoOften(t *testing.T) {
	inWorld(t, listed, func(t *testing.T, w *world) {
		refused := w.counts()
		w.receive(w.many(25, tg("2001"), nil)...)
		if refused["telegram stranger"] != 15 || len(w.sent(w.telegram)) != 1 {
			t.Errorf("refused of one stranger's 25: %v, shown: %q", refused, w.sent(w.telegram))
		}
		for i := range 100 {
			w.receive(w.message("hello", tg(fmt.Sprint(3000+i))))
		}
		if refused["telegram stranger"] != 15+50 || len(w.sent(w.telegram)) != nacre.PairingPending {
			t.Errorf("refused after a hundred strangers: %v, shown: %q", refused, w.sent(w.telegram))
		}
		if n := strings.Count(w.log.String(), "level=WARN"); n > 60 {
			t.Errorf("%d warnings", n)
		}
		if n := loud(w.receive(w.message("hello", tg("1002")))); n != 1 {
			t.Error("an owner is not answered meanwhile")
		}
		time.Sleep(2 * time.Hour)
		w.receive(w.message("hello", tg("3099")))
		if shown := w.sent(w.telegram); len(shown) != nacre.PairingPending+1 {
			t.Errorf("two hours later a stranger is shown no code: %q", shown)
		}
	})
}

func TestButtonsArePressedOnlySoOften(t *testing.T) {
	inWorld(t, listed, func(t *testing.T, w *world) {
		refused, bob := w.counts(), tg("1002")
		q := w.answer(w.receive(w.message("hello", bob))[0], "Which?", "this", "that")
		press := func(by string) (string, error) {
			return w.gateway.Press(t.Context(), nacre.Press{Question: q.ID, Author: tg(by), Chat: nacre.Chat{Channel: nacre.Telegram, ID: "1002"}, Private: true})
		}
		for range 70 {
			if _, err := press("9"); nacre.KindOf(err) != nacre.Denied {
				t.Fatalf("a stranger's press: %v", err)
			}
		}
		if refused["telegram press"] != 10 {
			t.Errorf("refused: %v", refused)
		}
		if chosen, err := press("1002"); chosen != "this" || err != nil {
			t.Errorf("the one who was asked chooses %q, %v", chosen, err)
		}
	})
}

// Who can be asked to wait is, and loses nothing by it.
func TestPageAndTerminalWait(t *testing.T) {
	for _, c := range []nacre.ChannelName{nacre.Web, nacre.Terminal} {
		inWorld(t, listed, func(t *testing.T, w *world) {
			by := nacre.LocalAddress(c)
			if c == nacre.Web {
				owners, err := w.ledger.Owners(t.Context())
				w.must(err)
				by.ID = string(owners[0].ID)
			}
			if n := loud(w.receive(w.many(600, by, nil)...)); n != 600 {
				t.Fatalf("of 600 at once %d are answered", n)
			}
			m := w.message("one more", by)
			err := w.gateway.Receive(t.Context(), []nacre.Message{m})
			if nacre.KindOf(err) != nacre.Transient || nacre.RetryAfter(err) != 2*time.Second {
				t.Fatalf("one more: %v, to be tried again after %v", err, nacre.RetryAfter(err))
			}
			time.Sleep(nacre.RetryAfter(err))
			if n := loud(w.receive(m)); n != 1 {
				t.Error("it is not taken then")
			}
		})
	}
}

// What cannot be stored comes again, and counts once.
func TestTryingAgainIsNotWritingFast(t *testing.T) {
	inWorld(t, listed, func(t *testing.T, w *world) {
		list := w.many(600, wa("15550000001"), nil)
		mention := w.many(1, wa("15550000002"), func(m *nacre.Message) { m.Chat.ID, m.Private, m.ToUs = "7@g.us", false, true })
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		for range 3 {
			if w.gateway.Receive(gone, slices.Concat(list, mention)) == nil {
				t.Fatal("whose group it is was read by a call that had ended")
			}
		}
		if n := loud(w.receive(list...)); n != 600 {
			t.Errorf("of 600 that could not be stored three times %d are answered", n)
		}
	})
}
