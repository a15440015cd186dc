package phrase

import (
	"fmt"
	"strings"
	"time"

	"nacre"
)

// maxYears is how far away a time may be.
const maxYears = 20

// schedule makes a Schedule of a reading.
func (r *reading) schedule(now time.Time) (nacre.Schedule, error) {
	if r.problem != nil {
		return nacre.Schedule{}, r.problem
	}
	if r.said&^saidZone == 0 {
		return nacre.Schedule{}, errWhen
	}
	var zone string
	if r.zone != nil {
		zone, now = r.zone.String(), now.In(r.zone)
	}
	s, err := r.repeated(now)
	if r.said&saidEvery == 0 {
		s.Kind = nacre.Once
		s.At, err = r.once(now)
	}
	if err != nil {
		return nacre.Schedule{}, err
	}
	s.Zone = zone
	return s, nil
}

// once returns the moment that is meant, which lies ahead.
func (r *reading) once(now time.Time) (time.Time, error) {
	if r.said&saidAfter != 0 {
		return near(now.Add(r.after).Truncate(time.Second), now)
	}
	h, m, err := r.time()
	if err != nil {
		return time.Time{}, err
	}
	if r.said&saidWeekday != 0 && r.week.count() > 1 {
		return time.Time{}, errTwo
	}
	at, err := r.moment(now, h, m)
	if err != nil {
		return time.Time{}, err
	}
	return near(at, now)
}

// near refuses what is past, and what is too far away.
func near(at, now time.Time) (time.Time, error) {
	switch {
	case !at.After(now):
		return time.Time{}, errPast
	case at.After(now.AddDate(maxYears, 0, 0)):
		return time.Time{}, errFar
	}
	return at, nil
}

// moment finds the day that is meant, and returns the time of day on it.
func (r *reading) moment(now time.Time, h, m int) (time.Time, error) {
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC) // days of the calendar alone
	on := func(day time.Time) time.Time {
		return wall(day, time.Duration(h)*time.Hour+time.Duration(m)*time.Minute, now.Location())
	}
	d := r.day
	switch {
	case r.said&saidDay == 0:
		return next(now, today, on, func(day time.Time) bool { return r.week.holds(today, day) })
	case d.counted && d.keeps && r.said&(saidClock|saidPart) == 0:
		h, m, s := now.Clock()
		kept := time.Duration(h)*time.Hour + time.Duration(m)*time.Minute + time.Duration(s)*time.Second
		return r.agree(wall(d.from(today), kept, now.Location()))
	case d.counted:
		return r.agree(on(d.from(today)))
	case d.year > 0:
		return r.agree(on(time.Date(d.year, time.Month(d.month), d.date, 0, 0, 0, 0, time.UTC)))
	}
	at, err := next(now, today, on, func(day time.Time) bool {
		return day.Day() == d.date && (d.month == 0 || int(day.Month()) == d.month)
	})
	if err != nil {
		return at, err
	}
	return r.agree(at)
}

// wall returns the moment at which clocks show a time on a day, or the first one
// behind it where they jump over that.
func wall(day time.Time, clock time.Duration, zone *time.Location) time.Time {
	shown := day.Add(clock)
	t := time.Date(day.Year(), day.Month(), day.Day(), shown.Hour(), shown.Minute(), shown.Second(), 0, zone)
	_, offset := t.Zone()
	from, to := t.ZoneBounds()
	switch showing := t.Add(time.Duration(offset) * time.Second).UTC(); {
	case showing.Before(shown):
		return to
	case showing.After(shown):
		return from
	}
	return t
}

// next returns the first time of day that is still to come, on a day that is meant.
func next(now, today time.Time, on func(day time.Time) time.Time, meant func(day time.Time) bool) (time.Time, error) {
	for i := range 366 * 8 { // there may be eight years between leap days
		if day := today.AddDate(0, 0, i); meant(day) && on(day).After(now) {
			return on(day), nil
		}
	}
	return time.Time{}, errPast
}

// agree refuses a date that is no such weekday as was said.
func (r *reading) agree(at time.Time) (time.Time, error) {
	if r.said&saidWeekday != 0 && !r.week.days[at.Weekday()] {
		return time.Time{}, errWeekday
	}
	return at, nil
}

