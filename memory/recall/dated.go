package recall

import "time"

// dated reads "8 May 2023", "May 8th", "May 2023", "2023-05-08" and "2023".
func (r *dateReader) dated() int {
	first, second := r.peek(0), r.peek(1)
	switch {
	case first.dayOfMonth() && second.month():
		return r.onDay(second.value, first.value, 2)
	case first.month() && second.dayOfMonth():
		return r.onDay(first.value, second.value, 2)
	case first.month() && second.year():
		return r.found(monthOf(second.value, first.value), 2)
	case first.year():
		return r.found(yearOf(first.value), 1)
	case first.digits:
		return r.numeric(first.form)
	}
	return 0
}

func (w calendarWord) month() bool { return w.role == isMonth || w.role == isMonthMaybe }

func (w calendarWord) dayOfMonth() bool { return w.digits && 1 <= w.value && w.value <= 31 }

func (w calendarWord) year() bool { return w.digits && 1900 <= w.value && w.value < 2100 }

// onDay takes the year from the next word if it is one.
func (r *dateReader) onDay(month, day, words int) int {
	if year := r.peek(words); year.year() {
		return r.found(dateOn(year.value, time.Month(month), day).alone(), words+1)
	}
	year, _, _ := r.near(month).first.civil()
	return r.found(dateOn(year, time.Month(month), day).alone(), words)
}

func (r *dateReader) numeric(form string) int {
	for _, layout := range []string{"2006-1-2", "2.1.2006"} {
		if t, err := time.Parse(layout, form); err == nil {
			return r.found(dateOf(t).alone(), 1)
		}
	}
	return 0
}

// named reads the bare name of a month, and in questions that of a day.
func (r *dateReader) named() int {
	w := r.peek(0)
	switch {
	case w.role == isMonth, w.role == isMonthMaybe && (w.name || introducesMonth(r.peek(-1).form)):
		return r.found(r.near(w.value), 1)
	case w.role == isWeekday && r.tense == asked:
		return r.found(r.weekday(w.value, -1), 1)
	}
	return 0
}

// introducesMonth reports a word after which "may" and "march" are months though
// they are written small.
func introducesMonth(form string) bool {
	switch form {
	case "in", "since", "until", "early", "late", "en":
		return true
	}
	return false
}

// near is the month that is meant by its name alone.
func (r *dateReader) near(month int) span {
	year, present, _ := r.today.civil()
	ahead := month - int(present)
	switch {
	case r.tense == asked && ahead > 0, ahead > soon:
		year--
	case r.tense == told && ahead+12 <= soon:
		year++
	}
	return monthOf(year, month)
}
