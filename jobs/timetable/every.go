package timetable

import (
	"time"

	"nacre"
)

// day is one of the calendar, on a clock that is never set.
const day = 24 * time.Hour

// nextOnce is the only slot, if it is after a moment.
func nextOnce(s nacre.Schedule, zone *time.Location, after time.Time) time.Time {
	if s.At.IsZero() || !s.At.After(after) {
		return time.Time{}
	}
	return s.At.In(zone)
}

// nextEvery is the first slot after a moment.
func nextEvery(s nacre.Schedule, zone *time.Location, after time.Time) time.Time {
	if s.Every < time.Second || s.At.IsZero() {
		return time.Time{}
	}
	p := evenly(s, zone)
	return p.slot(p.past(after))
}

// latestEvery is Latest without stepping from slot to slot.
func latestEvery(s nacre.Schedule, zone *time.Location, after, until time.Time) (slot time.Time, n int) {
	if s.Every < time.Second || s.At.IsZero() {
		return time.Time{}, 0
	}
	p := evenly(s, zone)
	from, to := p.past(after), p.past(until)
	if to <= from {
		return time.Time{}, 0
	}
	return p.slot(to - 1), int(to - from)
}

// paces are the slots of an Every schedule, counted from 0: moments of real time,
// or, if they are whole days apart, wall times.
type paces struct {
	first time.Time
	step  int64 // seconds; a time.Duration ends after 292 years
	wall  bool
	zone  *time.Location
}

// evenly is the slots of a schedule that has some.
func evenly(s nacre.Schedule, zone *time.Location) paces {
	p := paces{s.At, int64(s.Every / time.Second), wholeDays(s), zone}
	if p.wall {
		p.first = around(s.At, zone).wall(s.At)
	}
	return p
}

// wholeDays reports whether the slots of an Every schedule are so many days of
// the calendar apart.
func wholeDays(s nacre.Schedule) bool { return s.Every >= day && s.Every%day == 0 }

// Moved is the schedule of an owner who moves from one zone into another. Days that
// are counted from a moment are counted from the one at which the clock there shows
// the same: what happens every second day at nine goes on at nine. All other
// schedules go by the new clock anyway, or by none, and stay.
func Moved(s nacre.Schedule, from, to *time.Location) nacre.Schedule {
	if s.Kind == nacre.Every && s.Zone == "" && wholeDays(s) && !s.At.IsZero() {
		s.At = Reached(around(s.At, from).wall(s.At), to)
	}
	return s
}

// slot is when the slot of a number is due.
func (p paces) slot(n int64) time.Time {
	if p.wall {
		return Reached(p.at(n), p.zone)
	}
	return p.at(n).In(p.zone)
}

// at is the slot of a number, as real time or as a wall time.
func (p paces) at(n int64) time.Time {
	return time.Unix(p.first.Unix()+n*p.step, int64(p.first.Nanosecond())).UTC()
}

// past is how many slots are not after a moment, which is also the number of the
// first one that is.
func (p paces) past(t time.Time) int64 {
	if p.wall {
		t = farthest(t, p.zone)
	}
	if t.Before(p.first) {
		return 0
	}
	n := (t.Unix() - p.first.Unix()) / p.step
	if p.at(n).After(t) { // within its second
		return n
	}
	return n + 1
}
