package gateway

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
)

// screen is a channel that shows answers while they are made, at a pace of
// its own.
type screen struct {
	Channel // nil: showing uses no more of it

	mu     sync.Mutex
	pace   time.Duration // least time between two showings
	last   time.Time
	broken bool
	unsure bool
	shown  []string // what Stream showed, with the time since the beginning
	typed  int
	ids    []nacre.ExternalID // that Stream was called with
	chats  []nacre.ChatID     // where it was typed or shown, without repeats
	began  time.Time
}

func (s *screen) Name() nacre.ChannelName { return nacre.Web }

func (s *screen) Typing(_ context.Context, chat nacre.Chat) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.typed++
	s.chats = slices.Compact(append(s.chats, chat.ID))
	return nil
}

func (s *screen) Stream(_ context.Context, b Bubble, text string) (nacre.ExternalID, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken {
		return "", nacre.Errorf(nacre.Invalid, "no")
	}
	if wait := s.pace - time.Since(s.last); wait > 0 {
		return "", &nacre.Error{Kind: nacre.Transient, Text: "later", After: wait}
	}
	s.last = time.Now()
	s.ids = append(s.ids, b.ID)
	s.chats = slices.Compact(append(s.chats, b.Chat.ID))
	if s.unsure {
		return "", ErrUnsure
	}
	s.shown = append(s.shown, fmt.Sprintf("%s %s", time.Since(s.began), text))
	return "bubble", nil
}

// kept is an outbox that remembers bubbles.
type kept struct {
	Outbox
	mu   sync.Mutex
	id   nacre.ExternalID
	kept bool
}

func (k *kept) KeepBubble(_ context.Context, _ nacre.TurnID, id nacre.ExternalID) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.id, k.kept = id, true
	return nil
}

func (k *kept) DropBubble(context.Context, nacre.TurnID) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.id, k.kept = "", false
	return nil
}

func (k *kept) Bubble(context.Context, nacre.TurnID) (nacre.ExternalID, bool, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.id, k.kept, nil
}

// watch makes a gateway with one screen.
func watch(s *screen) (*Gateway, *kept) {
	k := &kept{}
	g := &Gateway{outbox: k, log: slog.New(slog.DiscardHandler), channels: map[nacre.ChannelName]Channel{nacre.Web: s}}
	g.courier.init(g)
	s.began = time.Now()
	return g, k
}

var place = nacre.Chat{Channel: nacre.Web, ID: "1"}

// A turn that is being made shows itself where its chat went on, however often that
// moved.
func TestProgressFollowsItsChat(t *testing.T) {
	for name, words := range map[string]string{"typing": "", "showing words": "hello"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &screen{}
				g, _ := watch(s)
				show, stop := g.Progress(place, "turn")
				time.Sleep(time.Second)
				from := place
				for _, id := range []nacre.ChatID{"2", "3"} {
					to := nacre.Chat{Channel: nacre.Web, ID: id}
					g.courier.move(laneOf(from), laneOf(to))
					from = to
				}
				if words != "" {
					show(words)
				}
				time.Sleep(10 * time.Second)
				stop()
				if want := []nacre.ChatID{"1", "3"}; !slices.Equal(s.chats, want) || len(s.shown) > 0 != (words != "") {
					t.Errorf("in %q, %q is shown", s.chats, s.shown)
				}
			})
		})
	}
}

func TestProgressShowsWordsAsTheyGrow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{pace: 2 * time.Second}
		g, k := watch(s)
		show, stop := g.Progress(place, "turn")
		text := ""
		for i := range 60 { // a word each tenth of a second
			text = strings.TrimSpace(fmt.Sprint(text, " ", i))
			show(text)
			time.Sleep(100 * time.Millisecond)
		}
		stop()
		synctest.Wait()
		want := []string{"1.5s ", "3.5s ", "5.5s "}
		if !slices.EqualFunc(s.shown, want, strings.HasPrefix) {
			t.Errorf("shown %q, want at %q", s.shown, want)
		}
		if last := s.shown[len(s.shown)-1]; !strings.Contains(last, " 54") {
			t.Errorf("the last showing is %q, not the newest words", last)
		}
		if want := []nacre.ExternalID{"", "bubble", "bubble"}; !slices.Equal(s.ids, want) || k.id != "bubble" {
			t.Errorf("shown in %q, kept %q", s.ids, k.id)
		}
		if s.typed != 1 {
			t.Errorf("typing was shown %d times before the words", s.typed)
		}
		g.courier.cancel()
	})
}

func TestProgressOfQuickAnswersShowsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{}
		g, _ := watch(s)
		for _, c := range []struct {
			after        time.Duration
			typed, shown int
		}{{200 * time.Millisecond, 0, 0}, {time.Second, 1, 0}, {1600 * time.Millisecond, 2, 1}} {
			show, stop := g.Progress(place, "turn")
			show("words")
			time.Sleep(c.after)
			stop()
			time.Sleep(time.Minute)
			if s.typed != c.typed || len(s.shown) != c.shown {
				t.Errorf("after %s typing was shown %d times and words %d times", c.after, s.typed, len(s.shown))
			}
		}
		g.courier.cancel()
	})
}

func TestProgressGoesOnInTheBubbleOfAnEarlierProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{}
		g, k := watch(s)
		k.id, k.kept = "left over", true
		show, stop := g.Progress(place, "turn")
		show("words")
		time.Sleep(2 * time.Second)
		stop()
		if len(s.ids) != 1 || s.ids[0] != "left over" {
			t.Errorf("shown in %q", s.ids)
		}
		g.courier.cancel()
	})
}

// A message whose sending nobody saw the end of is the only one.
func TestProgressOpensNoSecondBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{}
		g, k := watch(s)
		k.kept = true // an earlier process died while it sent one
		show, stop := g.Progress(place, "turn")
		show("words")
		time.Sleep(10 * time.Second)
		stop()
		if len(s.shown) != 0 || !k.kept {
			t.Errorf("shown %q, still noted %v", s.shown, k.kept)
		}

		s.unsure = true // this one is the first, and its answer is lost
		k.kept = false
		show, stop = g.Progress(place, "next")
		for range 100 {
			show("words")
			time.Sleep(100 * time.Millisecond)
		}
		stop()
		if len(s.ids) != 1 || !k.kept || k.id != "" {
			t.Errorf("%d showings, noted %v %q; want one that stays noted without an id", len(s.ids), k.kept, k.id)
		}
		g.courier.cancel()
	})
}

func TestProgressTypesWhereWordsCannotBeShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &screen{broken: true}
		g, k := watch(s)
		show, stop := g.Progress(place, "turn")
		for range 100 {
			show("words")
			time.Sleep(100 * time.Millisecond)
		}
		stop()
		stop() // once more costs nothing
		if s.typed != 3 || len(s.shown) != 0 || k.kept {
			t.Errorf("in 10 s typing was shown %d times, words %d times; a bubble is noted: %v", s.typed, len(s.shown), k.kept)
		}
		g.courier.cancel()
	})
}
