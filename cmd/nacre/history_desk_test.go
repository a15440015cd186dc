package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/web"
)

// speaks stores a message of an owner in a chat, from their own words.
func (w *world) speaks(a *app, owner nacre.OwnerID, at nacre.Chat, private bool, external, text string) nacre.Inbound {
	w.t.Helper()
	by := nacre.ByOwner
	if !private {
		by = nacre.InGroup
	}
	author := nacre.Address{Channel: at.Channel, ID: string(at.ID)}
	in := []nacre.Inbound{{Owner: owner, Message: nacre.Message{ID: nacre.MessageID(nacre.NewID(time.Now())), Chat: at, External: nacre.ExternalID(external),
		Author: author, Private: private, Sent: sentIn(at.Channel), Received: time.Now(), Segments: []nacre.Segment{{Provenance: by, Text: text}}}}}
	if err := a.ledger.Put(w.t.Context(), in); err != nil {
		w.t.Fatal(err)
	}
	return in[0]
}

// sentIn is when messages were sent: those on Telegram in July.
func sentIn(channel nacre.ChannelName) time.Time {
	if channel == nacre.Telegram {
		return time.Date(2026, 7, 28, 14, 3, 0, 0, time.UTC)
	}
	return time.Now()
}

// replies commits what a message was answered.
func (w *world) replies(a *app, in nacre.Inbound, text string) {
	w.t.Helper()
	history := fmt.Sprintf(`[{"role":"user","text":"asked"},{"role":"assistant","text":%q}]`, text)
	turn := nacre.Turn{ID: nacre.TurnID(in.Message.ID), Session: in.Session.ID, Owner: in.Owner, Messages: []nacre.MessageID{in.Message.ID},
		Outcome: nacre.Answered, Started: time.Now(), History: []byte(history)}
	if _, err := a.ledger.Commit(w.t.Context(), turn); err != nil {
		w.t.Fatal(err)
	}
	for over := time.Now().UnixMilli(); over == time.Now().UnixMilli(); {
		// what comes next comes later, as the clock of chats has it
	}
}

// chatted gives an owner a chat on the page, one on Telegram and a group.
func chatted(w *world, a *app, user string) {
	owner := w.owner(a, user)
	page := nacre.Chat{Channel: nacre.Web, ID: nacre.ChatID(owner)}
	for i := range 3 {
		in := w.speaks(a, owner, page, true, fmt.Sprint("page-", i), fmt.Sprintf("question %d of %s", i, user))
		w.replies(a, in, fmt.Sprintf("answer %d to %s", i, user))
	}
	own := nacre.Chat{Channel: nacre.Telegram, ID: nacre.ChatID(user)}
	group := nacre.Chat{Channel: nacre.Telegram, ID: nacre.ChatID("-100" + user)}
	for _, in := range []nacre.Inbound{ // no answer is owed, so that a program that starts has nothing to do
		w.speaks(a, owner, own, true, "1", "My bike of "+user+" is green"),
		w.speaks(a, owner, own, true, "2", "My bikes stand behind the house of "+user),
		w.speaks(a, owner, group, false, "g", "The group's bike of "+user),
	} {
		turn := nacre.Turn{ID: nacre.TurnID(in.Message.ID), Session: in.Session.ID, Owner: in.Owner, Messages: []nacre.MessageID{in.Message.ID}, Outcome: nacre.Noted, Started: time.Now()}
		if _, err := a.ledger.Commit(w.t.Context(), turn); err != nil {
			w.t.Fatal(err)
		}
	}
}

// spoken are sayings, "who: text".
func spoken(list []web.Saying) (lines []string) {
	for _, s := range list {
		lines = append(lines, string(s.Who)+": "+s.Text)
	}
	return lines
}

