package timetable

import (
	"time"

	"nacre"
)

// Sound reports what is wrong with a schedule for a kind of job whatever the time
// is: all that Check does, but that its time is past. Whoever reads back a job
// that was stored calls it; it takes some microseconds for all but cron
// expressions with times that are close.
func Sound(s nacre.Schedule, kind nacre.JobKind, home *time.Location) error {
	if s.Kind != nacre.Cron {
		return Check(s, kind, home, s.At.Add(-time.Second))
	}
	e, err := parse(s.Cron)
	before := time.Unix(0, 0) // any moment will do
	if err == nil && kind != nacre.Heartbeat && e.apart() >= max(MinReminder, MinTask) && !e.next(before).IsZero() {
		return checkZone(s.Zone)
	}
	return Check(s, kind, home, before)
}
