package memory

import "time"

// Use is how often a note was recalled: on how many days, and on which last
// (YYYY-MM-DD in the owner's zone).
type Use struct {
	Days int
	Last string
}

// within reports whether a note was recalled less than so long ago, in whole days
// of the zone of now.
func (u Use) within(d time.Duration, now time.Time) bool {
	last, err := time.Parse(time.DateOnly, u.Last)
	return err == nil && midnight(now).Sub(last) < d
}

// midnight is the beginning of a day as time.DateOnly is parsed.
func midnight(t time.Time) time.Time {
	year, month, day := t.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}
