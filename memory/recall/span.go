package recall

import "time"

// span is a run of days that a message or a question speaks of, both included.
type span struct{ first, last date }

// date counts days of the calendar from 1970 on. It knows no zone: whoever makes
// one has decided whose day it is, so that clocks put forward or back do not move
// it.
type date int32

const secondsOfDay = 24 * 60 * 60

// dateOf is the day of an instant where its zone is.
func dateOf(t time.Time) date {
	year, month, day := t.Date()
	return dateOn(year, month, day)
}

// dateOn is a day of the calendar; months and days out of their range count on.
func dateOn(year int, month time.Month, day int) date {
	return date(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / secondsOfDay)
}

func (d date) civil() (year int, month time.Month, day int) {
	return time.Unix(int64(d)*secondsOfDay, 0).UTC().Date()
}

// start is the instant at which the day begins in a zone.
func (d date) start(zone *time.Location) time.Time {
	year, month, day := d.civil()
	return time.Date(year, month, day, 0, 0, 0, 0, zone)
}

// weekday counts from 0 for Monday.
func (d date) weekday() int { return int(((d+3)%7 + 7) % 7) }

func (d date) plus(days int) date { return d + date(days) }

func (d date) alone() span { return span{d, d} }

// week is the one, beginning on Monday, that is some weeks after that of the day.
func (d date) week(after int) span {
	monday := d.plus(7*after - d.weekday())
	return span{monday, monday + 6}
}

// month is the one that is some months after that of the day.
func (d date) month(after int) span {
	year, month, _ := d.civil()
	return monthOf(year, int(month)+after)
}

// year is the one that is some years after that of the day.
func (d date) year(after int) span {
	year, _, _ := d.civil()
	return yearOf(year + after)
}

func monthOf(year, month int) span {
	first := dateOn(year, time.Month(month), 1)
	return span{first, dateOn(year, time.Month(month+1), 1) - 1}
}

func yearOf(year int) span {
	return span{dateOn(year, time.January, 1), dateOn(year, time.December, 31)}
}

// days is how long a span is.
func (s span) days() int { return int(s.last-s.first) + 1 }

// meets reports whether two spans have a day in common.
func (s span) meets(o span) bool { return s.first <= o.last && o.first <= s.last }
