package heartbeat

import "time"

// Hours are when an owner may be told something unasked, in minutes since midnight
// by the clock where they live. From counts, To does not. Where To is before From
// they last through midnight. Where both are the same they are the whole day: so
// the zero Hours are, too.
type Hours struct{ From, To int }

// Hold reports whether a time lies in the hours.
func (h Hours) Hold(t time.Time) bool {
	hour, minute, _ := t.Clock()
	at := 60*hour + minute
	switch {
	case h.From == h.To:
		return true
	case h.From < h.To:
		return h.From <= at && at < h.To
	}
	return at >= h.From || at < h.To
}
