package phrase

import "time"

// slots are the things that a time may say, each once.
type slots uint

const (
	saidAfter slots = 1 << iota
	saidDay
	saidWeekday
	saidClock
	saidPart
	saidEvery
	saidZone
)

// reading is what has been read of a time.
type reading struct {
	said    slots
	after   time.Duration // real time from now
	day     day
	week    week
	clock   clock
	part    part
	every   every
	zone    *time.Location
	problem error // it says nothing that can be used; the first that was found
	worded  bool  // in words of one language
}

// day is a day of the calendar, either counted from today or named.
type day struct {
	counted             bool
	years, months, days int
	year, month, date   int  // a year or month of 0 is the next one
	keeps               bool // the time on the clock, if none is said: "in 2 days"
}

// week is what is said of weekdays.
type week struct {
	days  [7]bool
	which int // nearest and the like
}

func (w *week) count() (n int) {
	for _, d := range w.days {
		if d {
			n++
		}
	}
	return n
}

// every is a repetition.
type every struct {
	n    int
	unit unit
}

// unit is a unit of time.
type unit int

const (
	second unit = iota + 1
	minute
	halfHour
	hour
	daily
	weekly
	monthly
	yearly
)

// long are the units of real time, by unit.
var long = [...]time.Duration{second: time.Second, minute: time.Minute, halfHour: 30 * time.Minute, hour: time.Hour, daily: 24 * time.Hour, weekly: 7 * 24 * time.Hour}

// with adds what is said beside a reading. What is said twice is a problem, but for
// the same repetition, and that which a weekday brings along ("every week on Mondays").
func (r reading) with(p reading) reading {
	twice := r.said & p.said
	if twice&saidEvery != 0 && (r.every == p.every || r.every.unit == weekly && p.every == (every{1, weekly})) {
		twice &^= saidEvery
		p.said &^= saidEvery
	}
	if twice != 0 || (r.said|p.said)&saidAfter != 0 && (r.said|p.said)&^(saidAfter|saidZone) != 0 {
		r.fail(errTwo)
	}
	r.fail(p.problem)
	r.worded = r.worded || p.worded
	r.take(p)
	r.said |= p.said
	return r
}

// complete reports whether a day, or how it repeats, and a time of day are said.
func (r *reading) complete() bool {
	day := r.said&(saidDay|saidWeekday|saidEvery) != 0
	return r.said&saidAfter != 0 || day && r.said&(saidClock|saidPart) != 0
}

// take copies what p says.
func (r *reading) take(p reading) {
	if p.said&saidAfter != 0 {
		r.after = p.after
	}
	if p.said&saidDay != 0 {
		r.day = p.day
	}
	if p.said&saidWeekday != 0 {
		r.week = p.week
	}
	if p.said&saidClock != 0 {
		r.clock = p.clock
	}
	if p.said&saidPart != 0 {
		r.part = p.part
	}
	if p.said&saidEvery != 0 {
		r.every = p.every
	}
	if p.said&saidZone != 0 {
		r.zone = p.zone
	}
}

// fail keeps the first problem.
func (r *reading) fail(err error) {
	if r.problem == nil {
		r.problem = err
	}
}