func TestRecentIsReadBackwards(t *testing.T) {
	inEveryHand(t, chatted, func(t *testing.T, h handed) {
		history := h.History(h.hand)
		var want, got []string
		for i := range 3 {
			want = append(want, fmt.Sprintf("you: question %d of %s", i, h.user), fmt.Sprintf("nacre: answer %d to %s", i, h.user))
		}
		q := web.RecentQuery{Most: 4}
		for first := true; first || q.Before != ""; first = false {
			c, err := history.Recent(t.Context(), q)
			if err != nil || c.Place != (web.Place{Channel: nacre.Web, Private: true}) || len(c.Sayings) == 0 {
				t.Fatalf("%+v, %v", c, err)
			}
			got, q.Before = append(spoken(c.Sayings), got...), c.Earlier
		}
		if !slices.Equal(got, want) {
			t.Errorf("the chat is %q, want %q", got, want)
		}
		c, err := history.Recent(t.Context(), web.RecentQuery{})
		if err != nil || len(c.Sayings) != 6 || c.Earlier != "" || c.Sayings[0].ID != "page-0" || c.Sayings[0].Message == "" || c.Sayings[0].Turn == "" ||
			c.Sayings[1].Turn != c.Sayings[0].Turn || c.Sayings[1].ID != "" || c.Sayings[1].Sent.IsZero() {
			t.Errorf("at once: %+v, %v", c, err)
		}
		for _, before := range []string{"x", "%", "AA"} {
			if _, err := history.Recent(t.Context(), web.RecentQuery{Before: before}); kindOf(t, err) != nacre.Invalid {
				t.Errorf("before %q: %v", before, err)
			}
		}
	})
}

func TestHistoryIsSearched(t *testing.T) {
	inEveryHand(t, chatted, func(t *testing.T, h handed) {
		history := h.History(h.hand)
		green, house := "you: My bike of "+h.user+" is green", "you: My bikes stand behind the house of "+h.user
		for _, c := range []struct {
			name string
			q    web.SearchQuery
			want []string
		}{
			{"the best first", web.SearchQuery{Words: "bikes behind"}, []string{house, green}},
			{"the newest first", web.SearchQuery{Words: "bike", Newest: true}, []string{house, green}},
			{"an answer", web.SearchQuery{Words: "answer", Most: 1, Newest: true}, []string{"nacre: answer 2 to " + h.user}},
			{"of a day", web.SearchQuery{Words: "bike", From: "2026-07-28", To: "2026-07-28"}, []string{green, house}},
			{"of another day", web.SearchQuery{Words: "bike", From: "2026-07-29"}, nil},
			{"without words, of a month", web.SearchQuery{From: "2026-07", To: "2026-07"}, []string{house, green}},
			{"nothing", web.SearchQuery{Words: "submarine"}, nil},
		} {
			found, err := history.Search(t.Context(), c.q)
			var got []string
			for _, hit := range found.Hits {
				got = append(got, spoken([]web.Saying{hit.Saying})...)
			}
			if c.q.Newest || c.q.Words == "" || c.name == "the best first" {
				c.want = slices.Clone(c.want)
			} else {
				slices.Sort(got)
			}
			if err != nil || !slices.Equal(got, c.want) || !found.Complete || found.Hits == nil {
				t.Errorf("%s: %q, complete %v, %v; want %q", c.name, got, found.Complete, err, c.want)
			}
		}
		var all []string
		q := web.SearchQuery{Words: "answer question", Most: 4, Newest: true}
		for first := true; first || q.Cursor != ""; first = false {
			found, err := history.Search(t.Context(), q)
			if err != nil || found.Total != 6 || len(found.Hits) > 4 {
				t.Fatalf("%+v, %v", found, err)
			}
			for _, hit := range found.Hits {
				all = append(all, hit.Text)
				if hit.Place != (web.Place{Channel: nacre.Web, Private: true}) {
					t.Errorf("%q was said in %+v", hit.Text, hit.Place)
				}
			}
			q.Cursor = found.Next
		}
		if len(all) != 6 {
			t.Errorf("in pages come %q", all)
		}
		for _, q := range []web.SearchQuery{{Words: "bike", From: "yesterday"}, {Words: "bike", To: "x"}, {Words: "bike", Cursor: "x"}} {
			if _, err := history.Search(t.Context(), q); kindOf(t, err) != nacre.Invalid {
				t.Errorf("%+v: %v", q, err)
			}
		}
	})
}

