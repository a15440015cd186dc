package memory

import (
	"time"

	"nacre"
)

// Source is a stored Message as evidence sees it: who said what, when and how.
type Source struct {
	ID       nacre.MessageID
	Chat     nacre.Chat
	Private  bool
	Sent     time.Time       // by the network's clock
	Received time.Time       // by ours
	Segments []nacre.Segment // empty once it is erased
	Seq      int64           // inbox order
}

// Evidence is a place in a Message. The quote is read from there, never copied.
type Evidence struct {
	Message nacre.MessageID `json:"message"` // one revision of a message has one id
	Segment int             `json:"segment"` // its place in the message
	From    int             `json:"from"`    // bytes of the segment's text
	To      int             `json:"to"`
	Sent    time.Time       `json:"sent"`             // of the message
	Spoken  bool            `json:"spoken,omitempty"` // transcribed from the owner's voice
}

// Quote is what the evidence points at, empty if that is not there any more.
func (e Evidence) Quote(s Source) string {
	if e.Segment >= len(s.Segments) {
		return ""
	}
	text := s.Segments[e.Segment].Text
	if e.From < 0 || e.From >= e.To || e.To > len(text) {
		return ""
	}
	return text[e.From:e.To]
}

// apart is how far apart two messages of one day are that count as two.
const apart = 6 * time.Hour

// Independent reports whether two messages say something twice and not once:
// they were sent on different days of the owner's zone, or more than six hours
// apart.
func Independent(a, b time.Time, zone *time.Location) bool {
	if a.In(zone).Format(time.DateOnly) != b.In(zone).Format(time.DateOnly) {
		return true
	}
	return a.Sub(b).Abs() > apart
}
