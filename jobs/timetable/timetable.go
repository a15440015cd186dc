package timetable

import (
	"time"

	"nacre"
)

// MostCounted is how many slots of a Cron schedule Latest counts; it takes some
// ten milliseconds.
const MostCounted = 10_000

// Zone is whose clock counts for a schedule: the zone that it names, else home,
// which is where the owner lives and must not be nil. It reads the zone anew each
// time, in some microseconds. A name that is not known any more means home, so
// that a job still comes due; see Check.
func Zone(s nacre.Schedule, home *time.Location) *time.Location {
	if s.Zone == "" {
		return home
	}
	zone, err := time.LoadLocation(s.Zone)
	if err != nil {
		return home
	}
	return zone
}

// Named is the zone of a name of the IANA time zone database. The error is Invalid,
// and a sentence for the person who wrote the name.
func Named(name string) (*time.Location, error) {
	if err := checkZone(name); err != nil {
		return nil, err
	}
	return time.LoadLocation(name)
}

// Next is the first slot after a moment, told in the schedule's zone; zero if
// there is none, or if the schedule is none that Check accepts.
func Next(s nacre.Schedule, home *time.Location, after time.Time) time.Time {
	return next(s, home)(after)
}

// Latest is the newest slot that is after one moment and not after another, and
// how many slots there are between them; zero and 0 for none. It takes no longer
// over years, except to count: of a Cron schedule it counts MostCounted slots,
// and then n is no more than that, while slot is right nevertheless.
func Latest(s nacre.Schedule, home *time.Location, after, until time.Time) (slot time.Time, n int) {
	if s.Kind == nacre.Every {
		return latestEvery(s, Zone(s, home), after, until)
	}
	next := next(s, home)
	for t := next(after); !t.IsZero() && !t.After(until); t = next(t) {
		slot = t
		if n++; n == MostCounted {
			return newest(next, slot, until), n
		}
	}
	return slot, n
}

// next is the slots of a schedule as a function: of a moment, the first slot
// after it, or zero.
func next(s nacre.Schedule, home *time.Location) func(time.Time) time.Time {
	switch s.Kind {
	case nacre.Once:
		return func(after time.Time) time.Time { return nextOnce(s, Zone(s, home), after) }
	case nacre.Every:
		return func(after time.Time) time.Time { return nextEvery(s, Zone(s, home), after) }
	case nacre.Cron:
		if e, err := parse(s.Cron); err == nil {
			return calendar{e, Zone(s, home)}.next
		}
	}
	return func(time.Time) time.Time { return time.Time{} }
}

// newest is the last slot that is not after until, of which slot is one before
// it. It halves the time in which that must be.
func newest(next func(time.Time) time.Time, slot, until time.Time) time.Time {
	for end := until; ; { // no slot is after end and not after until
		if t := next(slot); t.IsZero() || t.After(end) {
			return slot
		}
		middle := slot.Add(end.Sub(slot) / 2)
		if t := next(middle); t.IsZero() || t.After(until) {
			end = middle
		} else {
			slot = t
		}
	}
}
