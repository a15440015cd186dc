package timetable

import (
	"fmt"
	"strings"
	"time"
)

// Moment is a time as people are told it: "Tue 1 Dec 2026, 09:00
// (Europe/Vienna), in 22 hours". Where the clock shows that time twice, it says
// by which offset from UTC it is meant.
func Moment(t time.Time, zone *time.Location, now time.Time) string {
	return clockWords(t, zone) + ", " + Distance(t, now)
}

// clockWords is what a zone's clock shows at a moment, to the minute.
func clockWords(t time.Time, zone *time.Location) string {
	return t.In(zone).Format("Mon 2 Jan 2006, 15:04") + " (" + zoneWords(t, zone) + ")"
}

// zoneWords is what people call a zone at a moment; that of this machine has no
// name but its abbreviation.
func zoneWords(t time.Time, zone *time.Location) string {
	t = t.In(zone)
	switch {
	case zone == time.Local:
		return strings.TrimPrefix(t.Format("MST, UTC-07:00"), "UTC, ")
	case twice(t, zone):
		return zone.String() + t.Format(", UTC-07:00")
	}
	return zone.String()
}

// Distance is how far a moment is from now: "in 22 hours", "3 days ago", "now".
func Distance(t, now time.Time) string {
	d := t.Sub(now)
	switch {
	case d.Abs() < 30*time.Second:
		return "now"
	case d > 0:
		return "in " + about(d)
	}
	return about(-d) + " ago"
}

// about is a length of time in one unit, of which there are at least two where
// the next smaller one could tell it too.
func about(d time.Duration) string {
	units := []struct {
		name  string
		long  time.Duration
		until time.Duration
	}{
		{"minute", time.Minute, 120 * time.Minute},
		{"hour", time.Hour, 48 * time.Hour},
		{"day", day, 21 * day},
		{"week", 7 * day, 9 * 7 * day},
		{"month", 365 * day / 12, 730 * day},
	}
	for _, u := range units {
		if n := (d + u.long/2) / u.long; n*u.long < u.until {
			return count(int(n), u.name)
		}
	}
	return count(int((d+183*day)/(365*day)), "year")
}

// count is a number of things of which the plural has an s.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
