package gateway

import (
	"context"
	"fmt"
	"time"

	"nacre"
)

// lateEnds is how long no further late message comes before those that came are
// spoken of: a network hands over what waited in one go.
const lateEnds = 5 * time.Second

// lateAgain is when it is tried again to speak of them where it failed.
const lateAgain = time.Minute

// Absence keeps what people wrote in private while nobody was here to answer, until
// they are told that it is not answered.
type Absence interface {
	// SpeakOfLate posts what say makes of the late messages of each session that
	// were not spoken of yet (how many, and when the first and the last was sent),
	// and marks them as spoken of in the same step. What say gives no parts for is
	// left.
	SpeakOfLate(ctx context.Context, say func(s nacre.SessionInfo, count int, first, last time.Time) nacre.RenderedReply) ([]nacre.Delivery, error)
}

// speakOfLate tells everybody whose late messages were not spoken of yet, and where
// that fails tries it again for as long as the gateway works.
func (g *Gateway) speakOfLate() {
	ds, err := g.absence.SpeakOfLate(context.Background(), func(s nacre.SessionInfo, count int, first, last time.Time) nacre.RenderedReply {
		zone := g.zone(s.Owner)
		return g.rendered(nacre.Reply{Chat: s.Chat, Text: lateWords(count, first.In(zone), last.In(zone))})
	})
	g.Post(ds)
	if err != nil {
		g.log.Error("late messages were not spoken of", "err", err)
		if !g.courier.isStopped() {
			time.AfterFunc(lateAgain, g.speakOfLate)
		}
	}
}

func (g *Gateway) zone(owner nacre.OwnerID) *time.Location {
	if g.Zone == nil {
		return time.UTC
	}
	return g.Zone(owner)
}

// lateWords say that so many messages are not answered, of which the first and the
// last were sent then.
func lateWords(count int, first, last time.Time) string {
	const stamp = "Mon 2 Jan 15:04"
	from, to := first.Format(stamp), last.Format(stamp)
	if count == 1 {
		return "While I was away you wrote a message, on " + from + ". I have read it and did not answer, because that was long ago; say so if it still matters."
	}
	when := "between " + from + " and " + to
	if from == to {
		when = "on " + from
	}
	return fmt.Sprintf("While I was away you wrote %d messages %s. I have read them and did not answer, because that was long ago; say so if one still matters.", count, when)
}
