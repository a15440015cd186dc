package web

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"nacre"
)

// past is a History in memory, with one chat on the page.
type past struct {
	History
	mu      sync.Mutex
	sayings []Saying // guarded by mu
}

// add adds what was said, a minute after another.
func (p *past) add(sayings ...Saying) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range sayings {
		s.Sent = time.Date(2026, 5, 1, 9, len(p.sayings), 0, 0, time.UTC)
		p.sayings = append(p.sayings, s)
	}
}

// spoken is a message of the owner's and what it was answered with.
func spoken(n int, question, answer string) []Saying {
	turn := fmt.Sprintf("turn-%d", n)
	return []Saying{
		{Message: nacre.MessageID(turn), Turn: nacre.TurnID(turn), ID: fmt.Sprintf("id-%d", n), Who: You, Text: question},
		{Turn: nacre.TurnID(turn), Who: Nacre, Text: answer},
	}
}

// talks are n questions with their answers.
func talks(n int) (list []Saying) {
	for i := range n {
		list = append(list, spoken(i, fmt.Sprintf("Question %d.", i), fmt.Sprintf("Answer %d.", i))...)
	}
	return list
}

// offer has an answer ask something, with options.
func (p *past) offer(turn nacre.TurnID, options ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.sayings {
		if s := &p.sayings[i]; s.Turn == turn && s.Who == Nacre {
			s.Question, s.Options = nacre.ReplyID(turn), options
		}
	}
}

// forget drops the n oldest.
func (p *past) forget(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sayings = slices.Delete(p.sayings, 0, n)
}

func (p *past) Recent(_ context.Context, q RecentQuery) (Conversation, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	end := len(p.sayings)
	if q.Before != "" {
		end, _ = strconv.Atoi(q.Before)
	}
	from := max(0, end-cmp.Or(q.Most, 50))
	c := Conversation{Place: Place{nacre.Web, true}, Sayings: slices.Clone(p.sayings[from:end])}
	if from > 0 {
		c.Earlier = strconv.Itoa(from)
	}
	return c, nil
}

func (p *past) Around(_ context.Context, q AroundQuery) (Conversation, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := slices.IndexFunc(p.sayings, func(s Saying) bool { return s.Message == q.Message })
	if at < 0 {
		return Conversation{}, nacre.Errorf(nacre.NotFound, "there is no such message any more")
	}
	if q.Each == 0 {
		q.Each = 10
	}
	return Conversation{Place: Place{nacre.Telegram, true}, Sayings: p.sayings[max(0, at-q.Each):min(len(p.sayings), at+q.Each+1)]}, nil
}

func (p *past) Search(_ context.Context, q SearchQuery) (Found, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	found := Found{Complete: true}
	for _, s := range p.sayings {
		day := s.Sent.Format(time.DateOnly)
		if strings.Contains(s.Text, q.Words) && (q.From == "" || day >= q.From) && (q.To == "" || day <= q.To) {
			found.Hits = append(found.Hits, FoundSaying{s, Place{nacre.Telegram, true}})
		}
	}
	if q.Newest {
		slices.Reverse(found.Hits)
	}
	found.Total = len(found.Hits)
	from, _ := strconv.Atoi(q.Cursor)
	end := min(from+20, found.Total)
	if end < found.Total {
		found.Next = strconv.Itoa(end)
	}
	found.Hits = found.Hits[from:end]
	return found, nil
}

// pastDesk is a plainDesk on which a past lies, and where an owner may say who they
// are.
type pastDesk struct {
	plainDesk
	past *past
	mu   *sync.Mutex
	me   *Me // guarded by mu
}

func newPastDesk() pastDesk {
	return pastDesk{past: &past{}, mu: new(sync.Mutex), me: &Me{Owner: ann, Zone: "UTC", Commands: Commands()}}
}

func (d pastDesk) History(Hand) History { return d.past }

func (d pastDesk) Me(_ context.Context, h Hand) (Me, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	me := *d.me
	me.Owner = h.Owner
	return me, nil
}

// speaks sets the owner's language and zone.
func (d pastDesk) speaks(language, zone string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.me.Language, d.me.Zone = language, zone
}

func (plainDesk) Me(context.Context, Hand) (Me, error) { return Me{Owner: ann, Operator: true}, nil }

func (plainDesk) History(Hand) History { return &past{} }
