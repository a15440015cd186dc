package timetable

import "time"

// maxOffset is farther from UTC than any clock ever was, in hours of its own.
const maxOffset = 16 * time.Hour

// What a clock shows is kept as a time.Time in UTC with the same date and hour,
// and called a wall time.

// stretch is a time during which the clock of a zone is not set. Two that follow
// each other may have the same offset.
type stretch struct {
	start, end time.Time // the first moment, and the first after it; zero for none
	offset     time.Duration
	zone       *time.Location
}

// around is the stretch in which a moment is.
func around(t time.Time, zone *time.Location) stretch {
	t = t.In(zone)
	start, end := t.ZoneBounds()
	if !end.IsZero() && !end.After(t) { // as Go 1.26 has it on the last day of leap years from 2040 on
		end = t.Add(time.Hour)
	}
	_, offset := t.Zone()
	return stretch{start, end, time.Duration(offset) * time.Second, zone}
}

// before is the stretch that ended when this one began. There must be one.
func (s stretch) before() stretch { return around(s.start.Add(-1), s.zone) }

// after is the stretch that begins when this one ends. There must be one.
func (s stretch) after() stretch { return around(s.end, s.zone) }

// holds reports whether a moment that is not before the stretch is in it.
func (s stretch) holds(t time.Time) bool { return s.end.IsZero() || t.Before(s.end) }

// wall is what the clock shows at a moment.
func (s stretch) wall(t time.Time) time.Time { return t.UTC().Add(s.offset) }

// moment is when the clock shows a wall time, if it runs on as in this stretch.
func (s stretch) moment(wall time.Time) time.Time { return wall.Add(-s.offset).In(s.zone) }

// Reached is the first moment at which the clock of a zone shows a wall time or
// has come past it. Wall is that time as if it were in UTC.
func Reached(wall time.Time, zone *time.Location) time.Time {
	for s := around(wall.Add(-maxOffset), zone); ; s = s.after() {
		t := s.moment(wall)
		if t.Before(s.start) { // the clock was set forward past it
			t = s.start
		}
		if s.holds(t) {
			return t
		}
	}
}

// farthest is the latest wall time that the clock of a zone has shown by a
// moment. That is what it shows then, unless it was set back just before.
func farthest(t time.Time, zone *time.Location) time.Time {
	s := around(t, zone)
	wall := s.wall(t)
	for !s.start.IsZero() && t.Sub(s.start) < 2*maxOffset {
		last := s.start.Add(-1)
		s = s.before()
		if shown := s.wall(last); shown.After(wall) {
			wall = shown
		}
	}
	return wall
}

// twice reports whether the clock shows what it shows at a moment also at
// another one.
func twice(t time.Time, zone *time.Location) bool {
	s := around(t, zone)
	if !s.end.IsZero() && s.after().wall(s.end).Compare(s.wall(t)) <= 0 {
		return true
	}
	return !s.start.IsZero() && s.before().wall(s.start).After(s.wall(t))
}
