package timetable

import (
	"time"

	"nacre"
)

// nextOnce is the only slot, if it is after a moment.
func nextOnce(s nacre.Schedule, zone *time.Location, after time.Time) time.Time {
	if s.At.IsZero() || !s.At.After(after) {
		return time.Time{}
	}
	return s.At.In(zone)
}

// nextEvery is the first slot after a moment.
func nextEvery(s nacre.Schedule, zone *time.Location, after time.Time) time.Time {
	if step(s) <= 0 || s.At.IsZero() {
		return time.Time{}
	}
	return every(s, past(s, after)).In(zone)
}

// latestEvery is Latest without stepping from slot to slot.
func latestEvery(s nacre.Schedule, zone *time.Location, after, until time.Time) (slot time.Time, n int) {
	if step(s) <= 0 || s.At.IsZero() {
		return time.Time{}, 0
	}
	from, to := past(s, after), past(s, until)
	if to <= from {
		return time.Time{}, 0
	}
	return every(s, to-1).In(zone), int(to - from)
}

// step is the seconds between two slots of an Every schedule.
func step(s nacre.Schedule) int64 { return int64(s.Every / time.Second) }

// every is the slot of a number, counted from 0. It reckons in seconds, because a
// time.Duration ends after 292 years.
func every(s nacre.Schedule, n int64) time.Time {
	return time.Unix(s.At.Unix()+n*step(s), int64(s.At.Nanosecond()))
}

// past is how many slots are not after a moment, which is also the number of the
// first one that is.
func past(s nacre.Schedule, t time.Time) int64 {
	if t.Before(s.At) {
		return 0
	}
	n := (t.Unix() - s.At.Unix()) / step(s)
	if every(s, n).After(t) { // within its second
		return n
	}
	return n + 1
}
