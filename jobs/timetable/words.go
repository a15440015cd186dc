package timetable

import (
	"fmt"
	"strings"
	"time"

	"nacre"
)

// Words is a schedule in plain English: "once on Tue 1 Dec 2026 at 09:00
// (Europe/Vienna)", "every 2 hours, counted from …", "every 2 days at 09:00
// (Europe/Vienna)", "every Monday at 08:00 (Europe/Vienna)". Of a cron expression for which there are no short words it
// gives the expression.
func Words(s nacre.Schedule, home *time.Location) string {
	zone := Zone(s, home)
	switch s.Kind {
	case nacre.Once:
		return "once on " + atWords(s.At, zone)
	case nacre.Every:
		if wholeDays(s) {
			return daysWords(s.Every, s.At.In(zone)) + " (" + clockName(zone) + ")"
		}
		return everyWords(s.Every) + ", counted from " + atWords(s.At, zone)
	case nacre.Cron:
		return cronWords(s.Cron) + " (" + clockName(zone) + ")"
	}
	return "never"
}

// atWords is clockWords within a sentence.
func atWords(t time.Time, zone *time.Location) string {
	return t.In(zone).Format("Mon 2 Jan 2006 at 15:04") + " (" + zoneWords(t, zone) + ")"
}

// clockName is what people call a zone all year round.
func clockName(zone *time.Location) string {
	if zone == time.Local {
		return "by the clock of this machine"
	}
	return zone.String()
}

// daysWords says that something comes every so many days, or weeks, without its
// zone.
func daysWords(d time.Duration, at time.Time) string {
	if n := int(d / day); n%7 != 0 {
		return each(count(n, "day")) + at.Format(" at 15:04")
	}
	return each(count(int(d/(7*day)), "week")) + at.Format(" on Monday at 15:04")
}

// everyWords says that something comes in even steps.
func everyWords(d time.Duration) string { return each(Length(d)) }

// each says that something comes after each such length of time.
func each(words string) string {
	if one, ok := strings.CutPrefix(words, "1 "); ok && !strings.Contains(words, " and ") {
		return "every " + one
	}
	return "every " + words
}

// Length is a length of time in words, to the second: "2 hours and 30 minutes". A
// single day is 24 hours, because one of the calendar can be longer or shorter.
func Length(d time.Duration) string {
	var parts []string
	for _, u := range []struct {
		name  string
		long  time.Duration
		least time.Duration // from which on the unit is used
	}{{"day", day, 2 * day}, {"hour", time.Hour, time.Hour}, {"minute", time.Minute, time.Minute}, {"second", time.Second, time.Second}} {
		if d >= u.least {
			parts = append(parts, count(int(d/u.long), u.name))
			d %= u.long
		}
	}
	return list(parts)
}

// cronWords is what an expression says, without its zone.
func cronWords(text string) string {
	e, err := parse(text)
	if err == nil {
		days, times := e.days(), e.times()
		switch {
		case days == "every day" && e.hourly() && times != "":
			return times
		case days != "" && times != "" && !e.hourly():
			return days + " " + times
		}
	}
	return "by the cron expression " + strings.Join(strings.Fields(text), " ")
}

// days says on what days an expression is due; empty if that takes too many
// words.
func (e expression) days() string {
	anyDate, anyDay := e.Dom&everyDate == everyDate, e.Dow&everyDay == everyDay
	if (e.Dom|e.Dow)&anyValue == 0 && (anyDate || anyDay) { // one or the other will do
		anyDate, anyDay = true, true
	}
	months := numbers(e.Month, 13)
	dates := numbers(e.Dom&everyDate, 32)
	switch {
	case len(months) == 12 && anyDate && anyDay:
		return "every day"
	case len(months) == 12 && anyDate:
		return "every " + dayWords(e.Dow&everyDay)
	case len(months) == 12 && anyDay && len(dates) <= 4:
		return "on the " + dateWords(dates)
	case len(months) == 1 && anyDay && len(dates) == 1:
		return fmt.Sprintf("every year on %d %s", dates[0], time.Month(months[0]))
	}
	return ""
}

// dayWords names days of the week, Monday first.
func dayWords(set uint64) string {
	if set == 1<<6-1<<1 {
		return "weekday"
	}
	var names []string
	for day := 1; day <= 7; day++ {
		if set&(1<<(day%7)) != 0 {
			names = append(names, time.Weekday(day%7).String())
		}
	}
	return list(names)
}

// dateWords names days of a month.
func dateWords(dates []int) string {
	var names []string
	for _, d := range dates {
		names = append(names, ordinal(d))
	}
	words := list(names) + " of every month"
	if dates[len(dates)-1] > 28 {
		words += " that has one"
	}
	return words
}

// ordinal is a number as it counts in a row: 1st, 2nd, 13th.
func ordinal(n int) string {
	ending := "th"
	if n < 11 || n > 13 {
		switch n % 10 {
		case 1:
			ending = "st"
		case 2:
			ending = "nd"
		case 3:
			ending = "rd"
		}
	}
	return fmt.Sprint(n) + ending
}

// times says at what times of a day an expression is due; empty if that takes
// too many words.
func (e expression) times() string {
	const most = 4
	minutes, hours := numbers(e.Minute, 60), numbers(e.Hour, 24)
	if e.hourly() {
		return hourWords(minutes, most)
	}
	if len(minutes)*len(hours) > most {
		return ""
	}
	var names []string
	for _, h := range hours {
		for _, m := range minutes {
			names = append(names, fmt.Sprintf("%02d:%02d", h, m))
		}
	}
	return "at " + list(names)
}

// hourWords says when in each hour something is due.
func hourWords(minutes []int, most int) string {
	if step := 60 / len(minutes); len(minutes) > 1 && len(minutes)*step == 60 && even(minutes, step) {
		return everyWords(time.Duration(step) * time.Minute)
	}
	if len(minutes) > most {
		return ""
	}
	var names []string
	for _, m := range minutes {
		names = append(names, fmt.Sprintf(":%02d", m))
	}
	return "every hour at " + list(names)
}

// even reports whether minutes follow each other in even steps, from the full
// hour on.
func even(minutes []int, step int) bool {
	for i, m := range minutes {
		if m != i*step {
			return false
		}
	}
	return true
}

// list joins words as a sentence does.
func list(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}
