package gateway

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"nacre"
)

// lateEnds is how long no further late message comes before those that came are
// spoken of: a network hands over what waited in one go.
const lateEnds = 5 * time.Second

// absence is what people wrote in private while nobody was here to answer, until
// they are told that it is not answered.
type absence struct {
	mu    sync.Mutex
	chats map[absent]*backlog // guarded by mu
	ended bool                // guarded by mu
}

// absent is who wrote where.
type absent struct {
	owner nacre.OwnerID
	chat  nacre.Chat
}

// backlog is the late messages of one chat. Its fields are guarded by absence.mu.
type backlog struct {
	count       int
	first, last time.Time // when they were sent
	newest      time.Time // when the newest came, by our clock
	timer       *time.Timer
}

// noteLate counts a late message that is new. Edits and reactions count for
// nothing, and in groups nothing is said.
func (g *Gateway) noteLate(in *nacre.Inbound) {
	m := &in.Message
	if !m.Late || !m.Private || m.Revision > 0 || !written(m) {
		return
	}
	a := &g.absence
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended {
		return
	}
	key := absent{in.Owner, m.Chat}
	b := a.chats[key]
	if b == nil {
		b = &backlog{first: m.Sent, last: m.Sent}
		b.timer = time.AfterFunc(lateEnds, func() { g.endOfLate(key, b) })
		if a.chats == nil {
			a.chats = map[absent]*backlog{}
		}
		a.chats[key] = b
	}
	b.count++
	b.newest = time.Now()
	if m.Sent.Before(b.first) {
		b.first = m.Sent
	}
	if m.Sent.After(b.last) {
		b.last = m.Sent
	}
}

// written reports whether a message holds more than labels, as of a reaction.
func written(m *nacre.Message) bool {
	return len(m.Attachments) > 0 || slices.ContainsFunc(m.Segments, func(s nacre.Segment) bool { return s.Provenance != nacre.Label && s.Text != "" })
}

// endOfLate speaks of a backlog, unless more came meanwhile: then later.
func (g *Gateway) endOfLate(key absent, b *backlog) {
	a := &g.absence
	a.mu.Lock()
	wait := time.Until(b.newest.Add(lateEnds))
	mine := a.chats[key] == b
	switch {
	case mine && wait > 0:
		b.timer.Reset(wait)
		mine = false
	case mine:
		delete(a.chats, key)
	}
	a.mu.Unlock()
	if mine {
		g.sayLate(key, b)
	}
}

// admitLate speaks of all backlogs at once, and takes no more.
func (g *Gateway) admitLate() {
	a := &g.absence
	a.mu.Lock()
	left := maps.Clone(a.chats)
	clear(a.chats)
	a.ended = true
	a.mu.Unlock()
	for key, b := range left {
		b.timer.Stop()
		g.sayLate(key, b)
	}
}

func (g *Gateway) sayLate(key absent, b *backlog) {
	text := b.words(cmp.Or(g.Zone, time.UTC))
	if err := g.Say(context.Background(), key.owner, nacre.Reply{Chat: key.chat, Text: text}); err != nil {
		g.log.Error("late messages were not spoken of", "owner", key.owner, "messages", b.count, "err", err)
	}
}

// words say that a backlog is not answered.
func (b *backlog) words(zone *time.Location) string {
	const stamp = "Mon 2 Jan 15:04"
	first, last := b.first.In(zone).Format(stamp), b.last.In(zone).Format(stamp)
	if b.count == 1 {
		return "While I was away you wrote a message, on " + first + ". I have read it and did not answer, because that was long ago; say so if it still matters."
	}
	when := "between " + first + " and " + last
	if first == last {
		when = "on " + first
	}
	return fmt.Sprintf("While I was away you wrote %d messages %s. I have read them and did not answer, because that was long ago; say so if one still matters.", b.count, when)
}
