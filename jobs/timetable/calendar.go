package timetable

import "time"

// calendar is a cron expression by the clock of a zone.
type calendar struct {
	expression
	zone *time.Location
}

// next is the first slot after a moment; zero for none.
func (c calendar) next(after time.Time) time.Time {
	if c.hourly() {
		return c.nextHourly(after)
	}
	wall := c.expression.next(farthest(after, c.zone))
	if wall.IsZero() {
		return wall
	}
	return Reached(wall, c.zone)
}

// nextHourly is next for an expression that allows every hour.
func (c calendar) nextHourly(after time.Time) time.Time {
	for s := around(after, c.zone); ; s = s.after() {
		if after.Before(s.start) {
			if c.madeUp(s) {
				return s.start
			}
			after = s.start.Add(-1)
		}
		t := c.shown(s, after)
		if c.tooSoon(s, t) {
			t = c.shown(s, t)
		}
		if t.IsZero() || s.holds(t) {
			return t
		}
	}
}

// shown is when the clock shows a time of the expression first after a moment,
// if it runs on as in a stretch; zero for never.
func (c calendar) shown(s stretch, after time.Time) time.Time {
	wall := c.expression.next(s.wall(after))
	if wall.IsZero() {
		return wall
	}
	return s.moment(wall)
}

// madeUp reports whether times that were left out when a stretch began are made
// up for at that moment: if the job has no slot within an hour of it.
func (c calendar) madeUp(s stretch) bool {
	before := s.before()
	if before.offset >= s.offset {
		return false
	}
	missing := c.shown(before, s.start.Add(-1))
	if missing.IsZero() || !s.moment(before.wall(missing)).Before(s.start) {
		return false
	}
	return !c.shown(before, s.start.Add(-time.Hour)).Before(s.start) && !c.shown(s, s.start).Before(s.start.Add(time.Hour))
}

// tooSoon reports whether a time that is shown again after the clock was set
// back is passed over, because the slot before is nearer than two times of the
// job ever are.
func (c calendar) tooSoon(s stretch, t time.Time) bool {
	if t.IsZero() || s.start.IsZero() || t.Sub(s.start) >= time.Hour {
		return false
	}
	earliest := t.Add(-c.apart())
	before := s.before()
	return earliest.Before(s.start) && before.offset > s.offset && c.shown(before, earliest).Before(s.start)
}