// What was said around a message is its chat alone, and its owner's alone.
func TestAroundIsOfItsChat(t *testing.T) {
	inEveryHand(t, chatted, func(t *testing.T, h handed) {
		history := h.History(h.hand)
		found, err := history.Search(t.Context(), web.SearchQuery{Words: "green"})
		if err != nil || len(found.Hits) != 1 {
			t.Fatalf("%+v, %v", found, err)
		}
		c, err := history.Around(t.Context(), web.AroundQuery{Message: found.Hits[0].Message})
		want := []string{"you: My bike of " + h.user + " is green", "you: My bikes stand behind the house of " + h.user}
		if err != nil || !slices.Equal(spoken(c.Sayings), want) || c.Place != (web.Place{Channel: nacre.Telegram, Private: true}) {
			t.Errorf("%+v, %v", c, err)
		}
		if c, err := history.Around(t.Context(), web.AroundQuery{Message: "none"}); kindOf(t, err) != nacre.NotFound {
			t.Errorf("a message that there is not: %+v, %v", c, err)
		}
	})
}

func TestHistoryIsItsOwners(t *testing.T) {
	w := newWorld(t)
	w.alone(func(a *app) {
		chatted(w, a, "1002")
		owner := w.owner(a, "1002")
		theirs, mine := a.History(web.Hand{Owner: owner}), a.History(web.Hand{})
		group := w.speaks(a, owner, nacre.Chat{Channel: nacre.Telegram, ID: "-1001002"}, false, "g2", "Again of the group")
		c, err := theirs.Around(t.Context(), web.AroundQuery{Message: group.Message.ID, Each: 5})
		if err != nil || len(c.Sayings) != 2 || c.Place.Private {
			t.Errorf("in the group: %+v, %v", c, err)
		}
		if c, err := mine.Around(t.Context(), web.AroundQuery{Message: group.Message.ID}); kindOf(t, err) != nacre.NotFound {
			t.Errorf("another owner reads %+v, %v", c, err)
		}
		if c, err := mine.Recent(t.Context(), web.RecentQuery{}); err != nil || c.Sayings == nil || len(c.Sayings) != 0 {
			t.Errorf("another owner's chat is %+v, %v", c, err)
		}
		if found, err := mine.Search(t.Context(), web.SearchQuery{Words: "bike"}); err != nil || found.Total != 0 {
			t.Errorf("another owner finds %+v, %v", found, err)
		}
		if a, err := theirs.Answer(t.Context(), "page-1"); err != nil || a != (web.Answer{Done: true, Text: "answer 1 to 1002"}) {
			t.Errorf("the answer is %+v, %v", a, err)
		}
		if a, err := mine.Answer(t.Context(), "page-1"); kindOf(t, err) != nacre.NotFound {
			t.Errorf("another owner hears %+v, %v", a, err)
		}
		for _, h := range []web.History{mine, theirs} {
			if why, err := h.Why(t.Context()); kindOf(t, err) != nacre.NotFound {
				t.Errorf("why, before anything was answered: %+v, %v", why, err)
			}
		}
	})
}

// What was forgotten is nowhere in the history.
func TestHistoryWithoutTheForgotten(t *testing.T) {
	inEveryHand(t, chatted, func(t *testing.T, h handed) {
		history := h.History(h.hand)
		found, err := history.Search(t.Context(), web.SearchQuery{Words: "green"})
		if err != nil || len(found.Hits) != 1 {
			t.Fatalf("%+v, %v", found, err)
		}
		f := web.Forgetting{Size: memory.SizeAbout}
		for _, f.Words = range []string{"green", "question 1"} {
			plan, err := h.memory().Plan(t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			f.Base = plan.Base
			if _, err := h.memory().Forget(t.Context(), f); err != nil {
				t.Fatal(err)
			}
		}
		if found, err := history.Search(t.Context(), web.SearchQuery{Words: "green"}); err != nil || len(found.Hits) != 0 {
			t.Errorf("found is %+v, %v", found, err)
		}
		c, err := history.Recent(t.Context(), web.RecentQuery{})
		if said := strings.Join(spoken(c.Sayings), "\n"); err != nil || strings.Contains(said, "question 1") || !strings.Contains(said, "question 2") {
			t.Errorf("the chat is %q, %v", said, err)
		}
		if c, err := history.Around(t.Context(), web.AroundQuery{Message: found.Hits[0].Message}); err == nil && strings.Contains(strings.Join(spoken(c.Sayings), "\n"), "green") {
			t.Errorf("around it: %+v", c)
		}
	})
}
