package gateway

import (
	"context"
	"time"

	"nacre"
)

// Codes of what is refused, as Gateway.Refused is called with them.
const (
	RefusedFast     = "fast"     // kept, but answered only with what comes later
	RefusedFull     = "full"     // not kept, the sender sends too much
	RefusedPress    = "press"    // a press of a button, for the same reason
	RefusedStranger = "stranger" // one who is not admitted and writes on and on, or with many others
)

// sender is somebody in a chat.
type sender struct {
	by nacre.Address
	in lane
}

// notice is what a sender is told.
type notice struct {
	sender
	code string
}

// limits is what senders have left. What one may ask of us in one chat is far above
// what anybody types; what comes near it is a program that loops, or two that answer
// each other. People who are not admitted cost a reading of the database each time, and
// perhaps a writing for a code.
type limits struct {
	asked        pacer[sender] // answers in private
	askedInGroup pacer[sender] // answers in a group
	kept         pacer[sender] // messages, edits and reactions
	told         pacer[notice]
	toldInGroup  pacer[notice]
	pressed      pacer[nacre.Address]     // presses of buttons, whoever's they are
	greeted      pacer[nacre.Address]     // messages of one who is not admitted
	greetedAll   pacer[nacre.ChannelName] // messages of all of them
}

func newLimits() limits {
	return limits{
		asked:        pacer[sender]{burst: 600, every: 2 * time.Second},
		askedInGroup: pacer[sender]{burst: 60, every: time.Minute},
		kept:         pacer[sender]{burst: 3000, every: 6 * time.Second},
		told:         pacer[notice]{burst: 1, every: time.Minute},
		toldInGroup:  pacer[notice]{burst: 1, every: time.Hour},
		pressed:      pacer[nacre.Address]{burst: 60, every: 2 * time.Second},
		greeted:      pacer[nacre.Address]{burst: 10, every: time.Minute},
		greetedAll:   pacer[nacre.ChannelName]{burst: 60, every: 10 * time.Second},
	}
}

func senderOf(m *nacre.Message) sender { return sender{m.Author, laneOf(m.Chat)} }

// answers are the answers that a message's sender may have in its chat.
func (l *limits) answers(m *nacre.Message) *pacer[sender] {
	if m.Private {
		return &l.asked
	}
	return &l.askedInGroup
}

// hold makes a message of an Owner who writes too fast Quiet, and tells them; keep is
// false for one that is not to be kept at all. Who can be asked to wait, at a page or a
// terminal, is: then it is a Transient error. Late messages are not held, since nobody
// chose when they arrive.
func (g *Gateway) hold(ctx context.Context, owner nacre.OwnerID, m *nacre.Message) (keep bool, err error) {
	if m.Late {
		return true, nil
	}
	now, who := time.Now(), senderOf(m)
	if waits(m.Chat.Channel) {
		if wait := g.limits.asked.take(who, now); wait > 0 {
			g.refused(m.Chat.Channel, RefusedFast)
			return false, &nacre.Error{Kind: nacre.Transient, Text: "You write faster than I can answer. Wait a little, then send it again.", After: wait}
		}
		return true, nil
	}
	if g.limits.kept.take(who, now) > 0 {
		g.refused(m.Chat.Channel, RefusedFull)
		return false, g.tellFast(ctx, owner, m, RefusedFull, "You write so much at once that I no longer keep it. What you send now is lost to me; write again in some minutes.")
	}
	if m.Quiet || g.limits.answers(m).take(who, now) == 0 {
		return true, nil
	}
	m.Quiet = true
	g.refused(m.Chat.Channel, RefusedFast)
	return true, g.tellFast(ctx, owner, m, RefusedFast, "You write faster than I can answer. I keep what you write; send me a message in a minute, and I answer it all together.")
}

// waits reports whether who writes on a channel can be asked to send it again.
func waits(c nacre.ChannelName) bool { return c == nacre.Web || c == nacre.Terminal }

// tellFast tells an Owner what comes of writing too fast, unless they were told that
// just now.
func (g *Gateway) tellFast(ctx context.Context, owner nacre.OwnerID, m *nacre.Message, code, words string) error {
	told := &g.limits.told
	if !m.Private {
		told = &g.limits.toldInGroup
	}
	if told.take(notice{senderOf(m), code}, time.Now()) > 0 {
		return nil
	}
	g.log.Warn("somebody writes faster than they are answered", "channel", m.Chat.Channel, "owner", owner, "code", code)
	return g.Say(ctx, owner, nacre.Reply{Chat: m.Chat, Text: words})
}

// release gives back what messages took that could not be stored, since they come
// again.
func (g *Gateway) release(in []nacre.Inbound) {
	for i := range in {
		m := &in[i].Message
		if m.Late {
			continue
		}
		if !waits(m.Chat.Channel) {
			g.limits.kept.give(senderOf(m))
		}
		if !m.Quiet {
			g.limits.answers(m).give(senderOf(m))
		}
	}
}

// hears reports whether somebody who is not admitted is to be heard at all.
func (g *Gateway) hears(stranger nacre.Address) bool {
	now := time.Now()
	if g.limits.greeted.take(stranger, now) == 0 && g.limits.greetedAll.take(stranger.Channel, now) == 0 {
		return true
	}
	g.refused(stranger.Channel, RefusedStranger)
	return false
}

// refused counts what was refused.
func (g *Gateway) refused(channel nacre.ChannelName, code string) {
	if g.Refused != nil {
		g.Refused(channel, code)
	}
}