// holds reports whether a day is the weekday that is meant; any, if none is said.
func (w *week) holds(today, t time.Time) bool {
	if w.count() == 0 {
		return true
	}
	monday := today.AddDate(0, 0, 7-(int(today.Weekday())+6)%7)
	if !w.days[t.Weekday()] {
		return false
	}
	switch w.which {
	case upcoming:
		return t.After(today)
	case current:
		return t.Equal(today) || !w.days[today.Weekday()]
	case weekThis:
		return t.Before(monday)
	case weekNext:
		return !t.Before(monday)
	}
	return true
}

// from returns the day counted from another; a month that is too short for it ends
// with its last day.
func (d *day) from(today time.Time) time.Time {
	t := today.AddDate(d.years, d.months, d.days)
	if d.days == 0 && t.Day() != today.Day() {
		t = t.AddDate(0, 0, -t.Day())
	}
	return t
}

// repeated makes a Schedule of a repetition.
func (r *reading) repeated(now time.Time) (nacre.Schedule, error) {
	if r.every.unit <= hour {
		return r.hours(now)
	}
	h, m, err := r.time()
	if err != nil {
		return nacre.Schedule{}, err
	}
	if r.every.n > 1 {
		return r.spaced(now)
	}
	days, err := r.fields()
	if err != nil {
		return nacre.Schedule{}, err
	}
	return nacre.Schedule{Kind: nacre.Cron, Cron: fmt.Sprintf("%d %d %s", m, h, days)}, nil
}

// hours repeats after so much real time, or at a minute of each hour.
func (r *reading) hours(now time.Time) (nacre.Schedule, error) {
	switch {
	case r.said&^(saidEvery|saidClock|saidZone) != 0, r.said&saidClock != 0 && !r.clock.hourly:
		return nacre.Schedule{}, errHourly
	case r.said&saidClock != 0:
		return nacre.Schedule{Kind: nacre.Cron, Cron: fmt.Sprintf("%d * * * *", r.clock.minute)}, nil
	}
	step := time.Duration(r.every.n) * long[r.every.unit]
	return nacre.Schedule{Kind: nacre.Every, Every: step, At: now.Add(step).Truncate(time.Second)}, nil
}

// spaced repeats every so many days, or weeks on one day, from the next such time on.
func (r *reading) spaced(now time.Time) (nacre.Schedule, error) {
	switch {
	case r.every.unit > weekly, r.said&saidDay != 0, r.every.n > 366:
		return nacre.Schedule{}, errCannot
	case r.every.unit == weekly && r.week.count() != 1:
		return nacre.Schedule{}, errWhichDay
	case r.every.unit == daily && r.said&saidWeekday != 0:
		return nacre.Schedule{}, errCannot
	}
	at, err := r.once(now)
	if h, m, _ := r.time(); err == nil && (at.Hour() != h || at.Minute() != m) { // clocks jump over the first one
		at, err = r.once(at)
	}
	return nacre.Schedule{Kind: nacre.Every, Every: time.Duration(r.every.n) * long[r.every.unit], At: at}, err
}

// fields are the last three of a cron expression.
func (r *reading) fields() (string, error) {
	d := r.day
	switch hasDay, hasWeek := r.said&saidDay != 0, r.said&saidWeekday != 0; {
	case hasDay && (hasWeek || d.counted || d.year > 0), hasWeek && r.every.unit != weekly, hasDay && r.every.unit <= weekly:
		return "", errCannot
	case r.every.unit == daily:
		return "* * *", nil
	case r.every.unit == weekly && hasWeek:
		return "* * " + r.week.field(), nil
	case r.every.unit == weekly, !hasDay, r.every.unit == yearly && d.month == 0:
		return "", errWhichDay
	case r.every.unit == monthly && d.month > 0:
		return "", errCannot
	case r.every.unit == yearly:
		return fmt.Sprintf("%d %d *", d.date, d.month), nil
	case d.date > 28:
		return "", errShort
	}
	return fmt.Sprintf("%d * *", d.date), nil
}

// field is the last one, with Monday to Friday as a range.
func (w *week) field() string {
	if w.days == [7]bool{1: true, 2: true, 3: true, 4: true, 5: true} {
		return "1-5"
	}
	var days []string
	for i, on := range w.days {
		if on {
			days = append(days, fmt.Sprint(i))
		}
	}
	return strings.Join(days, ",")
}
